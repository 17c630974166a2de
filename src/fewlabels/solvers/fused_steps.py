"""Conjugate gradients with a deflated coarse level in two fused passes a step, on compiled kernels and all cores.

With Z = D^1/2 times the aggregates' indicators and C = Z'AZ, the preconditioner is R -> R + Z C^-1 Z'(R - A R): the
slow modes, nearly constant on aggregates, are solved exactly, and the steps deal with the rest alone. Its product with
A is A R + (A Z) C^-1 Z'(R - A R), so one product with the graph serves both, and every scalar of the step follows from
sums that the two passes leave behind (Chronopoulos and Gear's arrangement of the recurrences).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.solvers.fused_walk import shared
from fewlabels.systems import Block, padded_rows
from fewlabels.threads import ROWS_AT_ONCE, in_blocks_of_rows, run_in_threads

if TYPE_CHECKING:
    from fewlabels.solvers.fused import FusedSystem

__all__ = ["EXHAUSTED", "Arrays", "Steps"]

EXHAUSTED = 1e-4
"""A column rests when its squared residual is so much below the goal: what is left of it are rounding errors, which
further steps would blow up."""

FEW_STEPS, DIGITS = 60, 4.0
"""Steps after which what the recurrences say is left of B is no longer taken for what is left; rounding counts as so
many times the last digit."""

NO_COMPONENT, NO_VOLUME = np.zeros(0, dtype=np.int64), np.zeros(0)


class Arrays:
    """What the kernels read, in one precision."""

    def __init__(self, scaled: Any, image: Any, Z: Any, inverse: Block, kind: Any) -> None:
        self.root, self.inverse = Z.data.astype(kind), inverse.astype(kind)
        self.matrix = padded_rows(scaled.astype(kind), 4)
        self.image_parts = padded_rows(image.astype(kind), 2)


class Steps:
    """One solve: its blocks X, R, P and AP, and the scalars of each column that carry over to the next step."""

    def __init__(self, system: FusedSystem, B: Block, tol: float, kind: Any, work: Block) -> None:
        self._system, self._B, self._kind, self._tol = system, B, kind, tol
        self._arrays = system.in_kind(kind)
        self._X, self._R, self._P, self._AP = work
        self._scale = _largest(B)
        self._unit = np.divide(1.0, self._scale, out=np.zeros_like(self._scale), where=self._scale > 0)
        k, c = system.starts.size - 1, work.shape[2]
        self._inner, self._lift, self._drop = np.zeros((3, k, c), dtype=kind)
        self._groups = shared(system.groups, self._R.size)
        self._tallies = np.zeros((len(self._groups), c))
        self._ranges = [(int(system.starts[a]), int(system.starts[b])) for a, b in self._groups]
        self._outer = np.empty((k, c), dtype=kind)
        self._begin()
        self._length, self._gamma = np.ones(c), np.zeros(c)

    def _begin(self) -> None:
        """Take in the right-hand side, less what has no solution, and solve for it on the aggregates."""
        from fewlabels.solvers import kernels

        system, arrays = self._system, self._arrays
        self._take_in()
        if system.constants is not None:
            self._drop[:] = system.constants.shares(self._outer)
            self._outer -= system.constants.sums(self._drop)
        self._energy = self._lift_by(self._outer)
        self._unbalanced = self._drop.copy()
        blocks = (arrays.root, self._lift, self._drop, self._X, self._R, self._outer)
        squares = np.zeros((len(self._groups), 3, self._R.shape[1]))
        self._square, whole, self._size = self._over_aggregates(
            kernels.lift_off, *arrays.image_parts, *blocks, tallies=squares
        )
        self._small, self._raised = self._tol**2 * whole, self._energy.copy()

    def are_drowned(self) -> bool:
        """Tell whether what has no solution was so large that rounding it left too little of the rest."""
        constants, precision = self._system.constants, DIGITS * np.finfo(self._kind).eps
        if constants is None:
            return False
        none = _dot(self._unbalanced, constants.sums(self._unbalanced))
        return bool((precision**2 * none > self._small).any())

    def are_done(self) -> bool:
        """Tell whether every column has reached the tolerance, or a number has overflowed."""
        moving = (self._square > self._small) | (self._raised > self._tol**2 * self._energy)
        return not moving.any() or not bool(np.isfinite(self._square).all())

    def take(self, most: int) -> int:
        """Take steps until every column is done, in one compiled call on this thread; return how many there were."""
        from fewlabels.solvers.whole_kernels import all_steps

        system, arrays = self._system, self._arrays
        constants = (NO_COMPONENT, NO_VOLUME, NO_VOLUME) if system.constants is None else system.constants.arrays()
        matrices = (system.starts, arrays.matrix, arrays.image_parts, self._kind(system.shift), arrays.root)
        coarse = (arrays.inverse, system.live, constants)
        blocks = ((self._X, self._R, self._P, self._AP), self._lift, self._outer)
        told = (self._small, self._square, self._energy, self._raised, self._gamma, self._length)
        return int(all_steps(*matrices, *coarse, *blocks, told, self._tol**2, EXHAUSTED, most))

    def take_one(self) -> int:
        """Do one product with the graph and one pass that moves all four blocks; return 1, the number of steps."""
        multiply, advance = self._passes()
        system, arrays, kind = self._system, self._arrays, self._kind
        if system.constants is not None:
            self._drop[:] = system.constants.shares(self._outer)
        before, self._gamma = self._gamma, self._square
        moving = self._gamma > EXHAUSTED * self._small
        share = np.where(moving, _ratio(self._gamma, before), 0.0)
        numbers = (kind(system.shift), arrays.root, share.astype(kind))
        slope = self._over_aggregates(multiply, *arrays.matrix, *numbers, self._R, self._AP, self._inner)
        bend = slope + self._lift_by(self._outer - self._inner) + 2.0 * _dot(self._lift, self._inner)
        length = _ratio(self._gamma, bend - share * _ratio(self._gamma, self._length))
        self._length = np.where(moving, length, 0.0)
        numbers = (arrays.root, self._length.astype(kind), share.astype(kind))
        blocks = (self._lift, self._drop, self._X, self._R, self._P, self._AP, self._outer)
        self._square = self._over_aggregates(advance, *arrays.image_parts, *numbers, *blocks)
        self._raised = self._length * self._gamma
        self._energy = self._energy + self._raised
        return 1

    def residual(self, n_iter: int) -> float:
        """Return what X leaves of B after so many steps; R and AP are work space from here on.

        After few steps R is that but for rounding, where rounding of X is below the tolerance. Else it is measured.
        """
        arrays, AP, R = self._arrays, self._AP, self._R
        rounding = (DIGITS * np.finfo(self._kind).eps) ** 2 * _dot(self._X, self._X)
        if n_iter > FEW_STEPS or not (rounding <= self._small).all():
            self._measure()

        def in_units_of_B(some: slice) -> None:
            np.multiply(R[some], arrays.root[some, None], out=AP[some])

        in_blocks_of_rows(len(R), in_units_of_B)
        left = _dot(AP, AP)
        return float(
            np.sqrt(np.divide(left, self._size, out=np.zeros_like(left), where=self._size > 0).max(initial=0.0))
        )

    def _measure(self) -> None:
        """Fill R with B - A X."""
        arrays, AP, R = self._arrays, self._AP, self._R
        self._take_in()
        R -= arrays.root[:, None] * self._unbalanced[self._system.group]
        nothing = np.zeros(AP.shape[1], dtype=self._kind)
        numbers = (self._kind(self._system.shift), arrays.root, nothing)
        self._over_aggregates(self._passes()[0], *arrays.matrix, *numbers, self._X, AP, self._inner)
        R -= AP

    def _passes(self) -> tuple[Any, Any]:
        """Return the kernels of the two passes of a step."""
        from fewlabels.solvers import kernels

        one = self._R.shape[1] == 1
        return (kernels.multiply_one, kernels.advance_one) if one else (kernels.multiply, kernels.advance)

    def value(self) -> Block:
        """Return X in the order of the graph, in single precision if B is."""
        from fewlabels.solvers import kernels

        order, back = self._system.order, self._system.back
        out = np.empty_like(self._B)
        unit = self._scale / self._system.size
        run_in_threads([partial(kernels.scatter, *part, order, back, unit, self._X, out) for part in self._ranges])
        return out

    def _take_in(self) -> None:
        """Fill R with the right-hand side, scaled, in the order of the aggregates, and leave its sums over them."""
        from fewlabels.solvers import kernels

        system, starts = self._system, self._system.starts
        blocks = (system.order, system.back, self._arrays.root, self._unit, self._B, self._R, self._outer)
        run_in_threads([partial(kernels.take_in, *part, starts, *blocks) for part in self._groups])

    def _over_aggregates(self, kernel: Any, *arguments: Any, tallies: Any = None) -> NDArray[np.float64]:
        if tallies is None:
            tallies = self._tallies
            tallies[:] = 0.0
        starts, parts = self._system.starts, zip(self._groups, tallies, strict=True)
        run_in_threads([partial(kernel, *part, starts, *arguments, tally) for part, tally in parts])
        return np.asarray(tallies.sum(axis=0))

    def _lift_by(self, wanted: Block) -> NDArray[np.float64]:
        """Fill `lift` with C^-1 wanted, free of the null component; return the columns' wanted'C^-1 wanted."""
        known = wanted[self._system.live]
        found = self._arrays.inverse @ known
        self._lift[self._system.live] = found
        if self._system.constants is not None:
            self._lift -= self._system.constants.means(self._lift)
        return _dot(known, found)


def _dot(A: Block, B: Block) -> NDArray[np.float64]:
    """Return the inner products of columns, in double precision."""
    found = np.zeros((-(-len(A) // ROWS_AT_ONCE), A.shape[1]))

    def multiply(some: slice) -> None:
        np.einsum("ij,ij->j", A[some], B[some], dtype=np.float64, out=found[some.start // ROWS_AT_ONCE])

    in_blocks_of_rows(len(A), multiply)
    return np.asarray(found.sum(axis=0))


def _largest(B: Block) -> NDArray[np.float64]:
    """Return the largest absolute value of each column."""
    found = np.zeros((-(-len(B) // ROWS_AT_ONCE), B.shape[1]))

    def look(some: slice) -> None:
        found[some.start // ROWS_AT_ONCE] = np.maximum(B[some].max(axis=0), -B[some].min(axis=0))

    in_blocks_of_rows(len(B), look)
    return np.asarray(found.max(axis=0, initial=0.0))


def _ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a / b, zero where a column has nothing left to do."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
