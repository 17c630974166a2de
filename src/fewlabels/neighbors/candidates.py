"""Indexes that propose the nearest points of a block of queries; ranking and exact distances come later."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_at_hand
from fewlabels.errors import FewlabelsError
from fewlabels.neighbors.pairs import nearest_of, nearest_of_all
from fewlabels.progress import say

SINGLE = 1e-3
"""A few times the root of single precision: |q|^2 + |x|^2 - 2 q.x blurs distances below this share of the sizes."""

TILED_FROM = 64
"""Queries from which tiles beat faiss's search row by row."""

PAIRS_FROM = 5000
"""Points from which compiling a scan pays for itself."""

__all__ = ["CandidateIndex", "DenseIndex", "InvertedIndex", "SparseIndex"]


class CandidateIndex(Protocol):
    """Proposes, for each row of a block of queries, the `k` points that are probably nearest."""

    def propose(self, Q: Any, k: int) -> NDArray[np.int64]:
        """Return indices of shape (rows of Q, k); -1 where the index found fewer than k."""
        ...


class _Faiss:
    """Float32 copies for faiss: centred and scaled, so that single precision resolves what the data resolves."""

    def __init__(self, X: NDArray[Any]) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            self._centre = X.mean(axis=0, dtype=np.float64)
            spread = float(np.abs(X - self._centre).max())
        if not np.isfinite(spread):
            raise FewlabelsError("distances overflow; rescale the features to a range of at most 1e150.")
        self.scale = spread if spread > 0 else 1.0

    def single(self, Q: NDArray[Any]) -> NDArray[np.float32]:
        return np.ascontiguousarray((Q - self._centre) / self.scale, dtype=np.float32)


class DenseIndex:
    """Exact search over dense features, by faiss."""

    def __init__(self, X: NDArray[Any]) -> None:
        import faiss

        self._copies = _Faiss(X)
        self._index = faiss.IndexFlatL2(X.shape[1])
        self._single = self._copies.single(X)
        self._index.add(self._single)
        self._reach = float(np.sqrt(np.einsum("ij,ij->i", self._single, self._single).max()))

    def single(self, Q: NDArray[Any]) -> NDArray[np.float32]:
        """Return rows in the precision and scale of the index."""
        return self._copies.single(Q)

    def blur(self, Q: NDArray[Any]) -> NDArray[np.float64]:
        """Return the distance below which single precision cannot order the neighbours of each query."""
        single = self._copies.single(Q)
        size = np.sqrt(np.einsum("ij,ij->i", single, single, dtype=np.float64)) + min(self._reach, 1e30)
        return np.asarray(SINGLE * size * self._copies.scale)

    def propose(self, Q: NDArray[Any], k: int) -> NDArray[np.int64]:
        """Return the k nearest points of each query in single precision."""
        single = self.single(Q)
        if len(single) >= TILED_FROM and self._single.shape[0] >= PAIRS_FROM and kernels_at_hand():
            return nearest_of(single, self._single, k)
        return np.asarray(self._index.search(single, k)[1])

    def propose_for_all(self, k: int) -> NDArray[np.int64] | None:
        """Return the k points nearest to each point of the index itself, or None where :meth:`propose` is as good."""
        n = self._single.shape[0]
        if k >= n or n < PAIRS_FROM or not kernels_at_hand():
            return None
        return nearest_of_all(self._single, k)


class InvertedIndex:
    """Approximate search over dense features: faiss IVF, which looks only into the cells nearest the query."""

    ROWS_PER_CELL_IN_TRAINING = 64

    def __init__(self, X: NDArray[Any]) -> None:
        import faiss

        n, d = X.shape
        self.n_cells = int(max(1, min(4 * np.sqrt(n), n // 39)))
        self._copies = _Faiss(X)
        say(f"dividing {n:,} points into {self.n_cells:,} cells")
        single = self._copies.single(X)
        self._quantizer = faiss.IndexFlatL2(d)
        self._index = faiss.IndexIVFFlat(self._quantizer, d, self.n_cells)
        self._index.cp.max_points_per_centroid = self.ROWS_PER_CELL_IN_TRAINING
        self._index.train(single)
        self._index.add(single)

    @property
    def probes(self) -> int:
        """The number of cells looked into for one query."""
        return int(self._index.nprobe)

    @probes.setter
    def probes(self, value: int) -> None:
        self._index.nprobe = int(min(value, self.n_cells))

    def propose(self, Q: NDArray[Any], k: int) -> NDArray[np.int64]:
        """Return the k nearest points found in the probed cells; -1 fills up."""
        return np.asarray(self._index.search(self._copies.single(Q), k)[1])


class SparseIndex:
    """Exact search over sparse features, a block of queries at a time."""

    ENTRIES_AT_ONCE = 2**24

    def __init__(self, X: Any) -> None:
        self._points = X.T.tocsr()
        self._squares = np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()

    def propose(self, Q: Any, k: int) -> NDArray[np.int64]:
        """Return the k nearest points of each query by |x|^2 - 2 q.x, which ranks as the distance does."""
        step = max(1, self.ENTRIES_AT_ONCE // self._squares.size)
        found = np.empty((Q.shape[0], k), dtype=np.int64)
        for start in range(0, Q.shape[0], step):
            block = Q[start : start + step]
            ranks = self._squares - 2.0 * (block @ self._points).toarray()
            found[start : start + step] = np.argpartition(ranks, k - 1, axis=1)[:, :k]
        return found
