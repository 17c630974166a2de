"""The system that conjugate gradients step on, block by block, in the form of solvers/fused.py.

L is scaled to A = I - S, S = D^-1/2 W D^-1/2, the rows of a block ordered by aggregate. Z = D^1/2 times the aggregates'
indicators, and A Z is known on a block's own rows and on its halo.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.distributed.rows import BlockGraph, matrix_of, needed_by
from fewlabels.distributed.scratch import load, load_rows, save
from fewlabels.distributed.stages import Found, Stages
from fewlabels.systems import Rows, padded_rows
from fewlabels.systems.projections import reciprocal

__all__ = ["ScaledBlock", "with_system"]

Array = NDArray[Any]
ENTRIES, IMAGE_ENTRIES = 4, 2
"""Entries that rows of S and of A Z have a multiple of."""


def with_system(stages: Stages, graph: BlockGraph, typical: float) -> BlockGraph:
    """Return the graph with the scaled system of every block; degrees are in units of a typical one."""
    return replace(graph, scaled=stages.run("system", _scaled, graph.count, graph, typical).folder)


def _scaled(folder: Path, place: int, graph: BlockGraph, typical: float) -> Found:
    W, size = matrix_of(graph, place), graph.size(place)
    group = load(graph.around / f"aggregate-{place}.npy")
    root = np.sqrt(load(graph.around / f"degrees-{place}.npy") / typical)
    order = np.argsort(group[:size], kind="stable")
    all_rows = np.concatenate([order, np.arange(size, group.size)])
    root, group, back = root[all_rows], group[all_rows], reciprocal(root[all_rows])
    position = np.empty(group.size, dtype=np.int32)
    position[all_rows] = np.arange(group.size)
    rows = W[order]
    column = position[rows.indices]
    data = rows.data * np.repeat(back[:size] / typical, np.diff(rows.indptr)) * back[column]
    S = sp.csr_array((data, column, rows.indptr), shape=W.shape)
    S.sort_indices()
    Z = sp.csr_array((root, group, np.arange(group.size + 1)), shape=(group.size, graph.aggregates[-1]))
    image = sp.csr_array(Z[:size] - S @ Z)
    for name, part in zip(("indptr", "indices", "data"), padded_rows(S, ENTRIES), strict=True):
        save(folder / f"{name}-{place}.npy", part)
    save(folder / f"order-{place}.npy", order.astype(np.int32))
    save(folder / f"root-{place}.npy", root)
    save(folder / f"group-{place}.npy", group)
    _save_rows(folder, "image", place, image)
    outward = position[load(graph.halo / f"outward-{place}.npy")]
    save(folder / f"outward-{place}.npy", outward)
    _save_rows(folder, "told", place, image[outward])
    return {"entries": np.array(S.nnz)}


def _save_rows(folder: Path, name: str, place: int, rows: Any) -> None:
    save(folder / f"{name}-indptr-{place}.npy", rows.indptr.astype(np.int64))
    save(folder / f"{name}-indices-{place}.npy", rows.indices.astype(np.int32))
    save(folder / f"{name}-data-{place}.npy", rows.data)


@dataclass(frozen=True, eq=False)
class ScaledBlock:
    """A block of the system in one precision; rows are its own, ordered by aggregate, and then its halo.

    Attributes
    ----------
    size : int
        Its own rows.
    order : ndarray of int
        The row of the graph's block that each own row is.
    outward : ndarray of int
        The rows that other blocks need, for each of them one after the other.
    matrix, image : (indptr, indices, data)
        S on the own rows, and A Z on all.
    known : ndarray of int
        The aggregates that rows and A Z mention, the block's own first; `group` and A Z number them by their place.
    starts : ndarray of int
        The first row of each own aggregate, and the number of own rows.
    """

    size: int
    order: Array
    outward: Array
    matrix: Rows
    image: Rows
    known: Array
    group: Array
    starts: Array
    root: Array
    back: Array

    @classmethod
    def read(cls, graph: BlockGraph, place: int, kind: Any) -> ScaledBlock:
        """Read a block, and of the others what they tell of its halo."""
        folder, size = graph.scaled, graph.size(place)
        indptr, indices, data = (load(folder / f"{name}-{place}.npy") for name in ("indptr", "indices", "data"))
        root, group = (load(folder / f"{name}-{place}.npy") for name in ("root", "group"))
        parts = [_rows_of(folder, "image", place, 0, size)]
        parts += [_rows_of(folder, "told", other, *some) for other, some in needed_by(graph, place)]
        counts, aggregates, values = (np.concatenate(each) for each in zip(*parts, strict=True))
        first, last = graph.aggregates[place : place + 2]
        mentioned = np.unique(np.concatenate([aggregates, group]))
        others = mentioned[(mentioned < first) | (mentioned >= last)]
        table = np.empty(graph.aggregates[-1], dtype=np.int32)
        known = np.concatenate([np.arange(first, last), others])
        table[known] = np.arange(known.size)
        image = sp.csr_array(
            (values.astype(kind), table[aggregates], np.concatenate([[0], np.cumsum(counts)])),
            shape=(root.size, known.size),
        )
        starts = np.searchsorted(group[:size], np.arange(first, last + 1))
        return cls(
            size, load(folder / f"order-{place}.npy"), load(folder / f"outward-{place}.npy"),
            (indptr, indices, data.astype(kind)), padded_rows(image, IMAGE_ENTRIES), known, table[group], starts,
            root.astype(kind), reciprocal(root).astype(kind),
        )  # fmt: skip

    @property
    def nbytes(self) -> int:
        """The bytes it takes."""
        parts = (*self.matrix, *self.image, self.group, self.root, self.back, self.order, self.outward)
        return int(sum(part.nbytes for part in parts))

    def product(self, R: Array, V: Array, slopes: Array) -> Array:
        """Leave A R of own rows in V, add the columns' R'V to slopes and return Z'V."""
        sums = np.zeros((self.starts.size - 1, R.shape[1]), dtype=R.dtype)
        if kernels_at_hand():
            from fewlabels.solvers.kernels import multiply

            V[:] = 0.0
            nothing, one = np.zeros(R.shape[1], dtype=R.dtype), R.dtype.type(1.0)
            ranges = (0, self.starts.size - 1, self.starts)
            multiply(*ranges, *self.matrix, one, self.root, nothing, R, V, sums, slopes)
            return sums
        V[:] = R[: self.size] - self._as_matrix(self.matrix, len(R)) @ R
        slopes += np.einsum("ij,ij->j", R[: self.size], V, dtype=np.float64)
        return np.asarray(np.add.reduceat(self.root[: self.size, None] * V, self.starts[:-1]), dtype=R.dtype)

    def move(
        self, numbers: tuple[Array, Array], lift: Array, drop: Array, V: tuple[Array, Array],
        blocks: tuple[Array, Array, Array, Array], squares: Array,
    ) -> Array:  # fmt: skip
        """Take a step with X, R, P and AP, own rows and halo; add the columns' R'R to squares and return Z'R.

        `numbers` are the step's length and how much of the last direction it keeps, `V` is A R on own rows and halo.
        """
        X, R, P, AP = blocks
        length, share = numbers
        n, root, group = self.size, self.root[:, None], self.group
        AP[:n] *= share
        AP[:n] += V[0]
        if kernels_at_hand():
            from fewlabels.distributed.kernels import follow
            from fewlabels.solvers.kernels import advance

            sums = np.zeros((self.starts.size - 1, R.shape[1]), dtype=R.dtype)
            given = (length, share, lift, drop)
            advance(0, len(sums), self.starts, *self.image, self.root, *given, X, R, P, AP, sums, squares)
            follow(n, *self.image, self.root, group, *given, V[1], R, AP)
            return sums
        AP[n:] *= share
        AP[n:] += V[1]
        AP += self._as_matrix(self.image, self.known.size) @ lift
        P *= share
        P += R[:n] + root[:n] * lift[group[:n]]
        X += length * P
        R -= length * AP + root * drop[group]
        squares += np.einsum("ij,ij->j", R[:n], R[:n], dtype=np.float64)
        return np.asarray(np.add.reduceat(root[:n] * R[:n], self.starts[:-1]), dtype=R.dtype)

    def lifted(self, values: Array) -> Array:
        """Return Z values for own rows and halo."""
        return np.asarray(self.root[:, None] * values[self.group])

    def image_of(self, lift: Array) -> Array:
        """Return A Z lift for own rows and halo."""
        return np.asarray(self._as_matrix(self.image, self.known.size) @ lift)

    def _as_matrix(self, rows: Rows, width: int) -> Any:
        indptr, indices, data = rows
        return sp.csr_array((data, indices.astype(np.int32), indptr), shape=(indptr.size - 1, width))


def _rows_of(folder: Path, name: str, place: int, start: int, stop: int) -> tuple[Array, Array, Array]:
    """Return how many entries some rows have, their columns and values."""
    indptr = load_rows(folder / f"{name}-indptr-{place}.npy", start, stop + 1)
    some = int(indptr[0]), int(indptr[-1])
    columns, values = (load_rows(folder / f"{name}-{part}-{place}.npy", *some) for part in ("indices", "data"))
    return np.diff(indptr), columns, values
