"""A system as the compiled steps of fused_steps.py read it: scaled, ordered by aggregate, with a coarse level.

The system is scaled to D^1/2 (I - S) D^1/2 with D its diagonal, so that the degrees need no pass of their own. Rows are
ordered by aggregate: what the coarse level adds up lies together, and so do neighbours.
"""

from __future__ import annotations

from functools import cache, partial
from threading import Event
from typing import Any

import numpy as np
import scipy.sparse as sp

from fewlabels.progress import track
from fewlabels.solvers.constants import Constants
from fewlabels.solvers.fused_steps import Arrays, Steps
from fewlabels.solvers.fused_walk import padded_width, parts_of_columns, shares_of
from fewlabels.solvers.inverse import definite_inverse
from fewlabels.systems import Block, MatrixSystem, connected_aggregates, projections_of
from fewlabels.threads import FEW_ROWS, one_blas_thread, side_by_side

__all__ = ["FusedSystem"]

SPARE_BYTES = 100_000_000
"""Work space up to this size is kept for the next solve."""

STEPS_AT_ONCE = 50
"""Steps that are taken in one compiled call: between two, an interrupt is heard."""


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

    def _in_kind(self, kind: Any) -> Arrays:
        """Return what the kernels read; S is not kept in double precision beside it, and made again if need be."""
        scaled = self._fresh.pop() if self._fresh else self._scaled()
        return Arrays(scaled, self._image, self._Z, self._inverse, kind)

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
            The largest |B - A X| / |B| over the columns, in the precision of the blocks.
        """
        kind: Any = np.float32 if single else np.float64
        B = np.ascontiguousarray(B, dtype=np.float32 if B.dtype == np.float32 else np.float64)
        self.in_kind(kind)  # made before threads ask for it
        ended = Event()
        with one_blas_thread():
            if len(B) > FEW_ROWS:
                return self._solve(B, tol, max_iter, kind, False, ended)
            parts = [np.ascontiguousarray(B[:, some]) for some in parts_of_columns(B.shape[1])]
            found = side_by_side([partial(self._solve, part, tol, max_iter, kind, True, ended) for part in parts])
        values, steps, residuals = zip(*found, strict=True)
        return (values[0] if len(values) == 1 else np.hstack(values)), max(steps), float(np.max(residuals))

    @np.errstate(all="ignore")
    def _solve(
        self, B: Block, tol: float, max_iter: int, kind: Any, whole: bool, ended: Event
    ) -> tuple[Block, int, float]:
        """Solve for some columns; with `whole` by one thread, many steps in one call. An interrupt ends all threads."""
        work = self._work_space(B.shape[0], padded_width(B.shape[1]), kind)
        steps = Steps(self, B, tol, kind, work)
        if steps.are_drowned():
            steps = Steps(self, projections_of(self._system.graph).balance(B), tol, kind, work)
        n_iter = 0
        try:
            for _ in track(iter(range(max_iter)), "solving"):
                if steps.are_done() or n_iter == max_iter or ended.is_set():
                    break
                n_iter += steps.take(min(STEPS_AT_ONCE, max_iter - n_iter)) if whole else steps.take_one()
        except BaseException:
            ended.set()
            raise
        residual, X = steps.residual(n_iter), steps.value()
        if work.nbytes <= SPARE_BYTES:
            self._spare.append(work)
        return X, n_iter, residual

    def _work_space(self, n: int, c: int, kind: Any) -> Block:
        """Return blocks for X and R, and of zeros for P and AP.

        They are the last solve's own where they fit: fresh memory costs as much as a step.
        """
        try:
            work = self._spare.pop()
        except IndexError:
            return np.zeros((4, n, c), dtype=kind)
        if work.shape != (4, n, c) or work.dtype != kind:
            return np.zeros((4, n, c), dtype=kind)
        work[2:] = 0.0
        return work
