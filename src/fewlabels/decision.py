"""Scores -> labels and probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.reach import reach_of
from fewlabels.volumes import class_sizes, constrained_codes

__all__ = ["Decision", "decide", "probabilities", "softness"]

SHARPNESS = 0.35
"""Scores are divided by this share of their root mean square before the softmax; it calibrates MNIST."""

Block = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Decision:
    """A label and a confidence for every node.

    Attributes
    ----------
    labels : ndarray, shape (n,)
        The given label at seeds; elsewhere the most probable one, or the one that keeps to the class sizes.
    codes : ndarray of int, shape (n,)
        The column of each label.
    probabilities : ndarray, shape (n, c)
        Rows sum to one; one-hot at seeds, zero for classes without a label in the node's component, the prior where
        no label reaches.
    reached : ndarray of bool, shape (n,)
    offsets : ndarray, shape (c,)
        What was added to the scores of each class to give it its size; zero where sizes are free.
    """

    labels: NDArray[Any]
    codes: NDArray[np.int64]
    probabilities: Block
    reached: NDArray[np.bool_]
    offsets: NDArray[np.float64]

    @property
    def confidence(self) -> NDArray[np.float64]:
        """The probability of the label given to each node."""
        return np.asarray(np.take_along_axis(self.probabilities, self.codes[:, None], axis=1)[:, 0])


def decide(scores: Block, graph: Graph, seeds: Seeds, keep_sizes: bool = False) -> Decision:
    """Turn a method's scores into labels and probabilities.

    With `keep_sizes` every class gets exactly its share of the prior, given labels counted.

    Examples
    --------
    >>> graph = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> seeds = Seeds.from_classes([0, 2], ["cat", "dog"])
    >>> decide(np.array([[1.0, -1.0], [0.5, -0.5], [-1.0, 1.0]]), graph, seeds).labels.tolist()
    ['cat', 'cat', 'dog']
    """
    if seeds.classes is None:
        raise FewlabelsError("seeds carry values, not classes; for regression the scores are the answer.")
    reach = reach_of(graph, seeds)
    offsets, codes = np.zeros(scores.shape[1]), None
    if keep_sizes:
        codes, offsets = _with_sizes(scores, seeds)
    scale = softness(scores, reach.possible, graph.components)
    rows = probabilities(scores + offsets, scale, reach.possible)
    rows[~reach.nodes] = seeds.prior
    rows[seeds.indices] = seeds.targets
    codes = rows.argmax(axis=1) if codes is None else codes
    return Decision(seeds.classes[codes], codes, rows, reach.nodes, offsets)


def _with_sizes(scores: Block, seeds: Seeds) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return classes in the sizes of the prior, the given labels kept, and the offsets."""
    given = np.bincount(seeds.codes, minlength=scores.shape[1])
    sizes = class_sizes(seeds.prior, len(scores)) - given
    if (sizes < 0).any():
        assert seeds.classes is not None
        least = seeds.classes[int(sizes.argmin())]
        raise FewlabelsError(f"class {least!r} has more labels than its share of the points; raise its class_prior.")
    free = np.ones(len(scores), dtype=bool)
    free[seeds.indices] = False
    codes = np.empty(len(scores), dtype=np.int64)
    codes[seeds.indices] = seeds.codes
    codes[free], offsets = constrained_codes(scores[free], sizes)
    return codes, offsets


def softness(scores: Block, possible: NDArray[np.bool_], components: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for every node the scale at which a difference in its scores counts.

    It is a share of the root mean square of the scores about each row's mean, over the node's component, since scores
    of one component say nothing of another's.

    Examples
    --------
    >>> softness(np.array([[1.0, -1.0, 99.0]]), np.array([[True, True, False]]), np.array([0])).tolist()
    [0.35]
    """
    counts = possible.sum(axis=1)
    kept = np.where(possible, scores, 0.0)
    centred = np.where(possible, kept - (kept.sum(axis=1) / np.maximum(counts, 1))[:, None], 0.0)
    largest = float(np.abs(centred).max(initial=0.0)) or 1.0
    squares = np.bincount(components, weights=((centred / largest) ** 2).sum(axis=1))
    entries = np.bincount(components, weights=np.where(counts > 1, counts, 0))
    mean = np.divide(squares, entries, out=np.zeros_like(squares), where=entries > 0)
    return np.asarray(SHARPNESS * largest * np.sqrt(mean)[components])


def probabilities(scores: Block, scale: NDArray[np.float64], possible: NDArray[np.bool_]) -> Block:
    """Return softmax(scores / scale), a scale for each row, over the classes that are possible in it.

    Examples
    --------
    >>> probabilities(np.array([[0.0, 0.0, 9.0]]), np.ones(1), np.array([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    top = np.where(possible, scores, -np.inf).max(axis=1, keepdims=True)
    gaps = np.where(possible, scores - np.where(np.isfinite(top), top, 0.0), -np.inf)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        sharp = (gaps == 0).astype(np.float64)
        rows = np.where(scale[:, None] > 0, np.exp(gaps / np.where(scale > 0, scale, 1.0)[:, None]), sharp)
    total = rows.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(rows, total, out=np.full_like(rows, 1.0 / rows.shape[1]), where=total > 0))
