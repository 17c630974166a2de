"""What: the interface term f, learned from the Green's columns of the labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["gram", "interface_term"]

Block = NDArray[np.float64]

ROWS_AT_ONCE = 2**16
"""Rows of the Green's columns that are copied at once."""


def gram(G: Block, interface: NDArray[np.int64]) -> Block:
    """Return K = sum over the interface of g_i g_i', m x m: all that the ridge regression needs of the graph."""
    K = np.zeros((G.shape[1], G.shape[1]))
    for start in range(0, interface.size, ROWS_AT_ONCE):
        rows = G[interface[start : start + ROWS_AT_ONCE]]
        K += rows.T @ rows
    return K


def interface_term(G: Block, interface: NDArray[np.int64], coefficients: Block) -> Block:
    """Return f = G alpha on the interface and zero elsewhere.

    Examples
    --------
    >>> interface_term(np.ones((3, 1)), np.array([1]), np.array([[2.0]])).ravel().tolist()
    [0.0, 2.0, 0.0]
    """
    term = np.zeros((G.shape[0], coefficients.shape[1]))
    for start in range(0, interface.size, ROWS_AT_ONCE):
        nodes = interface[start : start + ROWS_AT_ONCE]
        term[nodes] = G[nodes] @ coefficients
    return term
