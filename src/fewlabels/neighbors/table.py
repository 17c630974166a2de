"""Neighbors: for each point, its nearest others and how far they are."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import load_arrays, save_arrays
from fewlabels.kept import ReadOnlyArrays

__all__ = ["Neighbors", "recall_of"]

TIE_TOLERANCE = 1e-6
"""Distances within this relative gap of the k-th count as found: which of two equals is returned is chance."""


@dataclass(frozen=True, eq=False)
class Neighbors(ReadOnlyArrays):
    """The k nearest other points of each point, nearest first; a point is never its own neighbour.

    The arrays are read-only. Those given are copied if somebody could still write to them; see :meth:`owning`.

    Attributes
    ----------
    indices : ndarray of int, shape (n, k)
    distances : ndarray of float, shape (n, k)
        Distances by the metric; for "cosine" the Euclidean distances of rows of length one.
    recall : float
        The share of true neighbours found: one for exact search, measured on sampled rows for approximate search.

    Examples
    --------
    >>> near = Neighbors(np.array([[1], [0], [1]]), np.array([[1.0], [1.0], [2.0]]))
    >>> near.n_points, near.n_neighbors
    (3, 1)
    """

    indices: NDArray[np.int64]
    distances: NDArray[np.float64]
    recall: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        indices, distances = np.asarray(self.indices), np.asarray(self.distances)
        if indices.ndim != 2 or indices.shape != distances.shape or indices.shape[1] == 0:
            raise FewlabelsError(
                f"neighbour indices {indices.shape} and distances {distances.shape} must both be (points, neighbours)."
            )
        if indices.dtype.kind not in "iu":
            raise FewlabelsError(f"neighbour indices must be whole numbers, not {indices.dtype}.")
        if not (np.isfinite(distances).all() and (distances >= 0).all()):
            row = int(np.flatnonzero(~(np.isfinite(distances) & (distances >= 0)).all(axis=1))[0])
            raise FewlabelsError(f"the neighbour distances of point {row} are not finite numbers of at least zero.")
        if indices.min() < 0:
            raise FewlabelsError("a neighbour index is negative; number the points from 0.")
        object.__setattr__(self, "indices", _read_only(indices, np.int64))
        object.__setattr__(self, "distances", _read_only(distances, np.float64))

    @classmethod
    def owning(cls, indices: NDArray[np.int64], distances: NDArray[np.float64], *, recall: float = 1.0) -> Neighbors:
        """Make a table of arrays that nobody else needs to write to: they become read-only and are not copied."""
        for array in (indices, distances):
            for owner in _owners(array):
                owner.setflags(write=False)
        return cls(indices, distances, recall=recall)

    @property
    def n_points(self) -> int:
        """The number of points that have neighbours listed."""
        return int(self.indices.shape[0])

    @property
    def n_neighbors(self) -> int:
        """The number of neighbours listed for each point."""
        return int(self.indices.shape[1])

    def nearest(self, n_neighbors: int) -> Neighbors:
        """Return the table cut to the nearest `n_neighbors`."""
        if not 1 <= n_neighbors <= self.n_neighbors:
            raise FewlabelsError(f"n_neighbors={n_neighbors}, but this table lists {self.n_neighbors} per point.")
        return Neighbors(self.indices[:, :n_neighbors], self.distances[:, :n_neighbors], recall=self.recall)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the field's common file: .npz with J (indices) and D (distances), the point itself first."""
        own = np.arange(self.n_points, dtype=np.int64)[:, None]
        indices = np.hstack([own, self.indices]).astype(np.int32 if self.n_points < 2**31 else np.int64)
        save_arrays(path, {"J": indices, "D": np.hstack([np.zeros_like(own, dtype=np.float64), self.distances])})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Neighbors:
        """Read an .npz file with J and D; the point itself is dropped from its row."""
        arrays = load_arrays(path, "neighbours as arrays J and D")
        if not {"J", "D"} <= arrays.keys():
            raise FewlabelsError(f"{path}: holds {sorted(arrays)}; a neighbour file has arrays J and D.")
        indices, distances = arrays["J"], arrays["D"]
        if indices.ndim != 2 or indices.shape != distances.shape or indices.dtype.kind not in "iu":
            raise FewlabelsError(
                f"{path}: J is {indices.dtype} {indices.shape} and D {distances.shape}; J must be whole numbers and "
                "both of one shape (points, neighbours)."
            )
        try:
            return cls.owning(*drop_self(indices.astype(np.int64), distances.astype(np.float64)))
        except FewlabelsError as error:
            raise FewlabelsError(f"{path}: {error}") from None


def recall_of(found: Neighbors, truth: Neighbors) -> float:
    """Return the share of true neighbours found, counting equals of the farthest true one as found."""
    farthest = truth.distances[:, -1:] * (1 + TIE_TOLERANCE)
    return float((found.distances <= farthest).mean())


def _read_only(given: NDArray[Any], dtype: DTypeLike) -> NDArray[Any]:
    """Return the array with this type, read-only; a copy if it could still be written to elsewhere."""
    array = given.astype(dtype, copy=False)
    if array is given and any(owner.flags.writeable for owner in _owners(given)):
        array = given.copy()
    array.setflags(write=False)
    return array


def _owners(array: NDArray[Any]) -> list[NDArray[Any]]:
    """Return the array and those whose memory it shows."""
    owners = [array]
    while isinstance(owners[-1].base, np.ndarray):
        owners.append(owners[-1].base)
    return owners


def drop_self(
    indices: NDArray[np.int64], distances: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Remove each point from its own row; with duplicates it need not stand first.

    A row that lacks its own point among nearer duplicates loses its last entry, so that rows stay equally long.
    """
    n, k = indices.shape
    own = indices == np.arange(n)[:, None]
    if not own.any():
        return indices, distances
    if k < 2:
        raise FewlabelsError("each row lists only the point itself; list at least one neighbour more.")
    lost = np.where(own.any(axis=1), own.argmax(axis=1), k - 1)
    kept = np.arange(k)[None, :] != lost[:, None]
    return indices[kept].reshape(n, k - 1), distances[kept].reshape(n, k - 1)
