"""Confidence: how sure a label may be, from labels that are drawn again and spread anew.

As many labels are drawn again as were given, from the nodes that were just labelled, and spread anew (drawn.py). The
share of nodes that keep their label is the mean confidence, and what the new draws say is part of every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.drawn import Redrawn
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.mean_confidence import as_learnt, bounded, mean_confidence, raised_where_uneven
from fewlabels.reach import Reach
from fewlabels.soft import falling_roots, gaps_below_best, row_maxima, row_sums, softmax, softness
from fewlabels.threads import in_blocks_of_rows

__all__ = [
    "entries",
    "in_favour_of",
    "joined_rows",
    "rows_sampled",
    "scale_factors",
    "trusted_rows",
    "with_confidence",
]

OWN = 0.75
"""The part of a row that its own scores make; the rest is what labels drawn again say."""

MARGIN_ALONE = 0.5
"""Labels are ranked by their margin times this plus the probability that labels drawn again give them."""

TINY = 1e-300
FEWEST_SAMPLED, MOST_SAMPLED, ENTRIES_SAMPLED = 1000, 5000, 50_000
"""Nodes that tell the mean confidence of a component, and how many of their scores are looked at."""
WIDEST = 6.0
"""Scales are looked for within this many natural logarithms of the usual one."""

Block = NDArray[np.floating[Any]]


def trusted_rows(
    scores: Block, graph: Graph, seeds: Seeds, codes: NDArray[np.int64], reach: Reach, redrawn: Redrawn | None
) -> tuple[Block, NDArray[np.float64]]:
    """Return class probabilities that are as sure as the labels are stable, and the doubt about every label.

    The mean confidence of a component is the share of its nodes that keep their label when labels are drawn again, less
    a quarter as much as given labels do not come back more often than by chance, and nearer to chance with few labels.
    Of the default it is higher where the classes are of uneven sizes, lower where the graph and the features say
    different things, and within what labels left out speak for. In the end it is lowered to what so much evidence was
    worth on many data sets.

    Which nodes are surer than others is told by their margin and the new draws together: that ranks better than the
    rows themselves. The doubt is one less the distance between the two most probable classes, before nodes are ranked.
    """
    free = reach.nodes.copy()
    free[seeds.indices] = False
    if redrawn is None or not free.any():
        even = np.asarray(reach.possible / np.maximum(reach.possible.sum(axis=1, keepdims=True), 1))
        return even, np.ones(len(even))
    classes = reach.columns.sum(axis=1)
    labels = np.bincount(graph.components[seeds.indices], minlength=classes.size)
    wanted = mean_confidence(_means(redrawn.kept(codes), free, graph), redrawn.returned, classes, labels)
    if redrawn.believable is not None:
        wanted = raised_where_uneven(wanted, codes, graph, classes, labels)
    wanted = bounded(wanted, classes, redrawn)
    scale, of_blocks = _scales(scores, wanted, graph, reach, free), []
    for block in redrawn.blocks:
        of_blocks.append((block, _scales(block, wanted, graph, reach, free)))
    possible, rows = reach.possible, np.empty(scores.shape)
    worth, doubt = np.empty((2, len(scores)))

    def join(some: slice) -> None:
        mine, own, label = possible[some], scores[some], codes[some]
        again = [(block[some], its_scale[some]) for block, its_scale in of_blocks]
        rows[some], worth[some] = joined_rows((own, scale[some]), again, label, mine)
        doubt[some] = np.where(mine.sum(axis=1) > 1, 1.0 - _margins(rows[some], label, mine), 0.0)

    in_blocks_of_rows(len(scores), join)
    sure = _in_order_of(worth, entries(rows, codes), graph, free)
    if redrawn.by_features is not None:
        mean = float(sure[free].mean())
        learnt = as_learnt(mean, seeds.size, *redrawn.by_features, int(classes.max()))
        if learnt < mean:
            sure[free] = _lowered(sure[free], learnt)

    def hand_out(some: slice) -> None:
        rows[some] = with_confidence(rows[some], codes[some], sure[some], possible[some])

    in_blocks_of_rows(len(scores), hand_out)
    return rows, doubt


def joined_rows(
    own: tuple[Block, NDArray[np.float64]],
    again: Sequence[tuple[Block, NDArray[np.float64]]],
    codes: NDArray[np.int64],
    possible: NDArray[np.bool_],
) -> tuple[Block, NDArray[np.float64]]:
    """Return distributions from a node's own scores and those of labels drawn again, each with its scale.

    Returned beside them is what each label is worth: by this nodes are ranked.
    """
    drawn = np.zeros(own[0].shape)
    for block, scale in again:
        drawn += softmax(block, scale, possible) / len(again)
    rows = in_favour_of(codes, OWN * softmax(*own, possible) + (1.0 - OWN) * drawn)
    return rows, _margins(own[0], codes, possible) * (MARGIN_ALONE + entries(drawn, codes))


def entries(rows: NDArray[Any], codes: NDArray[np.int64]) -> NDArray[Any]:
    """Return each row's entry in the column of its class."""
    return np.asarray(np.take_along_axis(rows, codes[:, None], axis=1)[:, 0])


