"""The graph in blocks of rows: each has its own rows, and the few of others that its edges lead to, its halo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from fewlabels.distributed.blocks import Blocks
from fewlabels.distributed.scratch import load, load_rows, save
from fewlabels.distributed.stages import Found, Made, Stages
from fewlabels.marks import mixed, own_marks
from fewlabels.systems.coarse import aggregate_count, aggregates

__all__ = ["BlockGraph", "Pictured", "block_graph", "matrix_of", "needed_by", "read_halo"]

MOST_AGGREGATES = 2500
"""Aggregates of the coarse picture at most: its inverse lives in one place, and so many take 50 MB."""

Array = NDArray[Any]


@dataclass(frozen=True)
class BlockGraph:
    """Where the graph's blocks are.

    Attributes
    ----------
    rows : Path
        Edges, degrees and halo of each block.
    halo : Path
        Which rows of a block others need, in the order in which they are written for them.
    around : Path
        What is known of own rows and halo together: degrees, aggregates, components.
    scaled : Path
        The system that solves step on (scaled.py).
    starts : tuple of int
    aggregates : tuple of int
        The number of the first aggregate of each block, and their number at the end.
    parts : tuple of int
        The same for connected parts of blocks.
    """

    rows: Path
    halo: Path
    around: Path
    starts: tuple[int, ...]
    aggregates: tuple[int, ...]
    parts: tuple[int, ...]
    scaled: Path = Path()

    @property
    def count(self) -> int:
        """The number of blocks."""
        return len(self.starts) - 1

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self.starts[-1]

    def size(self, block: int) -> int:
        """Return the number of nodes of a block."""
        return self.starts[block + 1] - self.starts[block]


@dataclass(frozen=True)
class Pictured:
    """What is small of a graph in blocks and lives in one place.

    Attributes
    ----------
    coarse : CSR array
        The Laplacian on the aggregates.
    coarse_component : ndarray of int
        The component of each aggregate in that matrix.
    component : ndarray of int
        The component of each part: the nodes of a block that are connected within it.
    volumes : ndarray
        The sum of degrees of each aggregate.
    typical_degree : float
    n_edges, halo : int
        Edges of the graph, and rows that blocks need of others in all.
    across : float
        The share of edges between blocks.
    """

    coarse: Any
    coarse_component: NDArray[np.int64]
    component: NDArray[np.int64]
    volumes: NDArray[np.float64]
    typical_degree: float
    n_edges: int
    halo: int
    across: float


def block_graph(stages: Stages, blocks: Blocks, edges: Made) -> tuple[BlockGraph, Pictured]:
    """Make the graph symmetric, block by block, and find what blocks need of each other."""
    count = blocks.count
    rows = stages.run("edges", _rows, count, blocks, edges.folder, np.array(edges.all("starts")))
    needed = np.array([np.diff(each) for each in rows.all("halo_starts")])
    halo = stages.run("halo", _outward, count, blocks.starts, rows.folder, np.array(rows.all("halo_starts")))
    if not (halo.folder / "needed.npy").exists():
        save(halo.folder / "needed.npy", needed)
    graph = BlockGraph(
        rows.folder, halo.folder, Path(), blocks.starts, _firsts(rows, "aggregates"), _firsts(rows, "parts")
    )
    around = stages.run("around", _around, count, graph)
    graph = replace(graph, around=around.folder)
    return graph, _pictured(graph, rows, around, needed)


def _firsts(made: Made, name: str) -> tuple[int, ...]:
    """Return where the numbers of each block's things begin, and where they end."""
    return tuple(map(int, np.concatenate([[0], np.cumsum(made.numbers(name))])))


def _pictured(graph: BlockGraph, rows: Made, around: Made, needed: Array) -> Pictured:
    k = graph.aggregates[-1]
    parts = [np.concatenate(around.all(name)) for name in ("from", "to", "weight")]
    W = sp.csr_array((parts[2], (parts[0].astype(np.int64), parts[1].astype(np.int64))), shape=(k, k))
    pairs = np.concatenate(around.all("joined"))
    n_parts = graph.parts[-1]
    joined = sp.csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n_parts, n_parts))
    between = W - sp.diags_array(W.diagonal())
    coarse = sp.csr_array(sp.diags_array(np.asarray(between.sum(axis=1)).ravel()) - between)
    n_edges = int(rows.numbers("entries").sum()) // 2
    volume = float(np.sum(rows.all("volume")))
    across = float(rows.numbers("entries_across").sum()) / max(1, 2 * n_edges)
    volumes = np.asarray(W.sum(axis=1)).ravel()
    return Pictured(
        coarse, _components(W), _components(joined), volumes, volume / graph.n_nodes, n_edges, int(needed.sum()), across
    )


def _components(W: Any) -> NDArray[np.int64]:
    return np.asarray(connected_components(W, directed=False)[1], dtype=np.int64)


