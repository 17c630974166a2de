"""Hop counts on a graph in blocks: how many edges every node is from the nearest label, a round of tasks a hop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.right_sides import Labelled
from fewlabels.distributed.rows import BlockGraph, matrix_of, read_halo
from fewlabels.distributed.scratch import load, load_rows, save
from fewlabels.distributed.stages import Found, Stages
from fewlabels.errors import FewlabelsError

__all__ = ["Shells", "beyond_hops", "check_hops"]

Array = NDArray[Any]


@dataclass(frozen=True)
class Shells:
    """The nodes at least so many hops from every label, a number for each component; `hops-b.npy` holds all hops."""

    folder: Path
    least: Array

    def beyond(self, place: int, some: slice, component: Array, raw: Array) -> NDArray[np.bool_]:
        """Tell which of some rows of a block are among them."""
        hops = load_rows(self.folder / f"hops-{place}.npy", some.start, some.stop)
        return np.asarray(hops >= self.least[component])


def check_hops(hops: int | str) -> None:
    """Refuse what is no number of hops."""
    if isinstance(hops, str) and hops == "auto":
        return
    if not isinstance(hops, (int, np.integer)) or isinstance(hops, bool) or hops < -1:
        raise FewlabelsError(f"hops={hops!r} must be a whole number of at least -1, or 'auto'.")


def beyond_hops(stages: Stages, graph: BlockGraph, labelled: Labelled, nodes: NDArray[np.int64], hops: int) -> Shells:
    """Return the nodes more than so many edges from every label, as one machine does.

    A component whose nodes all lie within so many keeps its farthest shell, if others have an interface.
    """
    made = stages.run("hops", _start, graph.count, graph, labelled, nodes, hops)
    for hop in range(1, hops + 1):
        made = stages.run("hops", _hop, graph.count, graph, labelled, made.folder, hop, hops)
    beyond, farthest = made.sum("beyond"), np.max(made.all("farthest"), axis=0)
    if not beyond.any():
        most = int(farthest.max())
        raise FewlabelsError(
            f"hops={hops} leaves no interface: every node is within {most} hops of a label; use hops={most - 1} or "
            "less, or hops='auto'."
        )
    return Shells(made.folder, np.append(np.where(beyond > 0, hops + 1, farthest), 0))


def _start(folder: Path, place: int, graph: BlockGraph, labelled: Labelled, nodes: Array, hops: int) -> Found:
    found = np.full(graph.size(place), hops + 1, dtype=np.int32)
    here = (nodes >= graph.starts[place]) & (nodes < graph.starts[place + 1])
    found[nodes[here] - graph.starts[place]] = 0
    return _told(folder, place, graph, labelled, found, hops)


def _hop(folder: Path, place: int, graph: BlockGraph, labelled: Labelled, before: Path, hop: int, hops: int) -> Found:
    """Go one edge further."""
    found = load(before / f"hops-{place}.npy")
    halo = read_halo(lambda other: before / f"told-{other}.npy", graph, place, found)
    reached = np.concatenate([found, halo]) < hop
    W = matrix_of(graph, place)
    found[(W @ reached.astype(np.float64) > 0) & (found > hop)] = hop
    return _told(folder, place, graph, labelled, found, hops)


def _told(folder: Path, place: int, graph: BlockGraph, labelled: Labelled, found: Array, hops: int) -> Found:
    save(folder / f"hops-{place}.npy", found)
    save(folder / f"told-{place}.npy", found[load(graph.halo / f"outward-{place}.npy")])
    component = load(labelled.folder / f"component-{place}.npy")[: found.size]
    within, farthest = found <= hops, np.full(labelled.count + 1, -1)
    np.maximum.at(farthest, component[within], found[within])
    beyond = np.bincount(component[~within], minlength=labelled.count + 1)
    return {"beyond": beyond[: labelled.count], "farthest": farthest[: labelled.count]}
