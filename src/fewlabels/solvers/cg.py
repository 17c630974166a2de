"""Conjugate gradients on L X = B, all columns together, with a coarse picture of the graph as second level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.operators import Laplacian
from fewlabels.progress import track
from fewlabels.solvers.base import Block, Solution, graded
from fewlabels.solvers.coarse import CoarseCorrection, aggregates_of

__all__ = ["CG", "conjugate_gradients", "preconditioned_cg"]


@dataclass(frozen=True)
class CG:
    """Conjugate gradients to a relative residual of `tol`.

    With `coarse`, the preconditioner adds a solve on aggregates of the graph to the degrees: about a third of the
    steps on graphs of real data, for a small factorisation that is made once.
    """

    tol: float = 1e-5
    max_iter: int = 5000
    coarse: bool = True

    def prepare(self, laplacian: Laplacian) -> _PreparedCG:
        """Build the preconditioner, once."""
        scale = laplacian.inverse_degrees[:, None]
        if not self.coarse:
            return _PreparedCG(laplacian, self.tol, self.max_iter, lambda R: np.asarray(scale * R))
        graph = laplacian.graph
        correction = CoarseCorrection(laplacian.matrix, aggregates_of(graph), null=graph.components)
        return _PreparedCG(laplacian, self.tol, self.max_iter, correction)


@dataclass(frozen=True, eq=False)
class _PreparedCG:
    laplacian: Laplacian
    tol: float
    max_iter: int
    precondition: Callable[[Block], Block]

    def solve(self, B: Block) -> Solution:
        return preconditioned_cg(self.laplacian, B, self.precondition, self.tol, self.max_iter, "cg")


def preconditioned_cg(
    laplacian: Laplacian,
    B: Block,
    precondition: Callable[[Block], Block],
    tol: float,
    max_iter: int,
    name: str,
) -> Solution:
    """Solve L X = B by conjugate gradients.

    The residual is kept free of the constant mode at every step: rounding would feed it, and nothing damps it.
    """
    B = laplacian.centre(B)
    X, n_iter = conjugate_gradients(
        lambda P: laplacian.matrix @ P, B, precondition, tol, max_iter, laplacian.centre_in_place
    )
    X = laplacian.centre(X)
    remedy = f"allow more than {max_iter} steps, a tolerance above {tol:g}, or solver='direct' if the graph is small"
    return graded(X, B - laplacian.apply(X), B, name, n_iter, tol, remedy)


def conjugate_gradients(
    apply: Callable[[Block], Block],
    B: Block,
    precondition: Callable[[Block], Block],
    tol: float,
    max_iter: int,
    project: Callable[[Block], None] | None = None,
) -> tuple[Block, int]:
    """Solve A X = B for a positive (semi)definite A; all columns step together until each has reached `tol`.

    Both the residual and its energy R' M R, M the preconditioner, must fall: a residual may be small while the error
    lies in a slow mode, where M sees it.

    `project`, if given, cleans the residual in place after every step.

    Returns
    -------
    X : ndarray
    n_iter : int
    """
    goal = (tol**2) * _dot(B, B)
    X = np.zeros_like(B)
    R = B.copy()
    Z = precondition(R)
    P = Z.copy()
    work = np.empty_like(B)
    slope = _dot(R, Z)
    energy = (tol**2) * slope
    n_iter = 0

    def unfinished() -> bool:
        return bool(((_dot(R, R) > goal) | (slope > energy)).any())

    for _ in track(_while(unfinished, max_iter), "solving"):
        AP = apply(P)
        length = _ratio(slope, _dot(P, AP))
        X += np.multiply(P, length, out=work)
        R -= np.multiply(AP, length, out=work)
        if project is not None:
            project(R)
        Z = precondition(R)
        slope, before = _dot(R, Z), slope
        P *= _ratio(slope, before)
        P += Z
        n_iter += 1
    return X, n_iter


def _while(unfinished: Callable[[], bool], most: int) -> Iterator[int]:
    for step in range(most):
        if not unfinished():
            return
        yield step


def _dot(A: Block, B: Block) -> NDArray[np.float64]:
    return np.asarray(np.einsum("ij,ij->j", A, B))


def _ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a / b, zero where a column has nothing left to do."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
