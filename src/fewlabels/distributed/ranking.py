"""Which nodes are surer than others: the confidences of a component, handed out in the order of what labels are worth.

One machine sorts all nodes. Here every block tells quantiles of both, which make a table from worth to confidence: the
mean, over the nodes of one worth, of the confidences at the same places in their order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.scratch import load, save
from fewlabels.distributed.stages import Found, Made

__all__ = ["ranked_tables", "read_tables", "sketched"]

QUANTILES = 8192
"""Quantiles that a block tells, of all components together."""

FEWEST = 256
Array = NDArray[Any]


def sketched(component: Array, worth: Array, sure: Array, count: int) -> Found:
    """Return both by component as quantiles with weights; all of them where there are few."""
    most = max(FEWEST, QUANTILES // max(1, count))
    found: dict[str, list[Array]] = {name: [] for name in ("component", "worth", "sure", "weight")}
    for each in range(count):
        here = component == each
        size = int(here.sum())
        if not size:
            continue
        some = min(most, size)
        at = ((np.arange(some) + 0.5) * size / some).astype(np.int64)
        found["component"].append(np.full(some, each))
        found["worth"].append(np.sort(worth[here])[at])
        found["sure"].append(np.sort(sure[here])[at])
        found["weight"].append(np.full(some, size / some))
    return {name: np.concatenate(each) if each else np.zeros(0) for name, each in found.items()}


def ranked_tables(told: Made, count: int) -> Path:
    """Write the table of each component, and return where."""
    component, worth, sure, weight = (
        np.concatenate(told.all(name)) for name in ("component", "worth", "sure", "weight")
    )
    parts = []
    for each in range(count):
        here = component == each
        if here.any():
            levels, values = ranked_levels(worth[here], sure[here], weight[here])
            parts.append(np.stack([np.full(levels.size, float(each)), levels, values], axis=1))
    save(told.folder / "tables.npy", np.concatenate(parts) if parts else np.zeros((0, 3)))
    return told.folder


def ranked_levels(worth: Array, sure: Array, weight: Array) -> tuple[Array, Array]:
    """Return each level of worth, and the mean of the confidences at the same ranks.

    Examples
    --------
    >>> levels, values = ranked_levels(np.array([3.0, 1.0, 1.0]), np.array([0.2, 0.9, 0.4]), np.ones(3))
    >>> levels.tolist(), values.round(6).tolist()
    ([1.0, 3.0], [0.3, 0.9])
    """
    by_sure = np.argsort(sure, kind="stable")
    ends = np.concatenate([[0.0], np.cumsum(weight[by_sure])])
    total = np.concatenate([[0.0], np.cumsum(sure[by_sure] * weight[by_sure])])
    levels, place = np.unique(worth, return_inverse=True)
    right = np.cumsum(np.bincount(place, weights=weight))
    left = np.concatenate([[0.0], right[:-1]])
    return levels, (np.interp(right, ends, total) - np.interp(left, ends, total)) / (right - left)


def read_tables(folder: Path, component: Array, worth: Array, sure: Array, free: NDArray[np.bool_]) -> Array:
    """Return the confidence of each node by its worth; those that are not free keep theirs."""
    tables, found = load(folder / "tables.npy"), sure.copy()
    for each in np.unique(tables[:, 0]):
        here, table = free & (component == each), tables[tables[:, 0] == each]
        found[here] = np.interp(worth[here], table[:, 1], table[:, 2])
    return found
