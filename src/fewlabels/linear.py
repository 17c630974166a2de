"""Logistic regression on the features of the labelled points: what one would do without a graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.labels import Seeds
from fewlabels.threads import in_blocks_of_rows

__all__ = ["linear_probabilities"]

MOST_STEPS, TOL = 100, 1e-3

Block = NDArray[np.float64]


def linear_probabilities(
    features: Any, seeds: Seeds, *, known: Block | None = None, averaged: Callable[[Block], Block] | None = None
) -> Block:
    """Return class probabilities of every row of the features, dense or sparse, shape (n, c).

    A class without a label has probability zero.

    Parameters
    ----------
    known : ndarray, shape (m, d), optional
        Rows to learn from in place of those of the labelled points.
    averaged : callable, optional
        A linear map of columns over all rows that keeps constants, such as a mean over neighbours: the features are
        taken through it. Since a linear classifier is linear in them, its c columns are taken through it instead.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> linear_probabilities(X, Seeds.from_classes([0, 3], ["low", "high"])).argmax(axis=1).tolist()
    [1, 1, 0, 0]
    """
    from sklearn.linear_model import LogisticRegression

    rows = np.zeros((features.shape[0], seeds.targets.shape[1]))
    classes = np.unique(seeds.codes)
    if classes.size == 1:
        rows[:, classes] = 1.0
        return rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(max_iter=MOST_STEPS, tol=TOL)
        model.fit(features[seeds.indices] if known is None else known, seeds.codes)
    exactness = features.dtype if features.dtype.kind == "f" else np.float64
    coefficients = model.coef_.T.astype(exactness)
    slopes = np.empty((features.shape[0], coefficients.shape[1]))

    def climb(some: slice) -> None:
        slopes[some] = features[some] @ coefficients

    in_blocks_of_rows(len(slopes), climb)
    slopes = slopes if averaged is None else averaged(slopes)

    def soften(some: slice) -> None:
        scores = slopes[some] + model.intercept_
        if classes.size == 2:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        rows[some, classes] = scores / scores.sum(axis=1, keepdims=True)

    in_blocks_of_rows(len(slopes), soften)
    return rows
