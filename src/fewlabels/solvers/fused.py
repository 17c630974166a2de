"""Conjugate gradients with a deflated coarse level in two fused passes a step, on compiled kernels and all cores.

The system is scaled to D^1/2 (I - S) D^1/2 with D its diagonal, so that the degrees need no pass of their own. Rows are
ordered by aggregate: what the coarse level adds up lies together, and so do neighbours.

With Z = D^1/2 times the aggregates' indicators and C = Z'AZ, the preconditioner is R -> R + Z C^-1 Z'(R - A R): the
slow modes, nearly constant on aggregates, are solved exactly, and the steps deal with the rest alone. Its product with
A is A R + (A Z) C^-1 Z'(R - A R), so one product with the graph serves both, and every scalar of the step follows from
sums that the two passes leave behind (Chronopoulos and Gear's arrangement of the recurrences).
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.progress import track
from fewlabels.solvers.constants import Constants
from fewlabels.solvers.fused_walk import padded_width, shared, shares_of
from fewlabels.solvers.inverse import definite_inverse
from fewlabels.systems import Block, MatrixSystem, connected_aggregates, padded_rows
from fewlabels.threads import ROWS_AT_ONCE, in_blocks_of_rows, one_blas_thread, run_in_threads

__all__ = ["FusedSystem"]

EXHAUSTED = 1e-4
"""A column rests when its squared residual is so much below the goal: what is left of it are rounding errors, which
further steps would blow up."""


SPARE_BYTES = 100_000_000
"""Work space up to this size is kept for the next solve."""


class FusedSystem:
    """A system as the kernels read it.

    The solution for a singular system is sought among those whose degree-weighted mean is zero over each component, and
    a shift counts for those alone.
    """

    def __init__(self, system: MatrixSystem) -> None:
        diagonal = np.asarray(system.matrix.diagonal(), dtype=np.float64)
        self._system, self.shift = system, system.shift
        self.size = float(diagonal.mean()) or 1.0
        root = np.sqrt(np.maximum(diagonal, 0.0) / self.size)
        back = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
        group = np.unique(system.aggregate, return_inverse=True)[1]
        k = int(group.max()) + 1
        self.order = np.argsort(group, kind="stable")
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=k))])
        self.back, self.group = back[self.order], group[self.order]
        n = self.order.size
        Z = sp.csr_array((root[self.order], self.group, np.arange(n + 1)), shape=(n, k))
        scaled = self._scaled()
        image = sp.csr_array(self.shift * Z - scaled @ Z)
        small = sp.csr_array(Z.T @ image)
        links = small.diagonal()
        self.constants = component = None
        if system.null is not None:
            component = np.zeros(k, dtype=np.int64)
            component[group] = system.null
            volumes = np.bincount(group, weights=root**2, minlength=k).astype(np.float64)
            self.constants = Constants(component, volumes)
            links = links - (self.shift - 1.0) * self.constants.squares()
        self.live = connected_aggregates(links, component)
        alive = small[self.live][:, self.live].toarray()
        if self.constants is not None and self.shift != 1.0:
            alive -= (self.shift - 1.0) * self.constants.outer(self.live)
        self._inverse = definite_inverse(alive, None if component is None else component[self.live])
        self._image, self._Z, self._fresh = image, Z, [scaled]
        self.in_kind = cache(self._in_kind)
        work = np.diff(scaled.indptr) + np.diff(image.indptr) + 8
        self._spare: list[Block] = []
        self.groups = shares_of(np.add.reduceat(work, self.starts[:-1]))

    def _scaled(self) -> Any:
        """Return S = D^-1/2 (D - A) D^-1/2 in the order of the aggregates."""
        rows, n = self._system.matrix[self.order], self.order.size
        place = np.empty(n, dtype=rows.indices.dtype)
        place[self.order] = np.arange(n)
        row, column = np.repeat(np.arange(n, dtype=place.dtype), np.diff(rows.indptr)), place[rows.indices]
        off = (row != column) & (rows.data != 0.0)
        row, column, data = row[off], column[off], rows.data[off]
        data *= self.back[row]
        data *= self.back[column] / -self.size
        starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))]).astype(place.dtype)
        scaled = sp.csr_array((data, column, starts), shape=(n, n))
        scaled.sort_indices()
        return scaled

    def _in_kind(self, kind: Any) -> _Arrays:
        """Return what the kernels read; S is not kept in double precision beside it, and made again if need be."""
        scaled = self._fresh.pop() if self._fresh else self._scaled()
        return _Arrays(scaled, self._image, self._Z, self._inverse, kind)

    def solve(self, B: Block, tol: float, max_iter: int, single: bool = True) -> tuple[Block, int, float]:
        """Solve for all columns together, until each has reached `tol`.

        A column is done when its residual has fallen to `tol` and a step adds less than tol^2 of the energy X'AX: a
        small residual may hide a large error across a weak link, where the energy still grows. With `single` the blocks
        are in single precision, and what rounding puts into the null component is removed at every step. A
        solve that overflowed ends with what it has, and its residual tells.

        Returns
        -------
        X : ndarray, shape (n, columns)
        n_iter : int
        residual : float
            The largest |B - A X| / |B| over the columns, of the value returned, in the precision of the blocks.
        """
        kind: Any = np.float32 if single else np.float64
        work = self._work_space(B.shape[0], padded_width(B.shape[1]), kind)
        n_iter = 0
        with one_blas_thread(), np.errstate(all="ignore"):
            steps = _Steps(self, B, tol, kind, work)
            for _ in track(iter(range(max_iter)), "solving"):
                if steps.are_done():
                    break
                steps.take_one()
                n_iter += 1
            residual, X = steps.residual(), steps.value()
        if work.nbytes <= SPARE_BYTES:
            self._spare.append(work)
        return X, n_iter, residual

    def _work_space(self, n: int, c: int, kind: Any) -> Block:
        """Return four blocks of zeros, the last solve's own where they fit: fresh memory costs as much as a step."""
        try:
            work = self._spare.pop()
        except IndexError:
            return np.zeros((4, n, c), dtype=kind)
        if work.shape != (4, n, c) or work.dtype != kind:
            return np.zeros((4, n, c), dtype=kind)
        work[:] = 0.0
        return work


