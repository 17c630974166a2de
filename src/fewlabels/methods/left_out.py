"""Labels left out: how many of the given labels the others give back, and how sure an answer may and must be by that.

Labels drawn again from an answer agree with it too easily where the classes do not follow the graph. Labels that were
left out do not: they are the only ones that the answer has not seen. There are few of them, so they are only bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from fewlabels.drawn import ranks
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.linear import linear_probabilities
from fewlabels.marks import order_by_mark
from fewlabels.methods.contenders import Problem, relabelled
from fewlabels.reach import reach_of
from fewlabels.targets import centred_targets

__all__ = ["believable_range", "parts_of_labels", "range_of_share"]

PARTS = 5
"""Labels are left out in so many parts, each with its share of every class."""

LOWER, UPPER = 0.1, 0.9
"""Between which quantiles the share that comes back is believed to lie, given how many labels were left out."""

MOST_WORK = 1_000_000
"""Labels times classes times features up to which logistic regression is asked, too."""

Flags = NDArray[np.bool_]


def believable_range(
    problem: Problem, features: Any = None, codes: NDArray[np.integer[Any]] | None = None
) -> NDArray[np.float64]:
    """Return for each component the least and the most mean confidence that labels left out speak for.

    They are zero and one where none can be left out. The answer is made of more labels and of more methods, so that it
    is hardly worse than what gives labels back that were left out.

    Poisson learning and, where there are features, logistic regression on them are asked; the better one counts. Labels
    of a class stand for as many nodes as have it among `codes`, the classes of all nodes: where most nodes are of one
    class, the labels of the others say little of the mean.
    """
    graph, seeds = problem.graph, problem.seeds
    counted, by_graph = np.zeros((2, seeds.size), dtype=bool)
    by_features = by_graph.copy()
    asked = features is not None and seeds.size * seeds.targets.shape[1] * features.shape[1] <= MOST_WORK
    at_labels = np.asarray(problem.columns[seeds.indices], dtype=np.float64)
    part = parts_of_labels(graph, seeds)
    for which in range(int(part.max()) + 1):
        out = part == which
        if out.all():
            continue
        rest = relabelled(seeds, seeds.indices[~out], seeds.codes[~out])
        here, code = seeds.indices[out], seeds.codes[out]
        possible = reach_of(graph, rest).columns[graph.components[here]]
        counted[out] = possible[np.arange(code.size), code]
        targets = centred_targets(graph, rest) * rest.class_weights
        by_graph[out] = _best(at_labels[np.ix_(out, ~out)] @ targets, possible) == code
        if asked:
            rows = linear_probabilities(features, rest, nodes=here)
            by_features[out] = _best(rows, possible) == code
    weights = _nodes_for_each(graph, seeds, counted, codes)
    component = graph.components[seeds.indices][counted]
    total, squares = (np.bincount(component, weights**power, graph.n_components).astype(np.float64) for power in (1, 2))
    right = [np.bincount(component, weights * flags[counted], graph.n_components) for flags in (by_graph, by_features)]
    # as many labels of equal weight would tell as much
    as_many = np.divide(total, squares, out=np.zeros_like(total), where=squares > 0)
    least, most = range_of_share(np.maximum(*right) * as_many, total * as_many)
    told_of = _share_told_of(graph, seeds, counted, codes)
    return np.array([least * told_of, 1.0 - (1.0 - most) * told_of])


def _nodes_for_each(
    graph: Graph, seeds: Seeds, counted: Flags, codes: NDArray[np.integer[Any]] | None
) -> NDArray[np.float64]:
    """Return how many nodes each of the labels that are counted stands for, one for each without classes of nodes."""
    if codes is None:
        return np.ones(int(counted.sum()))
    classes = seeds.targets.shape[1]
    of_labels = (graph.components[seeds.indices] * classes + seeds.codes)[counted]
    sizes = np.bincount(graph.components * classes + codes, minlength=graph.n_components * classes)
    labels = np.bincount(of_labels, minlength=sizes.size)
    return np.asarray(np.maximum(sizes[of_labels], 1) / labels[of_labels])


def _share_told_of(
    graph: Graph, seeds: Seeds, counted: Flags, codes: NDArray[np.integer[Any]] | None
) -> NDArray[np.float64]:
    """Return for each component the share of nodes whose class has labels that are counted; one without classes.

    Of the others, labels left out say nothing: each may be right or wrong.
    """
    if codes is None:
        return np.ones(graph.n_components)
    known = np.zeros((graph.n_components, seeds.targets.shape[1]))
    known[graph.components[seeds.indices][counted], seeds.codes[counted]] = 1.0
    total = np.bincount(graph.components, known[graph.components, codes], graph.n_components)
    return np.asarray(total / np.bincount(graph.components))


def parts_of_labels(graph: Graph, seeds: Seeds) -> NDArray[np.int64]:
    """Return the part in which each label is left out; one part has its share of each class of each component.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> sorted(parts_of_labels(path, Seeds.from_classes([0, 1, 4, 5], ["cat", "cat", "dog", "dog"])).tolist())
    [0, 0, 1, 1]
    """
    place = np.empty(graph.n_nodes, dtype=np.int64)
    place[order_by_mark(graph, 0)] = np.arange(graph.n_nodes)
    group = graph.components[seeds.indices] * seeds.targets.shape[1] + seeds.codes
    order = np.argsort(place[seeds.indices])
    parts = np.empty(seeds.size, dtype=np.int64)
    parts[order] = ranks(group[order]) % PARTS
    return parts


def _best(scores: NDArray[np.float64], possible: Flags) -> NDArray[np.int64]:
    return np.asarray(np.where(possible, scores, -np.inf).argmax(axis=1))


def range_of_share(right: NDArray[Any], total: NDArray[Any]) -> NDArray[np.float64]:
    """Return between which shares the one lies of which so many of a total are right, zero and one if there are none.

    Examples
    --------
    >>> range_of_share(np.array([0.0, 5.0, 10.0, 0.0]), np.array([10, 10, 10, 0])).round(2).tolist()
    [[0.0, 0.31, 0.88, 0.0], [0.12, 0.69, 1.0, 1.0]]
    """
    ends = betaincinv(right + 0.5, total - right + 0.5, np.array([[LOWER], [UPPER]]))
    return np.where(total > 0, ends, np.array([[0.0], [1.0]]))
