"""Logistic regression on the features of the labelled points: what one would do without a graph."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.labels import Seeds

__all__ = ["linear_probabilities"]

MOST_STEPS, TOL = 100, 1e-3


def linear_probabilities(features: Any, seeds: Seeds) -> NDArray[np.float64]:
    """Return class probabilities of every row of the features, dense or sparse, shape (n, c).

    A class without a label has probability zero.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> linear_probabilities(X, Seeds.from_classes([0, 3], ["low", "high"])).argmax(axis=1).tolist()
    [1, 1, 0, 0]
    """
    from sklearn.linear_model import LogisticRegression

    rows = np.zeros((features.shape[0], seeds.targets.shape[1]))
    known = np.unique(seeds.codes)
    if known.size == 1:
        rows[:, known] = 1.0
        return rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(max_iter=MOST_STEPS, tol=TOL).fit(features[seeds.indices], seeds.codes)
        rows[:, known] = model.predict_proba(features)
    return rows
