"""From features in blocks and a few labels to an answer in blocks: all stages, one after the other."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.blocks import Blocks, sorted_blocks
from fewlabels.distributed.clusters import memory_of, shared_scratch, threads_of
from fewlabels.distributed.deciding import decide
from fewlabels.distributed.edges import find_edges
from fewlabels.distributed.hops import check_hops
from fewlabels.distributed.right_sides import System
from fewlabels.distributed.rows import BlockGraph, Pictured, block_graph
from fewlabels.distributed.scaled import with_system
from fewlabels.distributed.scratch import key_of, load, save
from fewlabels.distributed.sizes import kept_sizes
from fewlabels.distributed.solving import ClusterSolver
from fewlabels.distributed.sources import Source, of_array
from fewlabels.distributed.spreading import METHODS, Scores, placed, spread
from fewlabels.distributed.stages import Made, Stages, Told
from fewlabels.distributed.writing import gathered
from fewlabels.errors import FewlabelsError
from fewlabels.extras import optional
from fewlabels.labels import Seeds
from fewlabels.progress import say

__all__ = ["ClusterAnswer", "Settings", "label", "labelled", "refuse_one_class"]

BET = 0.9
PART_OF_MEMORY = 0.2
"""The part of a worker's memory that a block may take at its largest, while its edges are sorted."""


@dataclass(frozen=True)
class Settings:
    """How points are connected and labels spread; what a cluster does not offer is refused.

    Attributes
    ----------
    n_neighbors : int
    metric, search, weights : str
        As in :class:`fewlabels.Graph`.
    recall : float
    method : {"interface-laplace", "poisson", "laplace"}
    hops : int or "auto"
        As in :class:`fewlabels.methods.InterfaceLaplace`: "auto" takes balls around the labels.
    keep_sizes : bool
        Whether every class gets exactly its share of the prior.
    blocks : int, optional
        In how many blocks the rows are sorted; by default as many as the workers' memory asks for.
    """

    n_neighbors: int = 10
    metric: str = "euclidean"
    search: str = "auto"
    weights: str = "gaussian"
    recall: float = 0.95
    method: str = "interface-laplace"
    keep_sizes: bool = False
    blocks: int | None = None
    hops: int | str = "auto"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise FewlabelsError(
                f"method {self.method!r} is not offered on a cluster; choose one of {', '.join(METHODS)}, or leave "
                "--cluster out."
            )
        check_hops(self.hops)
        if self.hops != "auto" and self.method != "interface-laplace":
            raise FewlabelsError(f"hops are for interface-laplace; leave hops={self.hops!r} out for {self.method}.")
        if self.blocks is not None and self.blocks < 1:
            raise FewlabelsError(f"{self.blocks} blocks; give at least one.")


@dataclass(frozen=True, eq=False)
class ClusterAnswer:
    """What labels say about every row, in parts in the order of the input.

    Attributes
    ----------
    classes : ndarray
        The label that each code stands for.
    parts : Made
        `codes-p.npy`, `confidence-p.npy` and `reached-p.npy` of every piece of the input.
    scores : Scores
        In the order of the blocks.
    recall : float
        What the search found of the true neighbours of sampled points; one for exact search.
    unreached : int
        Rows that no label reaches.
    sure : int
        Rows whose confidence is at least 0.9.
    residuals : dict of float
        The largest |B - L X| / |B| of each kind of solve, measured when it was done.
    told : list of Told
        What each stage took.
    """

    source: Source
    classes: NDArray[Any]
    parts: Made
    blocks: Blocks
    graph: BlockGraph
    pictured: Pictured
    scores: Scores
    recall: float
    unreached: int
    sure: int
    residuals: dict[str, float]
    told: list[Told]

    def _array(self, name: str, kind: Any) -> Any:
        """Return what is known of each row as a dask array, read from the parts when it is asked for."""
        dask = optional("dask", extra="dask", what="a cluster")
        array = optional("dask.array", extra="dask", what="a cluster")
        read = dask.delayed(load)
        parts = [
            array.from_delayed(read(self.parts.folder / f"{name}-{place}.npy"), (piece.size,), dtype=kind)
            for place, piece in enumerate(self.source.pieces)
        ]
        return array.concatenate(parts)

    @property
    def codes(self) -> Any:
        """The column of each row's label among `classes`, a dask array."""
        return self._array("codes", np.int32)

    @property
    def confidence(self) -> Any:
        """The probability of each row's label, a dask array."""
        return self._array("confidence", np.float64)

    @property
    def reached(self) -> Any:
        """Whether any label reaches each row, a dask array."""
        return self._array("reached", np.bool_)


