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
from fewlabels.solvers.base import Block
from fewlabels.solvers.coarse import definite_inverse
from fewlabels.threads import cores, even_ranges, one_blas_thread, run_in_threads

__all__ = ["FusedSystem", "filled_up"]

PAD = 4
"""Columns are filled up to a multiple of this; the kernels' inner loops are twice as fast without a remainder."""


SHARES = 4
"""Pieces of work per core and pass: few enough to cost nothing, many enough that no core waits for another."""


class FusedSystem:
    """A symmetric matrix A = D - (what is off its diagonal), ready for solves of A + (shift - 1) D.

    Parameters
    ----------
    matrix : CSR array, shape (n, n)
        A: a graph Laplacian, or a definite matrix made from one.
    aggregate : ndarray of int, shape (n,)
        The aggregate of each row.
    null : ndarray of int, shape (n,), optional
        For a singular A, the component of each row, whose constants A maps to zero. The solution is then sought among
        those whose degree-weighted mean is zero, and so is the shift meant.
    shift : float
    """

    def __init__(
        self, matrix: Any, aggregate: NDArray[np.int64], null: NDArray[np.int64] | None = None, shift: float = 1.0
    ) -> None:
        n = matrix.shape[0]
        diagonal = np.asarray(matrix.diagonal(), dtype=np.float64)
        self._size, self._shift = float(diagonal.mean()) or 1.0, shift
        root = np.sqrt(np.maximum(diagonal, 0.0) / self._size)
        back = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
        group = np.unique(aggregate, return_inverse=True)[1]
        k = int(group.max()) + 1
        self._order = np.argsort(group, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=k))])
        self._root, self._back = root[self._order], back[self._order]
        off = sp.csr_array(sp.diags_array(diagonal) - matrix)
        off.eliminate_zeros()
        scaled = sp.csr_array(sp.diags_array(back) @ off @ sp.diags_array(back / self._size))[self._order]
        scaled = sp.csr_array(scaled[:, self._order])
        scaled.sort_indices()
        Z = sp.csr_array((self._root, group[self._order], np.arange(n + 1)), shape=(n, k))
        image = sp.csr_array(shift * Z - scaled @ Z)
        small = (Z.T @ image).toarray()
        component = None
        if null is not None:
            component = np.zeros(k, dtype=np.int64)
            component[group] = null
            self._constants = _Constants(component, np.bincount(group, weights=root**2, minlength=k).astype(np.float64))
            small -= (shift - 1.0) * self._constants.outer()
        self._singular = null is not None
        self._live = np.flatnonzero(small.diagonal() > 1e-9 * max(1.0, float(small.diagonal().max())))
        alive = small[np.ix_(self._live, self._live)]
        inverse = definite_inverse(alive, None if component is None else component[self._live])
        self._in_kind = cache(partial(_Arrays, scaled, image, Z, inverse))
        work = np.diff(scaled.indptr) + np.diff(image.indptr) + 8
        self._spare: list[Block] = []
        self._groups = even_ranges(np.add.reduceat(work, self._starts[:-1]), SHARES * cores())

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
        from fewlabels.solvers import kernels

        n, columns = B.shape
        c = -(-columns // PAD) * PAD
        kind: Any = np.float32 if single else np.float64
        arrays = self._in_kind(kind)
        scale = np.maximum(B.max(axis=0, initial=0.0), -B.min(axis=0, initial=0.0))
        unit = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)
        work = self._work_space(n, c, kind)
        X, R, P, AP = work
        inner, lift, drop = np.zeros((3, self._starts.size - 1, c), dtype=kind)
        tallies = np.zeros((len(self._groups), c))
        nodes = [(int(self._starts[a]), int(self._starts[b])) for a, b in self._groups]

        def over_aggregates(kernel: Any, *arguments: Any) -> NDArray[np.float64]:
            tallies[:] = 0.0
            run_in_threads(
                [
                    partial(kernel, *part, self._starts, *arguments, tally)
                    for part, tally in zip(self._groups, tallies, strict=True)
                ]
            )
            return np.asarray(tallies.sum(axis=0))

        def lift_by(wanted: Block) -> NDArray[np.float64]:
            """Fill `lift` with C^-1 wanted, free of the null component; return the columns' wanted'C^-1 wanted."""
            known = wanted[self._live]
            found = arrays.inverse @ known
            lift[self._live] = found
            if self._singular:
                lift[:] -= self._constants.means(lift)
            return _dot(known, found)

        with one_blas_thread(), np.errstate(all="ignore"):
            run_in_threads([partial(kernels.gather, *part, self._order, self._back, unit, B, R) for part in nodes])
            small = tol**2 * _dot(R, R)
            outer = np.ascontiguousarray(arrays.Z_transposed @ R)
            unbalanced = self._constants.shares(outer) if self._singular else outer
            if self._singular:
                R -= arrays.Z @ unbalanced
            energy = lift_by(outer)
            X += arrays.Z @ lift
            R -= arrays.image @ lift
            outer = np.ascontiguousarray(arrays.Z_transposed @ R)
            square, raised = _dot(R, R), energy
            n_iter, length, gamma = 0, np.ones(c), np.zeros(c)
            for _ in track(range(max_iter), "solving"):
                if not ((square > small) | (raised > tol**2 * energy)).any() or not np.isfinite(square).all():
                    break
                if self._singular:
                    drop[:] = self._constants.shares(outer)
                before, gamma = gamma, square
                share = _ratio(gamma, before)
                slope = over_aggregates(
                    kernels.multiply,
                    *arrays.matrix,
                    kind(self._shift),
                    arrays.root,
                    share.astype(kind),
                    R,
                    AP,
                    inner,
                )
                bend = slope + lift_by(outer - inner) + 2.0 * _dot(lift, inner)
                length = _ratio(gamma, bend - share * _ratio(gamma, length))
                square = over_aggregates(
                    kernels.advance,
                    *arrays.image_parts,
                    arrays.root,
                    length.astype(kind),
                    share.astype(kind),
                    lift,
                    drop,
                    X,
                    R,
                    P,
                    AP,
                    outer,
                )
                raised = length * gamma
                energy = energy + raised
                n_iter += 1
            run_in_threads([partial(kernels.gather, *part, self._order, self._back, unit, B, R) for part in nodes])
            if self._singular:
                R -= arrays.Z @ unbalanced
            residual = self._residual(over_aggregates, arrays, X, R, AP, inner)
            out, back = np.empty((n, columns)), scale / self._size
            run_in_threads([partial(kernels.scatter, *part, self._order, self._back, back, X, out) for part in nodes])
        self._spare.append(work)
        return out, n_iter, residual

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

    def _residual(self, over_aggregates: Any, arrays: _Arrays, X: Block, B: Block, AP: Block, inner: Block) -> float:
        """Measure what X leaves of B, with AP as work space."""
        from fewlabels.solvers import kernels

        nothing, shift = np.zeros(X.shape[1], dtype=X.dtype), X.dtype.type(self._shift)
        over_aggregates(kernels.multiply, *arrays.matrix, shift, arrays.root, nothing, X, AP, inner)
        AP -= B
        weight = arrays.root**2
        left, size = np.einsum("ij,ij,i->j", AP, AP, weight), np.einsum("ij,ij,i->j", B, B, weight)
        return float(np.sqrt(np.divide(left, size, out=np.zeros_like(left), where=size > 0).max(initial=0.0)))


