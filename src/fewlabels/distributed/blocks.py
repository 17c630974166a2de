"""Rows sorted into blocks: cells by k-means on a sample, balanced blocks of cells, a shuffle on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.scratch import discard, load, load_rows, save
from fewlabels.distributed.sources import Source, Survey, rows_of, survey
from fewlabels.distributed.stages import Found, Stages
from fewlabels.neighbors.cells import POINTS_IN_TRAINING, cell_centres, cell_count, nearest_cells
from fewlabels.neighbors.single import SinglePrecision
from fewlabels.progress import say

__all__ = ["Blocks", "bisected", "sorted_blocks"]


@dataclass(frozen=True)
class Blocks:
    """Points numbered by block, in a block by cell; `x-b.npy` holds a block's features, `rows-b.npy` their old numbers.

    Attributes
    ----------
    folder, cells : Path
        Where the blocks are, and where the cells' centres are.
    starts : tuple of int
        The number of the first point of each block, and the number of points at the end.
    first_cells : tuple of int
        The same for cells.
    """

    folder: Path
    cells: Path
    starts: tuple[int, ...]
    first_cells: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of blocks."""
        return len(self.starts) - 1

    @property
    def n_points(self) -> int:
        """The number of points."""
        return self.starts[-1]

    def size(self, block: int) -> int:
        """Return the number of points of a block."""
        return self.starts[block + 1] - self.starts[block]

    def cell_starts(self) -> NDArray[np.int64]:
        """Return the number of the first point of each cell, and the number of points at the end."""
        return load(self.folder / "cell-starts.npy")

    def features(self, start: int, stop: int) -> NDArray[Any]:
        """Return the features of points that are all in one block."""
        block = min(int(np.searchsorted(self.starts, start, side="right")), self.count) - 1
        return load_rows(self.folder / f"x-{block}.npy", start - self.starts[block], stop - self.starts[block])

    def places_of(self, stages: Stages, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers that some rows of the input have in the blocks."""
        found = np.full(rows.size, -1, dtype=np.int64)
        for told in stages.run("places", _places, self.count, self, rows).told:
            found[told["at"]] = told["places"]
        return found


def sorted_blocks(stages: Stages, source: Source, metric: str, count: int) -> Blocks:
    """Sort all rows into so many blocks of about one size."""
    n_cells = max(cell_count(source.n_points), count)
    looked = survey(stages, source, metric, POINTS_IN_TRAINING * n_cells)
    made = stages.run("cells", _cells, 1, looked, n_cells, count)
    first_cells = made.told[0]["first_cells"]
    say(f"dividing {source.n_points:,} points into {int(first_cells[-1]):,} cells, in {count} blocks")
    pieces = stages.run("sorting", _sort, len(source.pieces), source, metric, made.folder)
    counts = np.array(pieces.all("counts"))
    ends = np.hstack([np.zeros((len(counts), 1), dtype=np.int64), np.cumsum(counts, axis=1)])
    if not (pieces.folder / "ends.npy").exists():
        save(pieces.folder / "ends.npy", ends)
    cell_starts = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    first_cells = _without_empty(first_cells, cell_starts)
    found = stages.run("blocks", _block, first_cells.size - 1, pieces.folder, len(source.pieces), first_cells)
    discard(pieces.folder / f"{kind}-{place}.npy" for kind in ("x", "rows") for place in range(len(source.pieces)))
    if not (found.folder / "cell-starts.npy").exists():
        save(found.folder / "cell-starts.npy", cell_starts)
    starts = cell_starts[first_cells]
    return Blocks(found.folder, made.folder, tuple(map(int, starts)), tuple(map(int, first_cells)))


def _without_empty(first_cells: NDArray[np.int64], cell_starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where blocks begin, those without a point left out: where many rows are equal, cells may be empty.

    Examples
    --------
    >>> _without_empty(np.array([0, 2, 4, 6]), np.array([0, 0, 0, 5, 9, 9, 9])).tolist()
    [0, 6]
    """
    filled = np.flatnonzero(np.diff(cell_starts[first_cells]) > 0)
    return np.concatenate([[0], first_cells[filled[1:]], first_cells[-1:]])


def _cells(folder: Path, place: int, looked: Survey, count: int, blocks: int) -> Found:
    """Find the centres of cells, and an order of cells in which every block is a run of them."""
    X = np.concatenate([load(looked.folder / f"sample-{each}.npy") for each in range(looked.pieces)])
    precision = SinglePrecision(X)
    single = precision.of(X)
    count = min(count, len(X))
    centres = cell_centres(single, count)
    weights = np.bincount(nearest_cells(centres, single, 1).ravel(), minlength=count)
    order, first = bisected(centres, weights.astype(np.float64), blocks)
    save(folder / "centres.npy", centres[order])
    save(folder / "scale.npy", np.append(precision.centre, precision.scale))
    return {"first_cells": first}


def bisected(
    centres: NDArray[Any], weights: NDArray[np.float64], parts: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut points into parts of about one weight: in two across the direction in which they vary most, and so on.

    Returns the order in which each part is a run, and where the runs begin.

    Examples
    --------
    >>> order, first = bisected(np.array([[0.0], [3.0], [1.0], [2.0]]), np.ones(4), 2)
    >>> sorted(order[:2].tolist()) in ([0, 2], [1, 3]), first.tolist()
    (True, [0, 2, 4])
    """
    runs: list[NDArray[np.int64]] = []

    def cut(some: NDArray[np.int64], into: int) -> None:
        if into == 1:
            runs.append(some)
            return
        points = centres[some].astype(np.float64)
        points -= points.mean(axis=0)
        along = np.linalg.eigh(points.T @ points)[1][:, -1]
        some = some[np.argsort(points @ along, kind="stable")]
        left = into // 2
        total = np.cumsum(weights[some])
        at = int(np.searchsorted(total, total[-1] * left / into)) + 1
        at = min(max(at, left), some.size - (into - left))
        cut(some[:at], left)
        cut(some[at:], into - left)

    cut(np.arange(len(centres)), parts)
    return np.concatenate(runs), np.concatenate([[0], np.cumsum([run.size for run in runs])])


def nearest_cells_of(X: NDArray[Any], cells: Path, count: int = 1) -> NDArray[np.int64]:
    """Return the cells nearest to each row, nearest first."""
    scale = load(cells / "scale.npy")
    single = ((X - scale[:-1]) / scale[-1]).astype(np.float32)
    return nearest_cells(load(cells / "centres.npy"), single, count)


def _sort(folder: Path, place: int, source: Source, metric: str, cells: Path) -> Found:
    piece = source.pieces[place]
    X = rows_of(piece, metric)
    cell = nearest_cells_of(X, cells).ravel()
    order = np.argsort(cell, kind="stable")
    save(folder / f"x-{place}.npy", X[order])
    save(folder / f"rows-{place}.npy", piece.first + order)
    centres = len(load(cells / "centres.npy"))
    return {"counts": np.bincount(cell, minlength=centres)}


def _block(folder: Path, place: int, sorted_: Path, pieces: int, first_cells: NDArray[np.int64]) -> Found:
    """Bring together the rows of a block's cells from all pieces."""
    ends = load(sorted_ / "ends.npy")[:, first_cells[place] : first_cells[place + 1] + 1]
    parts = [(int(end[0]), int(end[-1])) for end in ends]
    cell = np.concatenate([np.repeat(np.arange(end.size - 1), np.diff(end)) for end in ends])
    order = np.argsort(cell, kind="stable")
    for kind in ("x", "rows"):
        found = [load_rows(sorted_ / f"{kind}-{piece}.npy", *parts[piece]) for piece in range(pieces)]
        save(folder / f"{kind}-{place}.npy", np.concatenate(found)[order])
    return {"size": np.array(order.size)}


def _places(folder: Path, place: int, blocks: Blocks, rows: NDArray[np.int64]) -> Found:
    mine = load(blocks.folder / f"rows-{place}.npy")
    order = np.argsort(mine)
    at = np.minimum(np.searchsorted(mine[order], rows), max(0, mine.size - 1))
    here = np.flatnonzero(mine[order][at] == rows) if mine.size else np.zeros(0, dtype=np.int64)
    return {"at": here, "places": blocks.starts[place] + order[at[here]] if mine.size else here}
