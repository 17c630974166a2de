"""fewlabels label: the main job, from files to files."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlabels.cli.common import Commands, listed
from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import say

if TYPE_CHECKING:
    from fewlabels.answer import Answer
    from fewlabels.tabular import FeatureFile

__all__ = ["add_to", "run"]

BET = 0.9
DEFAULT_METHOD = "auto"
LABELS_HELP = (
    ".csv or .parquet with two columns, (row or id, label), rows numbered from 0; or with one column, a line per "
    "point, blank where there is no label; or the name of such a column in FEATURES"
)


def add_to(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("label", parents=[shared], help="label your own data", allow_abbrev=False)
    parser.add_argument(
        "features", type=Path, metavar="FEATURES", help="one row per point: .npy, .npz, .csv or .parquet"
    )
    parser.add_argument("labels", metavar="LABELS", help=LABELS_HELP)
    parser.add_argument("--out", type=Path, required=True, metavar="RESULT", help="where to write: .csv or .parquet")
    parser.add_argument("--report", type=Path, metavar="PAGE", help="also write an .html page to look at")
    parser.add_argument(
        "--method",
        default=DEFAULT_METHOD,
        help="auto (default) weighs several; or interface-laplace, poisson, laplace or another method by name",
    )
    parser.add_argument("--neighbors", type=int, default=10, metavar="K", help="neighbours per point (default 10)")
    parser.add_argument("--metric", default="euclidean", help="euclidean (default) or cosine")
    parser.add_argument("--search", default="auto", help="auto (default), exact or approximate")
    parser.add_argument(
        "--class-prior",
        default="",
        metavar="SHARES",
        help="known shares of the classes, such as cat=0.3,dog=0.7; labels then keep to them exactly",
    )
    parser.add_argument("--refine", choices=["mbo"], help="refine the labels at the class sizes (equal if not known)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read features and labels, answer, and write the result and, if asked for, the page."""
    from fewlabels.answer import answer
    from fewlabels.graph import Graph
    from fewlabels.labels import Seeds
    from fewlabels.methods import named_method
    from fewlabels.tabular import check_destination, read_features, read_labels, write_result

    inputs = [options.features, Path(options.labels)]
    check_destination(options.out, (".csv", ".parquet"), inputs)
    if options.report:
        check_destination(options.report, (".html", ".htm"), [*inputs, options.out])
    method = named_method(options.method, refine=options.refine)

    start = time.perf_counter()
    say(f"reading {options.features}")
    features = read_features(options.features, None if Path(options.labels).is_file() else options.labels)
    given = read_labels(options.labels, features)
    prior = _shares(options.class_prior, given.labels)
    seeds = Seeds.from_classes(given.rows, given.labels, class_prior=prior, balanced=True)
    say(f"connecting {features.n_points:,} points with their {options.neighbors} nearest")
    graph = Graph.from_features(features.X, options.neighbors, metric=options.metric, search=options.search)
    found = answer(graph, seeds, method.with_features(features.X), keep_sizes=prior is not None)
    decision = found.labelled
    write_result(options.out, _ids(features), decision.labels, decision.confidence, decision.reached)
    _tell(options, features, found, time.perf_counter() - start)
    if options.report:
        _write_page(options, features, found)
    return 0


def _tell(options: argparse.Namespace, features: FeatureFile, found: Answer, seconds: float) -> None:
    """Say what was labelled, and which points no label reaches."""
    from fewlabels.reach import unreached_sentence

    decision, seeds = found.labelled, found.seeds
    if not decision.reached.all():
        named = "row {}" if features.ids is None else "the point in row {}"
        said = unreached_sentence(found.graph, decision.reached, named, "--neighbors", found.unreached)
        warnings.warn(said, FewlabelsWarning, stacklevel=1)
    sys.stdout.write(
        f"{features.n_points:,} points labelled from {seeds.size} labels of {seeds.targets.shape[1]} classes "
        f"in {seconds:.1f} s: {options.out}\n"
        f"{_weighed(found)}"
        f"It would bet on {(decision.confidence >= BET).sum():,} of them, at {BET:.0%} confidence or more.\n"
    )


def _weighed(found: Answer) -> str:
    """Say in one line what was weighed, nothing where one method was told."""
    return f"Weighed: {'; '.join(map(str, found.chosen))}.\n" if found.chosen else ""


def _write_page(options: argparse.Namespace, features: FeatureFile, found: Answer) -> None:
    from fewlabels.files import replacing
    from fewlabels.report import Labelling, flat_map, labelling_page

    decision, seeds = found.labelled, found.seeds
    assert seeds.classes is not None
    drawn, places = flat_map(found.graph, seeds.indices)
    page = Labelling(
        title=f"{options.features.name}, labelled",
        method=f"{options.method}{', refined by MBO' if options.refine else ''}"
        f"{', class sizes kept' if options.class_prior else ''}, {options.neighbors} neighbours",
        classes=seeds.classes,
        codes=decision.codes,
        confidence=decision.confidence,
        reached=decision.reached,
        seeds=seeds.indices,
        ids=_ids(features),
        drawn=drawn,
        places=places,
        command=options.command,
        weighed=[str(each) for each in found.chosen],
    )
    with replacing(options.report) as file:
        file.write(labelling_page(page).encode())
    sys.stdout.write(f"page: {options.report}\n")


def _ids(features: FeatureFile) -> Sequence[Any]:
    return features.ids if features.ids is not None else range(features.n_points)


def _shares(text: str, labels: Any) -> list[float] | None:
    """Return the shares of the classes among the labels, in their order, from text such as cat=0.3,dog=0.7."""
    import numpy as np

    from fewlabels.label_entries import ordered_prior

    if not text:
        return None
    known = {}
    for part in listed(text):
        name, equals, share = part.rpartition("=")
        try:
            known[name.strip()] = float(share) if equals else float("")
        except ValueError:
            raise FewlabelsError(f"--class-prior {part!r} is not a class and its share, such as cat=0.3.") from None
    names = np.array([str(label) for label in labels])
    found = ordered_prior(known, names)
    order = {label: place for place, label in enumerate(np.unique(names).tolist())}
    return [found[order[str(label)]] for label in np.unique(np.asarray(labels)).tolist()]