class _Constants:
    """The constant of each component, seen from the aggregates."""

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

    def means(self, lift: Block) -> Block:
        """Return for each aggregate its component's mean of `lift`, weighted by volume."""
        return self.shares(self._volumes * lift)

    def outer(self) -> Block:
        """Return v v' / (1'v) on each component, v the volumes."""
        same = self._component[:, None] == self._component
        return np.where(same, self._volumes * self._volumes.T * self._part[self._component], 0.0)


class _Arrays:
    """What the kernels read, in one precision."""

    def __init__(self, scaled: Any, image: Any, Z: Any, inverse: Block, kind: Any) -> None:
        self.image, self.Z = image.astype(kind), Z.astype(kind)
        self.Z_transposed = sp.csr_array(self.Z.T)
        self.root, self.inverse = self.Z.data, inverse.astype(kind)
        self.matrix = filled_up(scaled.astype(kind), 4)
        self.image_parts = filled_up(self.image, 2)


def filled_up(matrix: Any, multiple: int) -> tuple[NDArray[Any], NDArray[np.uint32], NDArray[Any]]:
    """Return a CSR array's parts; zeros, in the column of the row's first entry, fill rows up to a multiple of entries.

    Examples
    --------
    >>> indptr, indices, data = filled_up(sp.csr_array([[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]), 2)
    >>> indptr.tolist(), indices.tolist(), data.tolist()
    ([0, 2, 4], [1, 2, 2, 2], [2.0, 3.0, 1.0, 0.0])
    """
    counts = np.diff(matrix.indptr)
    indptr = np.concatenate([[0], np.cumsum(-(-counts // multiple) * multiple)])
    places = np.arange(matrix.nnz) + np.repeat(indptr[:-1] - matrix.indptr[:-1], counts)
    full = counts > 0
    indices = np.repeat(matrix.indices[matrix.indptr[:-1][full]], np.diff(indptr)[full]).astype(np.uint32)
    data = np.zeros(indptr[-1], dtype=matrix.dtype)
    indices[places], data[places] = matrix.indices, matrix.data
    return indptr, indices, data


def _dot(A: Block, B: Block) -> NDArray[np.float64]:
    return np.asarray(np.einsum("ij,ij->j", A, B, dtype=np.float64))


def _ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a / b, zero where a column has nothing left to do."""
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)
