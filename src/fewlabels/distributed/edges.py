"""Edges of the points of a block: neighbours from the cells around, and their weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.distributed.blocks import Blocks
from fewlabels.distributed.scratch import load, room, save
from fewlabels.distributed.stages import Found, Made, Stages
from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.approximate import RECALL_MARGIN, SAMPLED_ROWS
from fewlabels.neighbors.backends import EXACT_UP_TO, named_search
from fewlabels.neighbors.cells import nearest_cells, probes_for
from fewlabels.neighbors.copies import COPIES_LISTED, beyond_copies
from fewlabels.neighbors.exact import DenseExact
from fewlabels.neighbors.metrics import named_metric
from fewlabels.neighbors.pairs import NearestLists
from fewlabels.neighbors.ranking import EXTRA_CANDIDATES, exact_distances, ranked
from fewlabels.neighbors.single import SinglePrecision
from fewlabels.neighbors.table import Neighbors
from fewlabels.progress import say
from fewlabels.threads import one_blas_thread, run_in_threads
from fewlabels.weights import edge_weights

__all__ = ["Looking", "find_edges"]

Array = NDArray[Any]
Pair = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Indices and distances of neighbours."""

ROOM = 0.12
"""The part of a worker's memory that points around some cells may take."""

CELLS_OF_COPIES = 8
"""Cells around a repeated row's own in which the nearest distinct rows are looked for."""

MOST_AROUND = 4096
"""Cells around a point's own whose order is looked at, at most."""


@dataclass(frozen=True)
class Looking:
    """How neighbours are looked for: how many, in how many cells (zero for all points), by which metric."""

    n_neighbors: int
    probes: int
    metric: str
    weights: str


def find_edges(
    stages: Stages, blocks: Blocks, n_neighbors: int, metric: str, search: str, recall: float, weights: str
) -> tuple[Made, float]:
    """Find the neighbours of all points; return the edges and the recall measured on sampled points."""
    named_search(search)
    if search not in ("auto", "exact", "approximate"):
        raise FewlabelsError(f"search={search!r} is not offered on a cluster; use auto, exact or approximate.")
    if n_neighbors < 1:
        raise FewlabelsError(f"{n_neighbors} neighbours; give a whole number, at least one neighbour per point.")
    k = min(n_neighbors, blocks.n_points - 1)
    exact = search == "exact" or (search == "auto" and blocks.n_points <= EXACT_UP_TO)
    probes, reached = (0, 1.0) if exact else _probes(stages, blocks, k, recall)
    made = stages.run("neighbours", _edges, blocks.count, blocks, Looking(k, probes, metric, weights))
    return made, reached


def _probes(stages: Stages, blocks: Blocks, k: int, recall: float) -> tuple[int, float]:
    """Return how many cells hold the wanted share of the neighbours of sampled points."""
    n = blocks.n_points
    rows = np.sort(np.random.default_rng(0).choice(n, size=min(SAMPLED_ROWS, n), replace=False))
    sample = stages.run("sample", _sampled, 1, blocks, rows)
    looked = stages.run("recall", _nearest_in, blocks.count, blocks, sample.folder, rows, k)
    indices, distances = np.hstack(looked.all("indices")), np.hstack(looked.all("distances"))
    order = np.lexsort((indices, distances), axis=1)[:, :k]
    truth = np.take_along_axis(indices, order, axis=1)
    starts = blocks.cell_starts()
    cell = np.searchsorted(starts, truth, side="right") - 1
    own = np.searchsorted(starts, rows, side="right") - 1
    centres = load(blocks.cells / "centres.npy")
    around = _around(centres, own)
    rank = np.full((rows.size, len(centres)), around.shape[1], dtype=np.int64)
    np.put_along_axis(rank, around, np.arange(around.shape[1])[None, :], axis=1)
    probes, reached = probes_for(np.take_along_axis(rank, cell, axis=1), recall + RECALL_MARGIN * (1.0 - recall))
    say(f"looking into {probes} of {len(centres)} cells per point finds {reached:.1%} of the neighbours")
    return min(probes, around.shape[1]), reached


