"""Conjugate gradients on all columns together, with the coarse picture of the system as second level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_pay
from fewlabels.kept import Key
from fewlabels.progress import track
from fewlabels.solvers.base import Attempt
from fewlabels.solvers.fused import FusedSystem
from fewlabels.solvers.inverse import definite_inverse
from fewlabels.systems import Block, MatrixSystem, System

__all__ = ["CG", "SINGLE_FROM", "conjugate_gradients", "ratio", "too_few_steps"]

SINGLE_FROM = 2e-5
"""Tolerances from which single precision is enough."""

MISSED = 10.0
"""A compiled solve whose residual is so many times above the tolerance is not good enough."""

REFINEMENTS, LEAST_GAIN = 3, 1e-2
"""How often what single precision leaves is solved for again, and how exactly."""


@dataclass(frozen=True)
class CG:
    """Conjugate gradients to a relative residual of `tol`.

    With `coarse`, the preconditioner adds a solve on aggregates of the graph to the diagonal: about a third of the
    steps on graphs of real data, for a small factorisation that is made once. With `compiled`, large systems that this
    process holds are solved by the kernels of the extra 'fast' where it is installed; without, by plain products.
    """

    tol: float = 1e-5
    max_iter: int = 5000
    coarse: bool = True
    compiled: bool = True

    def attempt(self, system: System, B: Block, tol: float | None) -> Attempt:
        """Do the steps, compiled where that pays."""
        wanted = self.coarse and self.compiled and kernels_pay(system.n_rows)
        if wanted and isinstance(system, MatrixSystem):
            alike = system.sinks_by_degree
            X, n_iter, residual = self._compiled(system, B if alike else system.solvable(B))
            if residual <= MISSED * self.tol:
                return Attempt(X, "cg", n_iter, self.tol, residual, is_meant=alike)
        precondition, B = self._preconditioner(system), system.solvable(B)
        if isinstance(system, MatrixSystem):
            B = np.asarray(B, dtype=np.float64)
        X, n_iter = conjugate_gradients(system, B, precondition, self.tol, self.max_iter)
        return Attempt(X, "cg", n_iter, self.tol, remedy=too_few_steps(self.max_iter, self.tol))

    def _compiled(self, system: MatrixSystem, B: Block) -> tuple[Block, int, float]:
        """Solve by the kernels; what single precision leaves is solved for again, its residual in double."""
        fused = system.kept.get(COMPILED, lambda: FusedSystem(system), system.shift)
        X, n_iter, residual = fused.solve(B, self.tol, self.max_iter, single=self.tol >= SINGLE_FROM)
        for _ in range(REFINEMENTS):
            if residual <= MISSED * self.tol or not np.isfinite(residual):
                break
            B = system.solvable(B)
            left = B - system.apply(X)
            system.clean(left)
            whole, rest = system.dot(B, B), system.dot(left, left)
            residual = float(np.sqrt(ratio(rest, whole).max(initial=0.0)))
            if residual > self.tol:
                share = max(self.tol / residual, LEAST_GAIN)
                Y, steps, gained = fused.solve(left, share, self.max_iter, single=True)
                X, n_iter, residual = X + Y, n_iter + steps, residual * gained
        return X, n_iter, residual

    def _preconditioner(self, system: System) -> Callable[[Block], Block]:
        if not self.coarse:
            return system.over_diagonal
        return system.kept.get(COARSE_INVERSE, lambda: _CoarseCorrection(system))


class _CoarseCorrection:
    """R -> N^-1 R + P C^-1 P' R, symmetric and positive, N the diagonal and P, C the coarse picture.

    C^-1 is kept in single precision. It only guides the steps; the residual stays in double.
    """

    def __init__(self, system: System) -> None:
        self._over_diagonal, self._coarse = system.over_diagonal, system.coarse
        C = self._coarse.matrix
        self._size = float(C.diagonal().mean()) if C.size else 1.0
        self._inverse = definite_inverse(C / self._size, self._coarse.component).astype(np.float32)

    def __call__(self, R: Block) -> Block:
        """Apply the preconditioner."""
        coarse = self._coarse.restrict(R)
        size = float(np.abs(coarse).max(initial=0.0)) or 1.0
        correction = self._inverse @ (coarse / size).astype(np.float32)
        Z = self._over_diagonal(R)
        Z += self._coarse.prolong(correction * (size / self._size))
        return Z


COMPILED = Key[FusedSystem]("compiled")
COARSE_INVERSE = Key[_CoarseCorrection]("coarse inverse")


def too_few_steps(max_iter: int, tol: float) -> str:
    """Say what to do about a solve that ran out of steps."""
    return f"allow more than {max_iter} steps, a tolerance above {tol:g}, or solver='direct' if the graph is small"


def conjugate_gradients(
    system: System, B: Block, precondition: Callable[[Block], Block], tol: float, max_iter: int
) -> tuple[Block, int]:
    """Solve A X = B; all columns step together until each has reached `tol`.

    Both the residual and its energy R' M R, M the preconditioner, must fall: a residual may be small while the error
    lies in a slow mode, where M sees it. What rounding puts into the null space is removed at every step: nothing
    else damps it.

    Returns
    -------
    X : Block
    n_iter : int
    """
    goal = (tol**2) * system.dot(B, B)
    R = B.copy()
    X = 0.0 * R
    Z = precondition(R)
    P = Z.copy()
    slope = system.dot(R, Z)
    energy = (tol**2) * slope
    n_iter = 0

    def unfinished() -> bool:
        return bool(((system.dot(R, R) > goal) | (slope > energy)).any())

    for _ in track(_while(unfinished, max_iter), "solving"):
        AP = system.apply(P)
        length = ratio(slope, system.dot(P, AP))
        X += P * length
        AP *= length
        R -= AP
        system.clean(R)
        Z = precondition(R)
        slope, before = system.dot(R, Z), slope
        P *= ratio(slope, before)
        P += Z
        n_iter += 1
    return X, n_iter


def _while(unfinished: Callable[[], bool], most: int) -> Iterator[int]:
    for step in range(most):
        if not unfinished():
            return
        yield step


def ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a / b, zero where a column has nothing left to do."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
