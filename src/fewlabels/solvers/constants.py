"""The constants of the components, along which a singular system has no solution, seen from its aggregates."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = ["Constants"]

Block = NDArray[Any]


class Constants:
    """The constant of each component, seen from the aggregates.

    Parameters
    ----------
    component : ndarray of int, shape (k,)
        The component of each aggregate.
    volumes : ndarray, shape (k,)
        The sum of the diagonal over each.

    Examples
    --------
    >>> Constants(np.array([0, 0, 1]), np.array([1.0, 3.0, 2.0])).means(np.array([[4.0], [0.0], [5.0]])).tolist()
    [[1.0], [1.0], [5.0]]
    """

    def __init__(self, component: NDArray[np.int64], volumes: NDArray[np.float64]) -> None:
        self._component, self._volumes = component, volumes[:, None]
        count = int(component.max()) + 1
        self._members = sp.csr_array(
            (np.ones(component.size), (component, np.arange(component.size))), shape=(count, component.size)
        )
        whole = self._members @ self._volumes
        self._part = np.divide(1.0, whole, out=np.zeros_like(whole), where=whole > 0)

    def shares(self, sums: Block) -> Block:
        """Return for each aggregate what its component's `sums`, Z'R, come to per unit of volume."""
        return np.asarray((self._part * (self._members @ sums))[self._component])

    def sums(self, shares: Block) -> Block:
        """Return for each aggregate what such shares come to: Z'Z shares."""
        return np.asarray(self._volumes * shares)

    def means(self, lift: Block) -> Block:
        """Return for each aggregate its component's mean of `lift`, weighted by volume."""
        return self.shares(self.sums(lift))

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the component and volume of each aggregate, and one over the volume of each component."""
        return self._component, self._volumes.ravel(), self._part.ravel()

    def squares(self) -> NDArray[np.float64]:
        """Return the diagonal of v v' / (1'v) on each component, v the volumes."""
        return np.asarray((self._volumes**2 * self._part[self._component]).ravel())

    def outer(self, some: NDArray[np.int64]) -> Block:
        """Return v v' / (1'v) on each component, v the volumes, for some aggregates."""
        component, volumes = self._component[some], self._volumes[some]
        same = component[:, None] == component
        return np.where(same, volumes * volumes.T * self._part[component], 0.0)
