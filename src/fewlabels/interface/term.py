"""What: the interface term f, learned from the Green's columns of the labels."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.threads import ROWS_AT_ONCE, cores, even_ranges, in_blocks_of_rows, run_in_threads

__all__ = ["gram", "interface_term"]

Block = NDArray[np.float64]
Columns = NDArray[np.floating[Any]]


def gram(G: Columns, interface: NDArray[np.int64], labels: NDArray[np.int64] | None = None) -> Block:
    """Return K = sum over the interface of g_i g_i', m x m: all that the ridge regression needs of the graph.

    With `labels`, of these columns alone.
    """
    m = G.shape[1] if labels is None else labels.size

    def added_up(first: int, last: int) -> Block:
        K = np.zeros((m, m))
        for start in range(first, last, ROWS_AT_ONCE):
            rows = _rows(G, interface[start : min(start + ROWS_AT_ONCE, last)], labels)
            K += rows.T @ rows
        return K

    parts = even_ranges(np.ones(interface.size), cores())
    return np.asarray(sum(run_in_threads([partial(added_up, *part) for part in parts])))


def interface_term(
    G: Columns, interface: NDArray[np.int64], coefficients: Block, labels: NDArray[np.int64] | None = None
) -> Block:
    """Return f = G alpha at the nodes of the interface; it is zero elsewhere.

    Examples
    --------
    >>> interface_term(np.ones((3, 1)), np.array([1]), np.array([[2.0]])).ravel().tolist()
    [2.0]
    """
    term = np.empty((interface.size, coefficients.shape[1]))

    def combine(some: slice) -> None:
        term[some] = _rows(G, interface[some], labels) @ coefficients

    in_blocks_of_rows(interface.size, combine)
    return term


def _rows(G: Columns, nodes: NDArray[np.int64], labels: NDArray[np.int64] | None) -> Block:
    return np.asarray(G[nodes] if labels is None else G[np.ix_(nodes, labels)], dtype=np.float64)
