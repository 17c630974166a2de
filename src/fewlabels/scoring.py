"""Scores over the rows that have a label: scikit-learn's own count unlabelled rows as wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.metrics import get_scorer

from fewlabels.errors import FewlabelsError
from fewlabels.label_entries import entries_of, without_label

__all__ = ["on_labelled"]

Scorer = Callable[[Any, Any, Any], float]


def on_labelled(scoring: str | Scorer = "accuracy") -> Scorer:
    """Return a scorer that leaves out the rows without a label.

    ``scoring="accuracy"`` of scikit-learn's searches compares every prediction with y, also where y says -1, None, NaN
    or "" for "not labelled", and counts it as wrong; ``scoring=on_labelled("accuracy")`` does not. The estimators'
    `score`, which is what searches use when `scoring` is not given, leaves such rows out as well.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier(strategy="constant", constant=1).fit([[0], [1]], [0, 1])
    >>> on_labelled("accuracy")(model, np.zeros((4, 1)), np.array([1, 0, -1, -1]))
    0.5
    """
    scorer = get_scorer(scoring)

    def score(estimator: Any, X: Any, y: Any) -> float:
        entries = entries_of(y)
        missing = np.isnan(entries.astype(float)) if is_regressor(estimator) else without_label(entries)
        rows = np.flatnonzero(~missing)
        if rows.size == 0:
            raise FewlabelsError("y has no labels to score against; give the true labels of some rows.")
        some = X.iloc[rows] if hasattr(X, "iloc") else np.asarray(X)[rows] if isinstance(X, (list, tuple)) else X[rows]
        kept = entries[rows]
        return float(scorer(estimator, some, np.array(kept.tolist()) if kept.dtype == object else kept))

    return score
