"""Data like users': tables, cells and texts, one file each in the folder `suite` of the data folder."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.datasets.folder import data_folder
from fewlabels.errors import FewlabelsError
from fewlabels.files import load_arrays

__all__ = ["draw_as_they_come", "load_suite", "suite_draw", "suite_names"]

LABELS_A_CLASS = 5
"""How many labels come for each class, were the classes of one size."""


def suite_names() -> list[str]:
    """Return the names of the sets that are there; refuse where there are none."""
    folder = data_folder() / "suite"
    names = sorted(path.stem for path in folder.glob("*.npz"))
    if not names:
        raise FewlabelsError(f"{folder}: holds no data; set FEWLABELS_DATA to a folder that has suite/NAME.npz.")
    return names


def load_suite(name: str) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return features and classes of a set, from arrays X and y."""
    path = data_folder() / "suite" / f"{name}.npz"
    arrays = load_arrays(path, "features X and classes y")
    if not {"X", "y"} <= arrays.keys() or arrays["X"].ndim != 2 or arrays["y"].shape != arrays["X"].shape[:1]:
        raise FewlabelsError(f"{path}: must hold X, a row per point, and y, a class for each.")
    return arrays["X"], arrays["y"].astype(np.int64)


def suite_draw(y: NDArray[np.int64], per_class: int, t: int) -> NDArray[np.int64]:
    """Return the labelled points of trial t, so many of each class; the same on every machine.

    Examples
    --------
    >>> y = np.arange(20) % 2
    >>> y[suite_draw(y, 3, t=0)].tolist()
    [0, 0, 0, 1, 1, 1]
    """
    rng = np.random.default_rng([t, per_class])
    return np.concatenate([rng.choice(np.flatnonzero(y == c), per_class, replace=False) for c in range(y.max() + 1)])


def draw_as_they_come(y: NDArray[np.int64], t: int) -> NDArray[np.int64]:
    """Return the labelled points of trial t whatever their class, five times as many as classes.

    Rare classes may have no label; no method can find them.

    Examples
    --------
    >>> draw_as_they_come(np.arange(20) % 2, t=0).size
    10
    """
    rng = np.random.default_rng([t, 0])
    return rng.choice(y.size, LABELS_A_CLASS * int(y.max() + 1), replace=False)
