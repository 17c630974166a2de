"""How sure labels may be on average, from what is known of them: one number for each component.

Labels that are drawn again and spread anew tell how stable an answer is, but only in part whether it is right: few
labels, classes of uneven sizes, contenders that disagree and labels left out move the number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.drawn import Redrawn
from fewlabels.graph import Graph
from fewlabels.volumes import evenness

__all__ = ["as_learnt", "bounded", "mean_confidence", "raised_where_uneven"]

LOST = 0.25
"""What given labels that do not come back take from the mean confidence."""

FEW_LABELS = 3.0
"""With m labels in a component, m^4 / (m^4 + this) of what is beyond chance is kept: two labels of two classes may lie
anywhere, however stable what they say is; from four on it hardly counts."""

MOSTLY_AGREED, DISAGREEING = 0.8, 0.5
"""Where methods of the graph and of the features agree on fewer nodes than this, the mean confidence falls by so much
of what is missing: on hard data each of them is stable, and sure of something else."""

LEARNT = {"confidence": 0.89, "labels": 0.09, "features": 0.18, "agreement": 0.12, "always": -0.99}
"""What the accuracy of the default depends on, in log-odds: those of its mean confidence and of its agreement with
classifiers of the features, and the logarithms of the numbers of labels and of features. By
benchmarks/learn_confidence.py on 41 data sets and sets made of them."""

MOST_LABELS, MOST_FEATURES, NEVER_SURE = 100, 64, 0.02
"""More labels or features count as so many, and shares stay so far from zero and one before they become log-odds."""


def mean_confidence(
    kept: NDArray[np.float64],
    returned: NDArray[np.float64],
    classes: NDArray[np.int64],
    labels: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the mean confidence of components.

    Parameters
    ----------
    kept, returned : ndarray
        The shares of nodes that keep their label and of given labels that come back, when labels are drawn again.
    classes, labels : ndarray of int
        The numbers of labelled classes and of labels.
    """
    wanted = kept * (1.0 - LOST + LOST * _beyond_chance(returned, classes))
    return _doubted(wanted, classes, labels)


def _doubted(wanted: NDArray[np.float64], classes: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return mean confidences of components, drawn towards a guess among their classes where there are few labels.

    Examples
    --------
    >>> _doubted(np.array([0.8, 0.8, 1.0]), np.array([2, 2, 1]), np.array([2, 9, 1])).round(3).tolist()
    [0.753, 0.8, 1.0]
    """
    chance = 1.0 / np.maximum(classes, 1)
    powers = labels.astype(np.float64) ** 4
    return np.asarray(chance + np.maximum(wanted - chance, 0.0) * powers / (powers + FEW_LABELS))


def raised_where_uneven(
    wanted: NDArray[np.float64],
    codes: NDArray[np.int64],
    graph: Graph,
    classes: NDArray[np.int64],
    labels: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return mean confidences of components, nearer to one the less even the class sizes of the answer are.

    A label that is drawn again of a small class is often a point of a large one, and spreads far, so that more points
    change their label than are wrong. With two classes, or one label of each, nothing is changed.
    """
    c = int(codes.max()) + 1
    sizes = np.bincount(graph.components * c + codes, minlength=graph.n_components * c).reshape(-1, c)
    several = np.maximum(1.0 - 2.0 / np.maximum(classes, 1), 0.0) * np.maximum(
        1.0 - classes / np.maximum(labels, 1), 0.0
    )
    return np.asarray(wanted + several * (1.0 - evenness(sizes, classes)) * (1.0 - wanted))


def bounded(wanted: NDArray[np.float64], classes: NDArray[np.int64], redrawn: Redrawn) -> NDArray[np.float64]:
    """Return mean confidences of components: less where graph and features disagree, within what labels left out say.

    Examples
    --------
    >>> told = Redrawn((), (), np.ones(3), np.array([0.9, 0.6, 0.6]), np.array([[0.9, 0.1, 0.1], [1.0, 1.0, 0.4]]))
    >>> bounded(np.full(3, 0.8), np.full(3, 2), told).round(3).tolist()
    [0.9, 0.7, 0.5]
    """
    chance = 1.0 / np.maximum(classes, 1)
    if redrawn.agreed is not None:
        lower = wanted - DISAGREEING * np.maximum(MOSTLY_AGREED - redrawn.agreed, 0.0)
        wanted = np.minimum(wanted, np.maximum(lower, chance))
    if redrawn.believable is not None:
        least, most = redrawn.believable
        wanted = np.clip(wanted, least, np.maximum(most, chance))
    return wanted


def _beyond_chance(shares: NDArray[np.float64], classes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return shares of right answers on a scale on which guessing among so many classes is zero.

    Examples
    --------
    >>> _beyond_chance(np.array([0.75, 0.2, 0.3]), np.array([2, 5, 1])).tolist()
    [0.5, 0.0, 0.3]
    """
    chance = np.where(classes > 1, 1.0 / np.maximum(classes, 1), 0.0)
    return np.asarray(np.maximum(shares - chance, 0.0) / (1.0 - chance))


def as_learnt(mean: float, labels: int, features: int, agreement: float, classes: int) -> float:
    """Return the mean confidence, or less where many data sets have taught that fewer labels are right than it says.

    With few features the graph has clusters that are none of the classes, however stable the answer is.

    Examples
    --------
    >>> round(as_learnt(0.9, labels=50, features=64, agreement=0.9, classes=10), 2)
    0.9
    >>> round(as_learnt(0.9, labels=4, features=5, agreement=0.8, classes=2), 2)
    0.81
    """
    odds = (
        LEARNT["confidence"] * _log_odds(mean)
        + LEARNT["labels"] * np.log(min(labels, MOST_LABELS))
        + LEARNT["features"] * np.log(min(features, MOST_FEATURES))
        + LEARNT["agreement"] * _log_odds(agreement)
        + LEARNT["always"]
    )
    share = (1.0 / (1.0 + np.exp(-odds)) - NEVER_SURE) / (1.0 - 2.0 * NEVER_SURE)
    return min(mean, max(float(share), 1.0 / classes))


def _log_odds(share: float) -> float:
    inside = NEVER_SURE + (1.0 - 2.0 * NEVER_SURE) * share
    return float(np.log(inside / (1.0 - inside)))
