"""What the methods with an interface return: scores, and the answers to the paper's three questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.methods.base import Spread

__all__ = ["InterfaceSpread"]


@dataclass(frozen=True, eq=False, repr=False)
class InterfaceSpread(Spread):
    """Scores with the answers to the paper's three questions.

    Attributes
    ----------
    interface : ndarray of int
        The nodes beyond the hops: where.
    hops : int or None
        The k that was used (of the largest labelled component); None when positions were given.
    term : ndarray, shape (n, c)
        f, the learned Laplacian of the scores: what.
    ridge, mse : float
        lambda and the weighted mean squared error it leaves on the labels: how strong.
    columns : ndarray, shape (n, m), or None
        The Green's columns of the labels; None where there was no table of them.
    """

    interface: NDArray[np.int64]
    hops: int | None
    term: NDArray[np.float64]
    ridge: float
    mse: float
    columns: NDArray[np.float64] | None = None
