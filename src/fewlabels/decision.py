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
        The given label at seeds, the most probable one elsewhere.
    probabilities : ndarray, shape (n, c)
        Rows sum to one; one-hot at seeds, zero for classes without a label in the node's component, the prior where
        no label reaches.
    reached : ndarray of bool, shape (n,)
    """

    labels: NDArray[Any]
    probabilities: Block
    reached: NDArray[np.bool_]

    @property
    def confidence(self) -> NDArray[np.float64]:
        """The probability of the label given to each node."""
        return np.asarray(self.probabilities.max(axis=1))


def decide(scores: Block, graph: Graph, seeds: Seeds) -> Decision:
    """Turn a method's scores into labels and probabilities.

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
    rows = probabilities(scores, softness(scores, reach.possible), reach.possible)
    rows[~reach.nodes] = seeds.prior
    rows[seeds.indices] = seeds.targets
    return Decision(seeds.classes[rows.argmax(axis=1)], rows, reach.nodes)


def softness(scores: Block, possible: NDArray[np.bool_]) -> float:
    """Return the scale at which a difference in scores counts: a share of their root mean square about the row's mean.

    Examples
    --------
    >>> softness(np.array([[1.0, -1.0, 99.0]]), np.array([[True, True, False]]))
    0.35
    """
    counts = possible.sum(axis=1, keepdims=True)
    open_rows = counts.ravel() > 1
    if not open_rows.any():
        return 0.0
    allowed, kept = possible[open_rows], np.where(possible, scores, 0.0)[open_rows]
    centred = np.where(allowed, kept - kept.sum(axis=1, keepdims=True) / counts[open_rows], 0.0)
    return float(SHARPNESS * np.sqrt((centred**2).sum() / allowed.sum()))


def probabilities(scores: Block, scale: float, possible: NDArray[np.bool_]) -> Block:
    """Return softmax(scores / scale) over the classes that are possible in each row.

    Examples
    --------
    >>> probabilities(np.array([[0.0, 0.0, 9.0]]), 1.0, np.array([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    top = np.where(possible, scores, -np.inf).max(axis=1, keepdims=True)
    gaps = np.where(possible, scores - np.where(np.isfinite(top), top, 0.0), -np.inf)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        rows = np.exp(gaps / scale) if scale > 0 else (gaps == 0).astype(np.float64)
    total = rows.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(rows, total, out=np.full_like(rows, 1.0 / rows.shape[1]), where=total > 0))
