"""Columns that say nothing about a point: numbers of rows, and ids that several points share."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.tabular.names import ROW_NAMES

__all__ = ["counting_columns", "refuse_repeated", "said_of_counting"]

FEWEST_ROWS = 3
"""Of two rows, 0 and 1 may well be features."""


def counting_columns(X: NDArray[Any], names: Sequence[str]) -> list[int]:
    """Return the columns that only number the rows; at least one column is left.

    They count from 0 or 1, or are named row or index and hold a whole number of its own for every row.

    Examples
    --------
    >>> counting_columns(np.array([[0.5, 1], [0.1, 2], [0.9, 3]]), ["x", "n"])
    [1]
    """
    n = X.shape[0]
    if n < FEWEST_ROWS or X.shape[1] < 2:
        return []
    found = []
    for place, name in enumerate(names):
        column = X[:, place]
        counts = column[0] in (0, 1) and bool(np.array_equal(column, column[0] + np.arange(n)))
        if counts or (name.lower() in ROW_NAMES and _numbers_rows(column)):
            found.append(place)
    return found if len(found) < X.shape[1] else found[:1]


def _numbers_rows(column: NDArray[Any]) -> bool:
    whole = bool(np.isfinite(column).all()) and bool((column == np.floor(column)).all())
    return whole and np.unique(column).size == column.size


def said_of_counting(path: Path, names: Sequence[str], taken_as_id: bool) -> None:
    """Note which columns only number the rows, and what becomes of them."""
    many = len(names) > 1
    named = ", ".join(name or "without a name" for name in names)
    fate = "it is taken as the id and not as a feature" if taken_as_id else "it is left out of the features"
    warnings.warn(
        f"{path}: column{'s' * many} ({named}) only count{'s' * (not many)} the rows, so "
        f"{'they are left out of the features' if many else fate}.",
        FewlabelsWarning,
        stacklevel=3,
    )


def refuse_repeated(path: Path, ids: Sequence[Any] | None) -> None:
    """Refuse ids that do not tell points apart."""
    places: dict[str, int] = {}
    for row, name in enumerate(ids or ()):
        if isinstance(name, (bytes, dict, list)):
            raise FewlabelsError(f"{path}: the id of row {row} is neither text nor a number; give one of them.")
        key = str(name).strip()
        if key in places:
            raise FewlabelsError(
                f"{path}: id {key!r} stands in row {places[key]} and in row {row}; make the ids differ, name another "
                "column by --id, or drop the column, so that points are known by their row."
            )
        places[key] = row
