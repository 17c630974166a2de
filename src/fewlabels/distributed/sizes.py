"""Class sizes that are known, for scores in blocks: offsets from a sample, then the nodes that lose least are moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.spreading import Placed, Scores
from fewlabels.distributed.stages import Found, Stages
from fewlabels.errors import FewlabelsError
from fewlabels.volumes import class_sizes, size_offsets

__all__ = ["kept_sizes", "moves"]

SAMPLED = 200_000
"""Nodes whose scores tell the offsets; all of them up to so many."""

Array = NDArray[Any]


def kept_sizes(stages: Stages, where: Placed, scores: Scores) -> tuple[Array, tuple[Array, Array]]:
    """Return offsets of the classes, and nodes that take another class than argmax, so that sizes are exact."""
    seeds, n = where.seeds, scores.graph.n_nodes
    given = np.bincount(seeds.codes, minlength=seeds.prior.size)
    sizes = class_sizes(seeds.prior, n) - given
    if (sizes < 0).any():
        assert seeds.classes is not None
        least = int(sizes.argmin())
        raise FewlabelsError(
            f"class '{seeds.classes[least]}' has {given[least]} labels but its class prior is only "
            f"{seeds.prior[least]:.3g}, or {given[least] + sizes[least]} points; raise its share."
        )
    nothing = np.zeros(0, dtype=np.int64)
    if sizes.sum() == 0:
        return np.zeros(sizes.size), (nothing, nothing)
    every = -(-n // SAMPLED)
    count = scores.graph.count
    sample = np.concatenate(stages.run("class sizes", _sample, count, scores, where.nodes, every).all("scores"))
    offsets = size_offsets(sample, class_sizes(sizes / sizes.sum(), len(sample)))
    nodes, codes = nothing, nothing
    while True:
        have = stages.run("class sizes", _have, count, scores, where.nodes, offsets, nodes, codes).sum("have")
        if (have == sizes).all():
            return offsets, (nodes, codes)
        told = stages.run("class sizes", _movable, count, scores, where.nodes, offsets, nodes, codes, have, sizes)
        found = [np.concatenate(told.all(name)) for name in ("node", "from", "to", "loss")]
        chosen = moves(found[1], found[2], found[3], have, sizes)
        nodes, codes = np.concatenate([nodes, found[0][chosen]]), np.concatenate([codes, found[2][chosen]])


def moves(source: Array, to: Array, loss: Array, have: Array, sizes: Array) -> NDArray[np.int64]:
    """Return which moves to make, those that lose least first, while a class has too many and another too few.

    Examples
    --------
    >>> moves(np.array([0, 0]), np.array([1, 1]), np.array([0.5, 0.1]), np.array([2, 0]), np.array([1, 1])).tolist()
    [1]
    """
    have, chosen = have.copy(), []
    for place in np.argsort(loss, kind="stable").tolist():
        a, b = source[place], to[place]
        if have[a] > sizes[a] and have[b] < sizes[b]:
            have[a] -= 1
            have[b] += 1
            chosen.append(place)
    return np.array(chosen, dtype=np.int64)


def _free_rows(scores: Scores, place: int, labelled: Array) -> tuple[Array, Array]:
    """Return the nodes of a block without a label, and their scores."""
    start = scores.graph.starts[place]
    _, _, rows = scores.block(place)
    free = np.ones(len(rows), dtype=bool)
    here = (labelled >= start) & (labelled < start + len(rows))
    free[labelled[here] - start] = False
    return np.flatnonzero(free) + start, rows[free]


def _sample(folder: Path, place: int, scores: Scores, labelled: Array, every: int) -> Found:
    nodes, rows = _free_rows(scores, place, labelled)
    return {"scores": rows[nodes % every == 0]}


def _classed(
    scores: Scores, place: int, labelled: Array, offsets: Array, moved: Array, codes: Array
) -> tuple[Array, Array, Array]:
    """Return the nodes of a block without a label, their scores with the offsets, and their classes so far."""
    nodes, rows = _free_rows(scores, place, labelled)
    v = rows + offsets
    found = v.argmax(axis=1)
    at = np.searchsorted(nodes, moved)
    here = (at < nodes.size) & (nodes[np.minimum(at, nodes.size - 1)] == moved) if nodes.size else moved < 0
    found[at[here]] = codes[here]
    return nodes, v, found


def _have(
    folder: Path, place: int, scores: Scores, labelled: Array, offsets: Array, moved: Array, codes: Array
) -> Found:
    _, _, found = _classed(scores, place, labelled, offsets, moved, codes)
    return {"have": np.bincount(found, minlength=offsets.size)}


def _movable(
    folder: Path, place: int, scores: Scores, labelled: Array, offsets: Array, moved: Array, codes: Array,
    have: Array, sizes: Array,
) -> Found:  # fmt: skip
    """Tell the nodes of classes that have too many which lose least by a move to one that has too few."""
    nodes, v, found = _classed(scores, place, labelled, offsets, moved, codes)
    under = np.flatnonzero(have < sizes)
    rows = np.flatnonzero((have > sizes)[found] & ~np.isin(nodes, moved))
    gains = v[rows][:, under]
    loss = v[rows, found[rows]] - gains.max(axis=1, initial=-np.inf)
    some = np.argsort(loss, kind="stable")[: int(np.abs(have - sizes).sum())]
    return {
        "node": nodes[rows[some]],
        "from": found[rows[some]],
        "to": under[gains[some].argmax(axis=1)],
        "loss": loss[some],
    }
