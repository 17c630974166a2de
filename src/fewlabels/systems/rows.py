"""CSR rows as compiled loops like them: of a length that is a multiple of the loop's stride."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = ["Rows", "in_order", "padded_rows"]

Rows = tuple[NDArray[Any], NDArray[np.uint32], NDArray[Any]]
"""indptr, indices and data of a CSR array."""


def in_order(matrix: Any, order: NDArray[np.int64]) -> Any:
    """Return a square CSR array with its rows and columns in another order, the entries of a row in theirs.

    Examples
    --------
    >>> in_order(sp.csr_array([[1.0, 2.0], [0.0, 3.0]]), np.array([1, 0])).toarray().tolist()
    [[3.0, 0.0], [2.0, 1.0]]
    """
    rows = matrix[order]
    place = np.empty(order.size, dtype=rows.indices.dtype)
    place[order] = np.arange(order.size)
    found = sp.csr_array((rows.data, place[rows.indices], rows.indptr), shape=matrix.shape)
    found.sort_indices()
    return found


def padded_rows(matrix: Any, multiple: int) -> Rows:
    """Return a CSR array's indptr, indices and data, every row padded to a multiple of entries.

    Padding is zeros, in the column of the row's first entry.

    Examples
    --------
    >>> indptr, indices, data = padded_rows(sp.csr_array([[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]), 2)
    >>> indptr.tolist(), indices.tolist(), data.tolist()
    ([0, 2, 4], [1, 2, 2, 2], [2.0, 3.0, 1.0, 0.0])
    """
    counts = np.diff(matrix.indptr)
    indptr = np.concatenate([[0], np.cumsum(-(-counts // multiple) * multiple)])
    places = np.arange(matrix.nnz) + np.repeat(indptr[:-1] - matrix.indptr[:-1], counts)
    full = counts > 0
    indices = np.repeat(matrix.indices[matrix.indptr[:-1][full]], np.diff(indptr)[full]).astype(np.uint32)
    data = np.zeros(indptr[-1], dtype=matrix.dtype)
    indices[places], data[places] = matrix.indices, matrix.data
    return indptr, indices, data