def _around(centres: NDArray[np.float32], cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cells around some cells, each itself first."""
    around = nearest_cells(centres, centres[cells], min(len(centres), MOST_AROUND))
    at = np.argmax(around == cells[:, None], axis=1)
    around[np.arange(cells.size), at] = around[:, 0]
    around[:, 0] = cells
    return around


def _sampled(folder: Path, place: int, blocks: Blocks, rows: NDArray[np.int64]) -> Found:
    save(folder / "x.npy", np.concatenate([blocks.features(row, row + 1) for row in rows.tolist()]))
    return {"rows": np.array(rows.size)}


def _nearest_in(folder: Path, place: int, blocks: Blocks, sample: Path, rows: NDArray[np.int64], k: int) -> Found:
    """Return the nearest points of a block to some points, these themselves left out."""
    start, stop = blocks.starts[place], blocks.starts[place + 1]
    indices, distances = _nearest(load(sample / "x.npy"), rows, blocks.features(start, stop), start, k)
    return {"indices": indices, "distances": distances}


def _nearest(Q: Array, numbers: Array, X: Array, start: int, k: int) -> Pair:
    """Return the k nearest of the points numbered from `start` on, infinitely far where there are fewer."""
    own = numbers - start
    inside = (own >= 0) & (own < len(X))
    wanted = min(k, len(X) - int(inside.any()))
    indices = np.zeros((len(Q), k), dtype=np.int64)
    distances = np.full((len(Q), k), np.inf)
    if wanted > 0:
        found = DenseExact(X).nearest(Q, wanted, np.where(inside, own, -1))
        indices[:, :wanted], distances[:, :wanted] = found[0] + start, found[1]
    return indices, distances


def _edges(folder: Path, place: int, blocks: Blocks, looking: Looking) -> Found:
    """Write a block's edges, by the block of their far end, with the weights that this end gives them."""
    find = _from_cells if looking.probes else _from_all
    found = _beyond_copies(blocks, place, find(blocks, place, looking), looking)
    distances = named_metric(looking.metric).distances(found.distances)
    weights = edge_weights(distances, looking.weights)
    rows = np.repeat(np.arange(blocks.starts[place], blocks.starts[place + 1]), found.indices.shape[1])
    ends, values = found.indices.ravel(), weights.ravel()
    order = np.argsort(ends, kind="stable")
    save(folder / f"ends-{place}.npy", np.stack([ends[order], rows[order]], axis=1))
    save(folder / f"weights-{place}.npy", values[order])
    return {"starts": np.searchsorted(ends[order], blocks.starts), "copies": np.array((distances[:, 0] == 0).sum())}


def _from_all(blocks: Blocks, place: int, looking: Looking) -> Neighbors:
    """Return the nearest of all points, block after block."""
    k = looking.n_neighbors
    numbers = np.arange(blocks.starts[place], blocks.starts[place + 1])
    Q = blocks.features(blocks.starts[place], blocks.starts[place + 1])
    indices, distances = np.zeros((len(Q), 0), dtype=np.int64), np.zeros((len(Q), 0))
    for other in range(blocks.count):
        start = blocks.starts[other]
        X = Q if other == place else blocks.features(start, blocks.starts[other + 1])
        found = _nearest(Q, numbers, X, start, k)
        indices, distances = np.hstack([indices, found[0]]), np.hstack([distances, found[1]])
        order = np.lexsort((indices, distances), axis=1)[:, :k]
        indices, distances = np.take_along_axis(indices, order, axis=1), np.take_along_axis(distances, order, axis=1)
    return Neighbors.owning(indices, distances)


def _from_cells(blocks: Blocks, place: int, looking: Looking) -> Neighbors:
    """Return the nearest points in the cells around each cell of a block, several cells at a time."""
    k, starts = looking.n_neighbors, blocks.cell_starts()
    sizes = np.diff(starts)
    cells = np.arange(blocks.first_cells[place], blocks.first_cells[place + 1])
    cells = cells[sizes[cells] > 0]
    around = _around(load(blocks.cells / "centres.npy"), cells)
    enough = (np.cumsum(sizes[around], axis=1) <= k).sum(axis=1) + 1
    near = [row[: max(looking.probes, few)] for row, few in zip(around, enough.tolist(), strict=True)]
    indices, distances = np.zeros((blocks.size(place), k), dtype=np.int64), np.zeros((blocks.size(place), k))
    row_bytes = 12 * blocks.features(0, 1).shape[1] + 24 * k
    for some in _batches(near, sizes, room(ROOM) // row_bytes):
        numbers, X = _points_in(blocks, starts, np.unique(np.concatenate([near[each] for each in some])))
        place_of = np.searchsorted(numbers, starts)
        mine = [range(place_of[cells[each]], place_of[cells[each]] + sizes[cells[each]]) for each in some]
        others = [np.concatenate([np.arange(place_of[c], place_of[c] + sizes[c]) for c in near[each]]) for each in some]
        own = np.concatenate([np.asarray(each) for each in mine])
        found = _nearest_of_cells(X, mine, others, own, k)
        rows = numbers[own] - blocks.starts[place]
        indices[rows], distances[rows] = numbers[found[0]], found[1]
    return Neighbors.owning(indices, distances)


def _batches(near: Sequence[Array], sizes: Array, most: int) -> Iterator[range]:
    """Yield runs of cells that together have at most so many points around them, at least one cell each."""
    first, held, total = 0, np.zeros(sizes.size, dtype=bool), 0
    for each, cells in enumerate(near):
        added = int(sizes[cells[~held[cells]]].sum())
        if each > first and total + added > most:
            yield range(first, each)
            first, total = each, 0
            held[:] = False
            added = int(sizes[cells].sum())
        held[cells] = True
        total += added
    if first < len(near):
        yield range(first, len(near))


def _nearest_of_cells(X: Array, mine: Sequence[range], others: Sequence[Array], own: Array, k: int) -> Pair:
    """Return the k nearest of some points for each range of points, each from its own candidates."""
    if not kernels_at_hand():
        parts = []
        for some, near in zip(mine, others, strict=True):
            at, inside = np.sort(near), np.asarray(some)
            found = DenseExact(X[at]).nearest(X[inside], k, np.searchsorted(at, inside))
            parts.append((at[found[0]], found[1]))
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    lists = NearestLists(SinglePrecision(X).of(X), np.arange(len(X)), k + EXTRA_CANDIDATES)
    with one_blas_thread():
        run_in_threads(
            [partial(lists.compare, some, near, both=False) for some, near in zip(mine, others, strict=True)]
        )
    near_each = lists.found()[own]
    return ranked(lambda some: near_each[some], X[own], X, k, own, exact_distances)


def _points_in(blocks: Blocks, starts: Array, cells: Array) -> tuple[Array, Array]:
    """Return the numbers and features of all points in some cells; cells that follow one another are read together."""
    cuts = np.flatnonzero((np.diff(cells) > 1) | np.isin(cells[1:], blocks.first_cells)) + 1
    runs = [(int(starts[run[0]]), int(starts[run[-1] + 1])) for run in np.split(cells, cuts)]
    numbers = [np.arange(*run) for run in runs]
    return np.concatenate(numbers), np.concatenate([blocks.features(*run) for run in runs if run[1] > run[0]])


def _beyond_copies(blocks: Blocks, place: int, found: Neighbors, looking: Looking) -> Neighbors:
    """Replace the neighbours of repeated rows, as one machine does, by what the cells around theirs hold."""
    k, start = looking.n_neighbors, blocks.starts[place]
    kind = blocks.features(start, start + 1).dtype
    equal = named_metric(looking.metric).rounding * float(np.finfo(kind).eps)
    repeated = np.flatnonzero(found.distances[:, max(1, int(COPIES_LISTED * k)) - 1] <= equal)
    if k == 1 or not repeated.size:
        return found
    indices, distances = found.indices.copy(), found.distances.copy()
    starts = blocks.cell_starts()
    cell = np.searchsorted(starts, repeated + start, side="right") - 1
    cells = np.unique(cell)
    for each, near in zip(cells.tolist(), _around(load(blocks.cells / "centres.npy"), cells), strict=True):
        enough = int((np.cumsum(np.diff(starts)[near]) <= k).sum()) + 1
        numbers, X = _points_in(blocks, starts, np.sort(near[: max(CELLS_OF_COPIES, enough)]))
        known = beyond_copies(DenseExact(X).among_themselves(k), X, lambda some: DenseExact(some).of, equal)
        own = repeated[cell == each]
        at = np.searchsorted(numbers, own + start)
        indices[own], distances[own] = numbers[known.indices[at]], known.distances[at]
    return Neighbors.owning(indices, distances)