def label(
    client: Any,
    X: Any,
    seeds: Seeds,
    n_neighbors: int = 10,
    *,
    scratch: str | Path | None = None,
    **settings: Any,
) -> ClusterAnswer:
    """Label all rows of a dask array from a few labels, on the workers of a client.

    Parameters
    ----------
    client : distributed.Client
    X : dask array, shape (n, d)
        Rows in blocks.
    seeds : Seeds
        Labelled rows and their classes.
    n_neighbors : int
    scratch : path, optional
        A folder that the client and all workers see, where blocks are kept and a run that was ended goes on; by
        default a new one among the system's temporary files.
    **settings
        Further fields of :class:`Settings`.
    """
    offered = [each.name for each in fields(Settings)]
    if unknown := [name for name in settings if name not in offered]:
        raise FewlabelsError(f"{unknown[0]}= is not offered on a cluster, which takes {', '.join(offered)}.")
    chosen = Settings(n_neighbors, **settings)
    folder = shared_scratch(client, Path(scratch) if scratch is not None else Path(mkdtemp(prefix="fewlabels-")))
    stages = Stages(client, folder)
    refuse_one_class(seeds)
    return labelled(stages, of_array(stages, X, piece_bytes(client)), seeds, chosen)


def refuse_one_class(seeds: Seeds) -> None:
    """Refuse labels of a single class, from which nothing can be told apart."""
    if np.unique(seeds.codes).size < 2:
        raise FewlabelsError("all labels are of one class, which tells nothing apart; label a point of another class.")


def piece_bytes(client: Any) -> int:
    """Return how large a piece of rows may be that a worker reads at once."""
    return max(2**20, min(2**27, int(memory_of(client) / 24)))


def labelled(stages: Stages, source: Source, seeds: Seeds, settings: Settings) -> ClusterAnswer:
    """Do every stage for features in pieces."""
    seeds.check_fits(source.n_points)
    stages.rows = source.n_points
    memory, threads = memory_of(stages.client), max(1, len(threads_of(stages.client)))
    count = settings.blocks or _block_count(stages, source, seeds, settings)
    count = min(count, max(1, source.n_points // 2))
    blocks = sorted_blocks(stages, source, settings.metric, count)
    edges, recall = find_edges(
        stages, blocks, settings.n_neighbors, settings.metric, settings.search, settings.recall, settings.weights
    )
    graph, pictured = block_graph(stages, blocks, edges)
    graph = with_system(stages, graph, pictured.typical_degree)
    say(
        f"{graph.n_nodes:,} nodes, {pictured.n_edges:,} edges, {pictured.across:.0%} of them between blocks, halo of "
        f"{pictured.halo / graph.n_nodes:.2f} rows for each"
    )
    where = placed(stages, graph, pictured, seeds, blocks.places_of(stages, seeds.indices))
    system = System(graph, where.labelled)
    solver = ClusterSolver(stages, system, pictured, where.sizes, where.volumes, memory, threads)
    say(f"spreading {seeds.size} labels")
    scores = spread(stages, solver, where, settings.method, settings.hops)
    nothing = np.zeros(0, dtype=np.int64)
    offsets, moved = np.zeros(seeds.prior.size), (nothing, nothing)
    if settings.keep_sizes:
        offsets, moved = kept_sizes(stages, where, scores)
    parts = np.array([*(piece.first for piece in source.pieces), source.n_points])
    decided = decide(stages, solver, blocks, where, scores, parts, offsets, moved)
    written = gathered(stages, source, decided, BET)
    assert seeds.classes is not None
    unreached, sure = int(decided.numbers("unreached").sum()), int(written.numbers("sure").sum())
    return ClusterAnswer(
        source, seeds.classes, written, blocks, graph, pictured, scores, recall, unreached, sure, solver.residuals,
        stages.told,
    )  # fmt: skip


def _block_count(stages: Stages, source: Source, seeds: Seeds, settings: Settings) -> int:
    """Return how many blocks keep each within its part of a worker's memory, a multiple of the number of threads.

    What was chosen once stays: a run that goes on with other workers goes on with the same blocks.
    """
    memory, threads = memory_of(stages.client), max(1, len(threads_of(stages.client)))
    per_row = source.n_features * source.itemsize * 2 + 120 * settings.n_neighbors + 100 * seeds.prior.size
    needed = -(-source.n_points * per_row // int(PART_OF_MEMORY * memory))
    path = stages.scratch / f"{key_of('count', source, settings.n_neighbors, settings.metric, seeds.prior.size)}.npy"
    if not path.exists():
        save(path, np.array([threads * max(1, -(-needed // threads))]))
    return int(load(path)[0])
