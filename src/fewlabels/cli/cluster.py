"""--cluster: the same commands on the workers of a Dask cluster."""

from __future__ import annotations

import argparse
import glob
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fewlabels.cli.destinations import TABLES, check_new, is_standard
from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import say

if TYPE_CHECKING:
    from fewlabels.distributed.sources import Source

__all__ = ["add_options", "label_on_cluster", "refuse_alone", "refuse_several", "workers_help"]

CLUSTER_HELP = "work on a Dask cluster (extra dask): local:N for N workers on this machine, or tcp://scheduler:8786"
NOT_OFFERED = {
    "report": "--report",
    "refine": "--refine",
    "save": "--save",
    "probabilities": "--probabilities",
    "id": "--id",
    "seed": "--seed",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what a labelling on a cluster needs to know."""
    parser.add_argument("--cluster", metavar="WHERE", help=f"{CLUSTER_HELP}; FEATURES may be a pattern, 'parts/*.npy'")
    parser.add_argument("--memory", metavar="SIZE", help="memory of each worker of local:N, such as 1GB")
    parser.add_argument(
        "--scratch",
        type=Path,
        metavar="FOLDER",
        help="where a cluster keeps its blocks, seen by all workers; the same command goes on from what is there "
        "(default: RESULT.scratch, removed at the end)",
    )


def refuse_alone(options: argparse.Namespace) -> None:
    """Refuse what only a cluster understands."""
    for name in ("memory", "scratch"):
        if getattr(options, name) is not None:
            raise FewlabelsError(f"--{name} is for workers; add --cluster local:2, or leave it out.")


def refuse_several(features: Path) -> None:
    """Refuse a pattern where one file is wanted."""
    if not features.exists() and glob.has_magic(str(features)):
        raise FewlabelsError(
            f"{features}: several files need workers to read them; add --cluster local:2, or join them."
        )


def label_on_cluster(options: argparse.Namespace, shares: Callable[[str, Any], list[float] | None]) -> int:
    """Label rows in blocks; progress tells stages, bytes moved and rows."""
    from fewlabels.distributed.clusters import opened, shared_scratch
    from fewlabels.distributed.labelling import BET, Settings, labelled, piece_bytes, refuse_one_class
    from fewlabels.distributed.sources import of_files
    from fewlabels.distributed.stages import Stages
    from fewlabels.distributed.writing import write_joined
    from fewlabels.labels import Seeds
    from fewlabels.tabular import read_labels

    for name, flag in NOT_OFFERED.items():
        if getattr(options, name, None):
            raise FewlabelsError(f"{flag} is not offered on a cluster; leave it out, or leave --cluster out.")
    paths = _files(options.features)
    if is_standard(options.out):
        raise FewlabelsError("on a cluster the result goes to a file; name one that ends in .csv or .parquet.")
    check_new(options.out, TABLES, [*paths, Path(options.labels)], force=options.force)
    if not Path(options.labels).is_file():
        raise FewlabelsError(
            f"{options.labels}: no such file; on a cluster give labels as a .csv of (row or id, label)."
        )
    method = "interface-laplace" if options.method == "auto" else options.method
    settings = Settings(
        options.neighbors, options.metric, options.search, method=method, keep_sizes=bool(options.class_prior)
    )
    start = time.perf_counter()
    own = options.scratch is None
    scratch = options.out.with_name(f"{options.out.name}.scratch") if own else options.scratch
    with opened(options.cluster, options.memory) as client, _kept_if_interrupted(scratch):
        stages = Stages(client, shared_scratch(client, scratch))
        say(f"blocks are kept in {stages.scratch}; the same command goes on from there")
        say(f"method: {method}")
        with _removed_if_refused(scratch if own else None):
            source = of_files(stages, paths, piece_bytes(client))
            given = read_labels(options.labels, _known(options.features, source))
            prior = shares(options.class_prior, given.labels)
            seeds = Seeds.from_classes(given.rows, given.labels, class_prior=prior, balanced=True)
            refuse_one_class(seeds)
        found = labelled(stages, source, seeds, settings)
        write_joined(stages, source, found.parts, found.classes, options.out)
    if found.unreached:
        warnings.warn(
            f"{found.unreached:,} of {source.n_points:,} points lie in parts of the graph without any label and got "
            "the prior; label some of them, or use a larger --neighbors.",
            FewlabelsWarning,
            stacklevel=1,
        )
    sys.stdout.write(
        f"{source.n_points:,} points labelled from {seeds.size} labels of {seeds.targets.shape[1]} classes "
        f"in {time.perf_counter() - start:.1f} s: {options.out}\n"
        f"It would bet on {found.sure:,} of them, at {BET:.0%} confidence or more.\n"
    )
    if own:
        _remove(scratch)
    return 0


def _remove(scratch: Path) -> None:
    import shutil

    shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def _removed_if_refused(scratch: Path | None) -> Iterator[None]:
    """Leave no blocks of input that was refused."""
    try:
        yield
    except FewlabelsError:
        if scratch is not None:
            _remove(scratch)
        raise


@contextmanager
def _kept_if_interrupted(scratch: Path) -> Iterator[None]:
    """Tell at an interrupt where the blocks are."""
    try:
        yield
    except KeyboardInterrupt:
        if scratch.exists():
            sys.stderr.write(f"{scratch} keeps the blocks made so far; the same command goes on from there.\n")
        raise


def _files(features: Path) -> list[Path]:
    """Return the files that a pattern stands for, in the order of their names."""
    if features.is_file():
        return [features]
    found = sorted(Path(name) for name in glob.glob(str(features)))  # noqa: PTH207
    if not found:
        raise FewlabelsError(f"{features}: no such file; give the features as .npy, .npz, .csv or .parquet.")
    return found


class _Ids(Sequence[Any]):
    """The ids of all rows, read piece by piece and never held."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def __len__(self) -> int:
        return self._source.n_points

    def __getitem__(self, row: Any) -> Any:
        raise TypeError("ids are read from the first to the last")

    def __iter__(self) -> Iterator[Any]:
        from fewlabels.distributed.scratch import load_rows

        for piece in self._source.pieces:
            if piece.ids is not None:
                yield from load_rows(piece.ids, piece.start, piece.stop).tolist()


def _known(path: Path, source: Source) -> Any:
    """Return the features as whoever reads labels looks at them: their number and their ids."""
    from fewlabels.tabular import FeatureFile

    rows = np.broadcast_to(np.float32(0), (source.n_points, source.n_features))
    return FeatureFile(path, rows, _Ids(source) if source.has_ids else None)  # type: ignore[arg-type]


@contextmanager
def workers_help(cluster: str | None, folder: Path, arguments: Sequence[str]) -> Iterator[None]:
    """Run `fewlabels` with these arguments on every worker of a cluster while the block runs; they share one store."""
    if cluster is None:
        yield
        return
    from fewlabels.distributed.clusters import opened, shared_scratch

    with opened(cluster) as client:
        shared_scratch(client, folder)
        data = {name: value for name, value in os.environ.items() if name.startswith("FEWLABELS_")}
        futures = [
            client.submit(_run_command, list(arguments), data, workers=[worker], pure=False)
            for worker in client.nthreads()
        ]
        try:
            yield
        except BaseException:
            client.cancel(futures)
            raise
        for code in client.gather(futures):
            if code:
                raise FewlabelsError(
                    f"a worker's trials ended with code {code}; run the same without --cluster to see why."
                )


def _run_command(arguments: list[str], data: dict[str, str]) -> int:
    """Run the command in a process of its own, which ends with the worker's task."""
    command = [sys.executable, "-m", "fewlabels", *arguments]
    quiet = subprocess.DEVNULL
    return subprocess.run(command, env={**os.environ, **data}, stdout=quiet, stderr=quiet, check=False).returncode
