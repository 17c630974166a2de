"""Columns in different units: the one with the largest numbers decides which points are near each other."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fewlabels.tabular.feature_file import FeatureFile

__all__ = ["units_sentence"]

FAR_APART = 50.0
"""So many times as spread as the column in the middle; principal components are up to ten times, units a hundred."""

FEWEST_COLUMNS, SAMPLED = 3, 10_000


def units_sentence(features: FeatureFile) -> str | None:
    """Say which column hides the others, and what to do about it; None where none does.

    Examples
    --------
    >>> from pathlib import Path
    >>> X = np.array([[0.1, 3.0, 900.0], [0.2, 5.0, 100.0], [0.4, 4.0, 500.0]])
    >>> units_sentence(FeatureFile(Path("wines.csv"), X, names=["hue", "malic acid", "proline"]))
    "column 'proline' is 400 times as spread as the one in the middle and alone decides which points are near; bring the
    columns to one scale first, each less its mean and divided by its standard deviation."
    """
    X = features.X
    if sp.issparse(X) or X.shape[1] < FEWEST_COLUMNS:
        return None
    spread = np.asarray(X[:: max(1, len(X) // SAMPLED)], dtype=np.float64).std(axis=0)
    middle, widest = float(np.median(spread[spread > 0])) if spread.any() else 0.0, int(spread.argmax())
    if not spread[widest] > FAR_APART * middle > 0:
        return None
    name = features.names[widest] if features.names and features.names[widest] else widest
    return (
        f"column {name!r} is {spread[widest] / middle:,.0f} times as spread as the one in the middle and alone decides "
        "which points are near; bring the columns to one scale first, each less its mean and divided by its standard "
        "deviation."
    )