def _margins(scores: Block, codes: NDArray[np.int64], possible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how far the score of each row's class is above that of the next possible one, zero where it is not."""
    others = np.array(scores) if possible.all() else np.where(possible, scores, -np.inf)
    np.put_along_axis(others, codes[:, None], -np.inf, axis=1)
    gap = entries(scores, codes) - row_maxima(others)
    return np.asarray(np.where(np.isfinite(gap), np.maximum(gap, 0.0), 0.0))


def _in_order_of(
    worth: NDArray[np.float64], sure: NDArray[np.float64], graph: Graph, free: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the same confidences, handed out within each component in the order of what the labels are worth."""
    nodes = np.flatnonzero(free)
    component = graph.components[nodes]
    by_worth, by_sure = (_sorted_within(component, values[nodes], graph) for values in (worth, sure))
    steps = (np.diff(component[by_worth]) != 0) | (np.diff(worth[nodes][by_worth]) != 0)
    level = np.concatenate([[0], np.cumsum(steps)])
    found = sure.copy()
    found[nodes[by_worth]] = (np.bincount(level, weights=sure[nodes][by_sure]) / np.bincount(level))[level]
    return found


def _lowered(sure: NDArray[np.float64], wanted: float) -> NDArray[np.float64]:
    """Return confidences whose odds are all multiplied by one number, such that their mean is as wanted.

    Examples
    --------
    >>> _lowered(np.array([0.5, 0.8]), 0.5).round(3).tolist()
    [0.333, 0.667]
    """
    odds = sure / np.maximum(1.0 - sure, TINY)

    def too_sure_by(log_factor: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([np.mean(1.0 - 1.0 / (1.0 + np.exp(-log_factor[0]) * odds)) - wanted])

    factor = np.exp(-falling_roots(too_sure_by, np.array([-WIDEST]), np.array([WIDEST])))
    return np.asarray(1.0 - 1.0 / (1.0 + factor * odds))


def _sorted_within(component: NDArray[np.int64], values: NDArray[np.float64], graph: Graph) -> NDArray[np.int64]:
    return np.argsort(values, kind="stable") if graph.n_components == 1 else np.lexsort((values, component))


def with_confidence(
    rows: Block, codes: NDArray[np.int64], sure: NDArray[np.float64], possible: NDArray[np.bool_]
) -> Block:
    """Return distributions that give each row's class the confidence, and share out the rest as before.

    Where another class would get more than that, the rest is shared out more evenly.
    """
    others = np.array(rows, dtype=np.float64)
    np.put_along_axis(others, codes[:, None], 0.0, axis=1)
    rivals = possible.shape[1] - 1 if possible.all() else possible.sum(axis=1) - entries(possible, codes)
    total, left = row_sums(others), 1.0 - sure
    even = left / np.maximum(rivals, 1)
    some = total > TINY
    others *= np.divide(left, total, out=np.zeros_like(left), where=some)[:, None]
    if not some.all():
        others[~some] = even[~some, None] * possible[~some]
    top = row_maxima(others)
    at = np.flatnonzero(top > sure)
    share = np.minimum((top[at] - sure[at]) / np.maximum(top[at] - even[at], TINY), 1.0)[:, None]
    others[at] += share * (even[at, None] * possible[at] - others[at])
    np.put_along_axis(others, codes[:, None], sure[:, None], axis=1)
    return in_favour_of(codes, others)


def _means(values: NDArray[np.float64], where: NDArray[np.bool_], graph: Graph) -> NDArray[np.float64]:
    """Return the mean of the values over each component's nodes `where`, one where it has none."""
    nodes = graph.components[where]
    total = np.bincount(nodes, weights=values[where], minlength=graph.n_components)
    count = np.bincount(nodes, minlength=graph.n_components)
    return np.divide(total, count, out=np.ones(graph.n_components), where=count > 0)


def in_favour_of(codes: NDArray[np.int64], rows: Block) -> Block:
    """Return distributions in which the class that a row is labelled with is the most probable one.

    Examples
    --------
    >>> in_favour_of(np.array([0]), np.array([[0.4, 0.6]])).round(3).tolist()
    [[0.5, 0.5]]
    """
    found = rows / np.maximum(row_sums(rows), TINY)[:, None]
    at = np.flatnonzero(found.argmax(axis=1) != codes)
    mine = np.maximum(np.take_along_axis(found[at], codes[at, None], axis=1), 1e-9)
    others = np.minimum(found[at], mine * (1.0 - 1e-6))
    np.put_along_axis(others, codes[at, None], mine, axis=1)
    found[at] = others / others.sum(axis=1, keepdims=True)
    return np.asarray(found)


def _scales(
    scores: Block, wanted: NDArray[np.float64], graph: Graph, reach: Reach, free: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return for every node the scale that makes the mean largest entry of softmax(scores / scale) as wanted."""
    scale = softness(scores, reach.possible, graph.components)
    sampled = rows_sampled(scores.shape[1])
    sample = np.zeros(graph.n_nodes, dtype=bool)
    sample[:: max(1, graph.n_nodes // sampled)] = True
    sample[np.bincount(graph.components)[graph.components] < sampled] = True
    at = np.flatnonzero(sample & free)
    gaps = gaps_below_best(scores[at], scale[at], reach.possible[at])
    return np.asarray(scale_factors(gaps, graph.components[at], wanted)[graph.components] * scale)


def rows_sampled(columns: int) -> int:
    """Return how many rows of so many columns tell the mean confidence."""
    return max(FEWEST_SAMPLED, min(MOST_SAMPLED, ENTRIES_SAMPLED // columns))


def scale_factors(gaps: Block, components: NDArray[np.int64], wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by what the scale of each component is multiplied for the mean largest entry of softmax to be as wanted.

    Parameters
    ----------
    gaps : ndarray, shape (sampled, c)
        How far scores are below the best of their row, in units of the scale.
    components : ndarray of int, shape (sampled,)
    wanted : ndarray, shape (components,)
    """
    count, gaps = np.bincount(components, minlength=wanted.size), gaps.astype(np.float32)

    def too_sure_by(log_scale: NDArray[np.float64]) -> NDArray[np.float64]:
        confidence = 1.0 / row_sums(np.exp(np.exp(-log_scale).astype(np.float32)[components, None] * gaps))
        total = np.bincount(components, weights=confidence, minlength=wanted.size)
        return np.divide(total, count, out=np.ones(wanted.size), where=count > 0) - wanted

    return np.exp(falling_roots(too_sure_by, np.full(wanted.size, -WIDEST), np.full(wanted.size, WIDEST)))