class _Steps:
    """One solve: its blocks X, R, P and AP, and the scalars of each column that carry over to the next step."""

    def __init__(self, system: FusedSystem, B: Block, tol: float, kind: Any, work: Block) -> None:
        self._system, self._B, self._kind, self._tol = system, B, kind, tol
        self._arrays = system.in_kind(kind)
        self._X, self._R, self._P, self._AP = work
        self._scale = np.maximum(B.max(axis=0, initial=0.0), -B.min(axis=0, initial=0.0))
        self._unit = np.divide(1.0, self._scale, out=np.zeros_like(self._scale), where=self._scale > 0)
        k, c = system.starts.size - 1, work.shape[2]
        self._inner, self._lift, self._drop = np.zeros((3, k, c), dtype=kind)
        self._groups = shared(system.groups, self._R.size)
        self._tallies = np.zeros((len(self._groups), c))
        self._ranges = [(int(system.starts[a]), int(system.starts[b])) for a, b in self._groups]
        self._gather()
        self._small = tol**2 * _dot(self._R, self._R)
        outer = self._sums_of(self._R)
        self._unbalanced = None if system.constants is None else system.constants.shares(outer)
        self._balance()
        self._energy = self._lift_by(outer)
        self._add_lifted(self._X, self._lift)
        self._R -= self._arrays.image @ self._lift
        self._outer = self._sums_of(self._R)
        self._square, self._raised = _dot(self._R, self._R), self._energy
        self._length, self._gamma = np.ones(c), np.zeros(c)

    def are_done(self) -> bool:
        """Tell whether every column has reached the tolerance, or a number has overflowed."""
        moving = (self._square > self._small) | (self._raised > self._tol**2 * self._energy)
        return not moving.any() or not bool(np.isfinite(self._square).all())

    def take_one(self) -> None:
        """Do one product with the graph and one pass that moves all four blocks."""
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

    def residual(self) -> float:
        """Measure what X leaves of B; R and AP are work space from here on."""
        self._gather()
        self._balance()
        arrays, AP, B = self._arrays, self._AP, self._R
        nothing = np.zeros(AP.shape[1], dtype=self._kind)
        numbers = (self._kind(self._system.shift), arrays.root, nothing)
        self._over_aggregates(self._passes()[0], *arrays.matrix, *numbers, self._X, AP, self._inner)

        def in_units_of_B(some: slice) -> None:
            AP[some] -= B[some]
            AP[some] *= arrays.root[some, None]
            B[some] *= arrays.root[some, None]

        in_blocks_of_rows(len(B), in_units_of_B)
        left, size = _dot(AP, AP), _dot(B, B)
        return float(np.sqrt(np.divide(left, size, out=np.zeros_like(left), where=size > 0).max(initial=0.0)))

    def _passes(self) -> tuple[Any, Any]:
        """Return the kernels of the two passes of a step."""
        from fewlabels.solvers import kernels

        one = self._R.shape[1] == 1
        return (kernels.multiply_one, kernels.advance_one) if one else (kernels.multiply, kernels.advance)

    def value(self) -> Block:
        """Return X in the order of the graph."""
        from fewlabels.solvers import kernels

        order, back = self._system.order, self._system.back
        out, unit = np.empty(self._B.shape), self._scale / self._system.size
        run_in_threads([partial(kernels.scatter, *part, order, back, unit, self._X, out) for part in self._ranges])
        return out

    def _gather(self) -> None:
        """Fill R with the right-hand side, scaled, in the order of the aggregates."""
        from fewlabels.solvers import kernels

        order, back = self._system.order, self._system.back
        blocks = (self._unit, self._B, self._R)
        run_in_threads([partial(kernels.gather, *part, order, back, *blocks) for part in self._ranges])

    def _balance(self) -> None:
        """Remove from R what has no solution."""
        if self._unbalanced is not None:
            self._add_lifted(self._R, -self._unbalanced)

    def _add_lifted(self, block: Block, values: Block) -> None:
        """Add Z values to a block."""
        root, group, values = self._arrays.root, self._system.group, values.astype(self._kind)

        def add(some: slice) -> None:
            block[some] += root[some, None] * values[group[some]]

        in_blocks_of_rows(len(block), add)

    def _sums_of(self, R: Block) -> Block:
        return np.ascontiguousarray(self._arrays.Z_transposed @ R)

    def _over_aggregates(self, kernel: Any, *arguments: Any) -> NDArray[np.float64]:
        self._tallies[:] = 0.0
        starts = self._system.starts
        run_in_threads(
            [
                partial(kernel, *part, starts, *arguments, tally)
                for part, tally in zip(self._groups, self._tallies, strict=True)
            ]
        )
        return np.asarray(self._tallies.sum(axis=0))

    def _lift_by(self, wanted: Block) -> NDArray[np.float64]:
        """Fill `lift` with C^-1 wanted, free of the null component; return the columns' wanted'C^-1 wanted."""
        known = wanted[self._system.live]
        found = self._arrays.inverse @ known
        self._lift[self._system.live] = found
        if self._system.constants is not None:
            self._lift -= self._system.constants.means(self._lift)
        return _dot(known, found)


class _Arrays:
    """What the kernels read, in one precision."""

    def __init__(self, scaled: Any, image: Any, Z: Any, inverse: Block, kind: Any) -> None:
        self.image, self.Z = image.astype(kind), Z.astype(kind)
        self.Z_transposed = sp.csr_array(self.Z.T)
        self.root, self.inverse = self.Z.data, inverse.astype(kind)
        self.matrix = padded_rows(scaled.astype(kind), 4)
        self.image_parts = padded_rows(self.image, 2)


def _dot(A: Block, B: Block) -> NDArray[np.float64]:
    """Return the inner products of columns, in double precision."""
    found = np.zeros((-(-len(A) // ROWS_AT_ONCE), A.shape[1]))

    def multiply(some: slice) -> None:
        np.einsum("ij,ij->j", A[some], B[some], dtype=np.float64, out=found[some.start // ROWS_AT_ONCE])

    in_blocks_of_rows(len(A), multiply)
    return np.asarray(found.sum(axis=0))


def _ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a / b, zero where a column has nothing left to do."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