def _rows(folder: Path, place: int, blocks: Blocks, edges: Path, starts: NDArray[np.int64]) -> Found:
    """Write (W + W') / 2 on a block's rows, their degrees, which other rows they need, and aggregates of the block."""
    start, stop = blocks.starts[place], blocks.starts[place + 1]
    ends = load(edges / f"ends-{place}.npy")
    mine, others, values = [ends[:, 1]], [ends[:, 0]], [load(edges / f"weights-{place}.npy")]
    for other in range(blocks.count):
        some = int(starts[other, place]), int(starts[other, place + 1])
        reverse = load_rows(edges / f"ends-{other}.npy", *some)
        mine.append(reverse[:, 0])
        others.append(reverse[:, 1])
        values.append(load_rows(edges / f"weights-{other}.npy", *some))
    i, j, w = np.concatenate(mine) - start, np.concatenate(others), np.concatenate(values) / 2
    del mine, others, values, ends
    inside = (j >= start) & (j < stop)
    halo = np.unique(j[~inside])
    column = np.where(inside, j - start, 0)
    column[~inside] = stop - start + np.searchsorted(halo, j[~inside])
    W = sp.csr_array((w, (i, column)), shape=(stop - start, stop - start + halo.size))
    W.sum_duplicates()
    _save_matrix(folder, place, W)
    save(folder / f"halo-{place}.npy", halo)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    save(folder / f"degrees-{place}.npy", degrees)
    own = sp.csr_array(W[:, : stop - start])
    most = min(aggregate_count(blocks.n_points), MOST_AGGREGATES)
    group = aggregates(own, max(1, int(most * (stop - start) / blocks.n_points))) if stop > start else np.zeros(0)
    group = np.unique(group, return_inverse=True)[1].astype(np.int64)
    save(folder / f"aggregate-{place}.npy", group)
    part = _components(own) if stop > start else group
    save(folder / f"part-{place}.npy", part)
    return {
        "halo_starts": np.searchsorted(halo, blocks.starts),
        "aggregates": np.array(int(group.max(initial=-1)) + 1),
        "parts": np.array(int(part.max(initial=-1)) + 1),
        "entries": np.array(W.nnz),
        "entries_across": np.array(W.nnz - own.nnz),
        "volume": np.array(degrees.sum()),
    }


def _save_matrix(folder: Path, place: int, W: Any) -> None:
    save(folder / f"indptr-{place}.npy", W.indptr.astype(np.int64))
    save(folder / f"indices-{place}.npy", W.indices.astype(np.int32))
    save(folder / f"data-{place}.npy", W.data)


def matrix_of(graph: BlockGraph, place: int) -> Any:
    """Return a block's rows of W, the columns its own rows and then its halo."""
    parts = [load(graph.rows / f"{name}-{place}.npy") for name in ("data", "indices", "indptr")]
    size = graph.size(place)
    width = size + int(load(graph.halo / "needed.npy")[place].sum())
    return sp.csr_array(tuple(parts), shape=(size, width))


def _outward(folder: Path, place: int, starts: Sequence[int], rows: Path, halo_starts: NDArray[np.int64]) -> Found:
    """Write which rows of a block others need, and what these are told once: degree, aggregate, part."""
    needed = [
        load_rows(rows / f"halo-{other}.npy", int(begin[place]), int(begin[place + 1])) - starts[place]
        for other, begin in enumerate(halo_starts)
    ]
    outward = np.concatenate(needed).astype(np.int64)
    save(folder / f"outward-{place}.npy", outward)
    known = np.stack([load(rows / f"{name}-{place}.npy") for name in ("degrees", "aggregate", "part")], axis=1)
    save(folder / f"known-{place}.npy", known[outward])
    return {"rows": np.array(outward.size)}


def needed_by(graph: BlockGraph, place: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the blocks that a block's halo is from, and which of the rows they write for others are its own."""
    needed = load(graph.halo / "needed.npy")
    ends = np.cumsum(needed, axis=0)[place]
    for other in np.flatnonzero(needed[place]).tolist():
        yield other, (int(ends[other] - needed[place, other]), int(ends[other]))


def read_halo(path_of: Any, graph: BlockGraph, place: int, like: Array) -> Array:
    """Read a block's halo from what each other block wrote to `path_of(block)`; an empty one is typed as `like`."""
    parts = [load_rows(path_of(other), *some) for other, some in needed_by(graph, place)]
    return np.concatenate(parts) if parts else np.empty((0, *like.shape[1:]), dtype=like.dtype)


def _around(folder: Path, place: int, graph: BlockGraph) -> Found:
    """Write what is known of own rows and halo; return the edges between aggregates."""
    degrees, group = load(graph.rows / f"degrees-{place}.npy"), load(graph.rows / f"aggregate-{place}.npy")
    part = load(graph.rows / f"part-{place}.npy") + graph.parts[place]
    halo = read_halo(lambda other: graph.halo / f"known-{other}.npy", graph, place, np.empty((0, 3)))
    block = np.repeat(np.arange(graph.count), load(graph.halo / "needed.npy")[place])
    first = np.array(graph.aggregates)
    group = np.concatenate([group + first[place], halo[:, 1].astype(np.int64) + first[block]])
    part = np.concatenate([part, halo[:, 2].astype(np.int64) + np.array(graph.parts)[block]])
    degrees = np.concatenate([degrees, halo[:, 0]])
    save(folder / f"degrees-{place}.npy", degrees)
    save(folder / f"aggregate-{place}.npy", group.astype(np.int32))
    save(folder / f"part-{place}.npy", part)
    W = matrix_of(graph, place)
    own = own_marks(degrees)
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(mixed(own)[W.indices])])
    save(folder / f"marks-{place}.npy", mixed(own[: W.shape[0]] + np.diff(sums[W.indptr])))
    W = W.tocoo()
    over = W.col >= W.shape[0]
    joined = np.unique(np.stack([part[W.row[over]], part[W.col[over]]], axis=1), axis=0)
    k = graph.aggregates[-1]
    small = sp.coo_array((W.data, (group[W.row], group[W.col])), shape=(k, k)).tocsr().tocoo()
    return {
        "from": small.row.astype(np.int32),
        "to": small.col.astype(np.int32),
        "weight": small.data,
        "joined": joined,
    }
