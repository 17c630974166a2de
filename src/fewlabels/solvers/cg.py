"""Conjugate gradients on L X = B, all columns together, with a coarse picture of the graph as second level."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.errors import SolveWarning
from fewlabels.operators import Laplacian
from fewlabels.progress import track
from fewlabels.solvers.base import CONVERGED, Block, Solution, graded
from fewlabels.solvers.coarse import CoarseCorrection, aggregates_of
from fewlabels.solvers.fused import FusedSystem

__all__ = ["CG", "conjugate_gradients", "preconditioned_cg"]

COMPILED_FROM = 10_000
"""Nodes from which the compiled kernels pay for themselves."""

SINGLE_FROM = 2e-5
"""Tolerances from which single precision is enough."""


@dataclass(frozen=True)
class CG:
    """Conjugate gradients to a relative residual of `tol`.

    With `coarse`, the preconditioner adds a solve on aggregates of the graph to the degrees: about a third of the
    steps on graphs of real data, for a small factorisation that is made once. With `compiled`, large graphs are solved
    by the kernels of the extra 'fast' where it is installed; without, by scipy's products alone.
    """

    tol: float = 1e-5
    max_iter: int = 5000
    coarse: bool = True
    compiled: bool = True

    def prepare(self, laplacian: Laplacian) -> _PreparedCG:
        """Return the solver; its preconditioner is built when first used."""
        return _PreparedCG(laplacian, self)


@dataclass(eq=False)
class _PreparedCG:
    laplacian: Laplacian
    settings: CG

    @cached_property
    def fused(self) -> FusedSystem | None:
        """The system in the form of the compiled kernels, or None where the plain way is taken."""
        wanted = self.settings.coarse and self.settings.compiled
        graph = self.laplacian.graph
        if not wanted or graph.n_nodes < COMPILED_FROM or not kernels_at_hand():
            return None
        if "fused" not in graph.memo:
            graph.memo["fused"] = FusedSystem(self.laplacian.matrix, aggregates_of(graph), graph.components)
        return graph.memo["fused"]  # type: ignore[no-any-return]

    @cached_property
    def precondition(self) -> Callable[[Block], Block]:
        """The preconditioner of the plain way."""
        graph = self.laplacian.graph
        if self.settings.coarse:
            return CoarseCorrection(self.laplacian.matrix, aggregates_of(graph), null=graph.components)
        scale = self.laplacian.inverse_degrees[:, None]
        return lambda R: np.asarray(scale * R)

    def gap(self) -> float:
        """Return the first nonzero eigenvalue of L_sym, seldom more than twice too large: two inverse iterations."""
        degrees = self.laplacian.degrees[:, None]
        x = np.random.default_rng(0).normal(size=(degrees.size, 1))
        for _ in range(2):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SolveWarning)
                x = self.laplacian.centre_by_degree(self.solve(self.laplacian.balance(degrees * x)).value)
            x /= np.abs(x).max() or 1.0
        return float((x * self.laplacian.apply(x)).sum() / max(float((degrees * x * x).sum()), 1e-300))

    def solve(self, B: Block) -> Solution:
        tol, max_iter = self.settings.tol, self.settings.max_iter
        if self.fused is not None:
            B = self.laplacian.centre(B)
            X, n_iter, residual = self.fused.solve(B, tol, max_iter, single=tol >= SINGLE_FROM)
            if residual <= 10 * tol:
                self.laplacian.centre_in_place(X)
                return Solution(X, "cg", CONVERGED, n_iter, residual)
        return preconditioned_cg(self.laplacian, B, self.precondition, tol, max_iter, "cg")


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
