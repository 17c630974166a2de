"""Features as people bring them -> one checked matrix, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from fewlabels.errors import FewlabelsError

__all__ = ["checked_features", "stored_like"]


def checked_features(X: Any, *, min_rows: int = 2) -> Any:
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
    if matrix.shape[0] < min_rows or matrix.shape[1] < 1:
        raise FewlabelsError(f"features have shape {matrix.shape}; a graph needs at least two points and one feature.")
    return matrix


def _not_finite(row: int) -> str:
    return f"the features of row {row} contain NaN or infinity; fill in or drop that row first."


def stored_like(example: Any, matrix: Any) -> Any:
    """Return the matrix dense if the example is dense, and as a CSR array if it is sparse."""
    if sp.issparse(example) == sp.issparse(matrix):
        return matrix
    return sp.csr_array(matrix) if sp.issparse(example) else matrix.toarray()
