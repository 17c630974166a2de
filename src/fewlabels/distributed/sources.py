"""Features in pieces of rows: files that people bring, or the blocks of a dask array, none of them read as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.distributed.scratch import load_rows, save, shape_of_file
from fewlabels.distributed.stages import Found, Stages
from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.checks import checked_features
from fewlabels.neighbors.metrics import named_metric
from fewlabels.tabular import read_features

__all__ = ["Piece", "Source", "Survey", "of_array", "of_files", "rows_of", "survey"]


@dataclass(frozen=True)
class Piece:
    """Some rows of an .npy file, the number of the first among all rows, and a file of ids where there is one."""

    path: Path
    start: int
    stop: int
    first: int
    ids: Path | None = None
    stamp: str = ""

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.stop - self.start


@dataclass(frozen=True)
class Source:
    """All features, as pieces of rows."""

    pieces: tuple[Piece, ...]
    n_features: int
    itemsize: int

    @property
    def n_points(self) -> int:
        """The number of rows of all pieces."""
        return self.pieces[-1].first + self.pieces[-1].size

    @property
    def has_ids(self) -> bool:
        """Whether rows have names of their own."""
        return self.pieces[0].ids is not None


def of_files(stages: Stages, paths: Sequence[Path], piece_bytes: int) -> Source:
    """Return the rows of several files as pieces; files other than .npy are read by workers, one whole file each."""
    others = [path for path in paths if path.suffix.lower() != ".npy"]
    if others and len(others) < len(paths):
        raise FewlabelsError("the files of features have different endings; give .npy files, or others of one kind.")
    if others:
        stamps = [_stamp(path) for path in paths]
        made = stages.run("reading", _read_file, len(paths), [str(path.resolve()) for path in paths], stamps)
        with_ids = made.numbers("has_ids")
        if with_ids.any() and not with_ids.all():
            bare = paths[int(with_ids.argmin())]
            raise FewlabelsError(f"{bare}: has no ids while other files do; give all of them ids, or none.")
        stored = [made.folder / f"x-{place}.npy" for place in range(len(paths))]
        ids = [made.folder / f"ids-{place}.npy" if with_ids[place] else None for place in range(len(paths))]
        return _cut(stored, ids, piece_bytes)
    return _cut(list(paths), [None] * len(paths), piece_bytes)


def _cut(paths: Sequence[Path], ids: Sequence[Path | None], piece_bytes: int) -> Source:
    pieces: list[Piece] = []
    width, itemsize, first = 0, 4, 0
    for path, names in zip(paths, ids, strict=True):
        shape, kind, by_column = shape_of_file(path)
        if len(shape) < 2 or by_column or kind.kind not in "fiub":
            said = "is stored column by column" if by_column else f"has shape {shape} and type {kind}"
            raise FewlabelsError(f"{path}: {said}; save one row of numbers per point, row by row.")
        columns = int(np.prod(shape[1:], dtype=np.int64))
        if width and columns != width:
            raise FewlabelsError(f"{path}: has {columns} features, {paths[0]} has {width}; all files need the same.")
        width, itemsize = columns, max(itemsize, 8 if kind.kind != "f" else kind.itemsize)
        step = max(1, piece_bytes // (columns * itemsize))
        stamp = _stamp(path)
        for start in range(0, shape[0], step):
            stop = min(start + step, shape[0])
            pieces.append(Piece(path.resolve(), start, stop, first + start, names, stamp))
        first += shape[0]
    if first < 2:
        raise FewlabelsError(f"{paths[0]}: has {first} rows in all; a graph needs at least two points.")
    return Source(tuple(pieces), width, itemsize)


def of_array(stages: Stages, X: Any, piece_bytes: int) -> Source:
    """Return a dask array's blocks of rows as pieces, stored by the workers."""
    if X.ndim != 2:
        raise FewlabelsError(f"features have shape {X.shape}; give one row per point and one column per feature.")
    X = X.rechunk({1: -1})
    if np.isnan(X.shape[0]):
        X = X.compute_chunk_sizes()
    blocks = X.to_delayed().ravel()
    made = stages.run_delayed("reading", _store, list(blocks), X.name)
    return _cut([made.folder / f"x-{place}.npy" for place in range(len(blocks))], [None] * len(blocks), piece_bytes)


def _store(folder: Path, place: int, block: Any) -> Found:
    X = checked_features(block, min_rows=0)
    _refuse_sparse(X, "the array")
    save(folder / f"x-{place}.npy", X)
    return {"rows": np.array(len(X))}


def _read_file(folder: Path, place: int, paths: list[str], stamps: list[str]) -> Found:
    path = Path(paths[place])
    found = read_features(path)
    _refuse_sparse(found.X, str(path))
    save(folder / f"x-{place}.npy", found.X)
    if found.ids is not None:
        whole = all(isinstance(each, int) for each in found.ids)
        save(folder / f"ids-{place}.npy", np.array(found.ids if whole else [str(each) for each in found.ids]))
    return {"has_ids": np.array(found.ids is not None)}


def _refuse_sparse(X: Any, where: str) -> None:
    if sp.issparse(X):
        raise FewlabelsError(f"{where}: sparse features are not offered on a cluster; reduce them to dense ones first.")


def _stamp(path: Path) -> str:
    """Return what tells a file from another of the same name."""
    if not path.is_file():
        raise FewlabelsError(f"{path}: no such file; give features that are there.")
    about = path.stat()
    return f"{path.resolve()} {about.st_size} {about.st_mtime_ns}"


def rows_of(piece: Piece, metric: str) -> NDArray[Any]:
    """Return a piece's rows, checked, as the metric compares them."""
    X = load_rows(piece.path, piece.start, piece.stop)
    try:
        return np.asarray(named_metric(metric).rows(checked_features(X.reshape(len(X), -1), min_rows=0)))
    except FewlabelsError as error:
        raise FewlabelsError(f"{piece.path}, rows from {piece.start} on: {error}") from None


@dataclass(frozen=True)
class Survey:
    """Rows drawn from all pieces, in files, for what is learned from a sample."""

    folder: Path
    pieces: int


def survey(stages: Stages, source: Source, metric: str, wanted: int) -> Survey:
    """Look at every row once, refuse what is no number, and keep a sample."""
    named_metric(metric)
    made = stages.run("survey", _sample, len(source.pieces), source, metric, wanted)
    return Survey(made.folder, len(source.pieces))


def _sample(folder: Path, place: int, source: Source, metric: str, wanted: int) -> Found:
    piece = source.pieces[place]
    X = rows_of(piece, metric)
    some = -(-wanted * piece.size // source.n_points)
    rows = np.random.default_rng(place).choice(len(X), size=min(some, len(X)), replace=False)
    save(folder / f"sample-{place}.npy", X[np.sort(rows)])
    return {"rows": np.array(len(X))}
