"""Features as people bring them -> one checked matrix, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError

__all__ = ["METRICS", "checked_features", "paired_distances", "unit_rows"]

METRICS = ("euclidean", "cosine")


def checked_features(X: Any) -> Any:
    """Return features as a float32 or float64 array (or CSR array), two-dimensional and finite."""
    if np.ma.isMaskedArray(X) and np.ma.getmaskarray(X).any():
        raise FewlabelsError("features are a masked array; fill in what is masked or drop those rows.")
    if getattr(getattr(X, "dtype", None), "kind", "f") in "cmM":
        raise FewlabelsError(f"features of type {X.dtype} are not real numbers; turn them into some first.")
    if sp.issparse(X):
        matrix: Any = sp.csr_array(X)
        matrix = matrix.astype(np.float64)
        if not np.isfinite(matrix.data).all():
            row = int(np.searchsorted(matrix.indptr, np.flatnonzero(~np.isfinite(matrix.data))[0], side="right")) - 1
            raise FewlabelsError(_not_finite(row))
    else:
        try:
            matrix = np.asarray(X)
            wide = matrix.dtype if matrix.dtype in (np.float32, np.float64) else None
            matrix = matrix.astype(wide or (np.float32 if matrix.dtype == np.float16 else np.float64), copy=False)
        except (TypeError, ValueError, OverflowError) as error:
            raise FewlabelsError(f"features must be numbers ({error}); turn text into an embedding first.") from None
        if matrix.ndim != 2:
            raise FewlabelsError(
                f"features have shape {matrix.shape}; give one row per point and one column per feature."
            )
        finite = np.isfinite(matrix).all(axis=1)
        if not finite.all():
            raise FewlabelsError(_not_finite(int(np.flatnonzero(~finite)[0])))
    if matrix.shape[0] < 2 or matrix.shape[1] < 1:
        raise FewlabelsError(f"features have shape {matrix.shape}; a graph needs at least two points and one feature.")
    return matrix


def _not_finite(row: int) -> str:
    return f"the features of row {row} contain NaN or infinity; fill in or drop that row first."


def unit_rows(X: Any) -> Any:
    """Scale every row to length one, so that Euclidean distance ranks as the cosine does."""
    if sp.issparse(X):
        largest = abs(X).max(axis=1).toarray().ravel()
        X = sp.csr_array(sp.diags_array(np.divide(1.0, largest, out=np.zeros_like(largest), where=largest > 0)) @ X)
        lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel())
    else:
        largest = np.abs(X).max(axis=1, keepdims=True)
        X = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0)
        lengths = np.linalg.norm(X.astype(np.float64, copy=False), axis=1)
    if not (lengths > 0).all():
        row = int(np.flatnonzero(~(lengths > 0))[0])
        raise FewlabelsError(f"row {row} is all zeros and has no direction; drop it or use metric='euclidean'.")
    if sp.issparse(X):
        return sp.csr_array(sp.diags_array(1.0 / lengths) @ X)
    return X / lengths[:, None].astype(X.dtype)


def paired_distances(Q: Any, X: Any, columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return |q_i - x_j| in float64 for every row i of Q and every j in columns[i], without cancellation."""
    rows = np.repeat(np.arange(columns.shape[0]), columns.shape[1])
    if sp.issparse(X):
        gaps = sp.csr_array(Q[rows] - X[columns.ravel()])
        squares = np.asarray(gaps.multiply(gaps).sum(axis=1), dtype=np.float64).ravel()
        return np.sqrt(squares).reshape(columns.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        gaps = X[columns].astype(np.float64, copy=False) - Q[:, None, :].astype(np.float64, copy=False)
        scale = np.abs(gaps).max(initial=0.0)
        if scale == 0.0:
            return np.zeros(columns.shape)
        if not np.isfinite(scale):
            raise FewlabelsError("distances overflow; rescale the features to a range of at most 1e150.")
        gaps /= scale
        return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", gaps, gaps)) * scale)
