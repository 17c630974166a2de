"""Graph: symmetric edge weights between points, frozen, with its degrees and components."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import connected_components

from fewlabels.errors import FewlabelsError
from fewlabels.files import digest, load_arrays, save_arrays
from fewlabels.hop_counts import hop_counts
from fewlabels.kept import Kept, read_only
from fewlabels.neighbors import Neighbors, NeighborSearch
from fewlabels.weights import edge_lengths, edge_weights, symmetric

__all__ = ["Graph"]

FORMAT = "fewlabels graph 1"
NEGLIGIBLE = 1e-12
"""Edges lighter than this share of the degree at either end vanish beside the others in double precision."""


class Graph:
    """A weighted undirected graph.

    Build one with :meth:`from_features`, :meth:`from_neighbors` or :meth:`from_weights`. A graph never changes, so
    whatever is prepared for it (a factorisation, say) is kept, in `kept`, and used again. `random_state` tells which of
    many random orders its nodes come in where some are drawn (marks.py).

    Examples
    --------
    >>> graph = Graph.from_features([[0.0], [0.1], [5.0], [5.1]], n_neighbors=1)
    >>> graph
    Graph(4 nodes, 2 edges, 2 components)
    >>> graph.components.tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, weights: Any, lengths: Any = None, random_state: int = 0) -> None:
        self._weights, self._lengths, self.random_state = weights, lengths, random_state
        for matrix in (weights,) if lengths is None else (weights, lengths):
            for part in (matrix.data, matrix.indices, matrix.indptr):
                part.setflags(write=False)
        self.kept = Kept()

    @classmethod
    def from_features(
        cls,
        X: Any,
        n_neighbors: int = 10,
        *,
        metric: str = "euclidean",
        weights: str = "gaussian",
        search: str = "auto",
        recall: float = 0.95,
    ) -> Graph:
        """Connect every row of `X` with its nearest others; a repeated row with a few of its copies and distinct rows.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix, shape (n, d)
        n_neighbors : int
            K; at most n - 1 are used.
        metric : {"euclidean", "cosine"}
        weights : {"gaussian", "uniform"}
            "gaussian" is exp(-4 |x_i - x_j|^2 / d_K(x_i)^2); either is made symmetric by (W + W') / 2.
        search : {"auto", "exact", "approximate"}
        recall : float
            What approximate search must find of the true neighbours.
        """
        found = NeighborSearch(X, metric=metric, search=search, recall=recall).among_themselves(n_neighbors)
        return cls.from_neighbors(found, weights=weights)

    @classmethod
    def from_neighbors(
        cls,
        neighbors: Neighbors | ArrayLike,
        distances: ArrayLike | None = None,
        *,
        n_neighbors: int | None = None,
        weights: str = "gaussian",
    ) -> Graph:
        """Connect points from a table of neighbours, or from its two arrays `(indices, distances)`, self excluded.

        `n_neighbors` cuts the table to the nearest; without it all listed neighbours count.
        """
        if not isinstance(neighbors, Neighbors):
            if distances is None:
                raise FewlabelsError("give distances beside the neighbour indices, or a Neighbors table.")
            neighbors = Neighbors(np.asarray(neighbors), np.asarray(distances))
        table = neighbors if n_neighbors is None else neighbors.nearest(n_neighbors)
        if table.indices.max() >= table.n_points:
            raise FewlabelsError(
                f"neighbour index {table.indices.max()} in a table of {table.n_points} points; number them from 0."
            )
        W = symmetric(table.indices, edge_weights(table.distances, weights))
        return cls(_frozen(W), _frozen(edge_lengths(table.indices, table.distances)))

    @classmethod
    def from_weights(cls, W: Any, *, symmetrize: bool = False) -> Graph:
        """Take a user's own weights: a sparse or dense symmetric matrix, or a networkx graph.

        Self-loops are dropped, and so are edges too light to matter in double precision: below 1e-12 of the degree at
        either end. With `symmetrize`, (W + W') / 2 is taken; without, an asymmetric matrix is refused.
        Nodes of a networkx graph are numbered in the order it lists them.
        """
        matrix = _as_csr(W)
        if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
            raise FewlabelsError(f"a weight matrix must be square, not {matrix.shape}; features go to from_features.")
        if not np.isfinite(matrix.data).all():
            raise FewlabelsError("the weights contain NaN or infinity; remove those edges.")
        if (matrix.data < 0).any():
            raise FewlabelsError("the weights contain negative numbers; use similarities, which are zero or more.")
        if symmetrize:
            matrix = sp.csr_array((matrix + matrix.T) / 2)
        elif abs(matrix - matrix.T).max() > 1e-6 * matrix.max():
            raise FewlabelsError("the weight matrix is not symmetric; use (W + W.T) / 2, as symmetrize=True does.")
        else:
            matrix = sp.csr_array((matrix + matrix.T) / 2)
        return cls(_frozen(_edges_that_count(matrix)))

    @property
    def weights(self) -> Any:
        """W, a symmetric CSR array with sorted indices, read-only."""
        return self._weights

    @property
    def lengths(self) -> Any:
        """The distance along every edge, a CSR array like the weights; None when only weights were given."""
        return self._lengths

    @property
    def n_nodes(self) -> int:
        """The number of nodes, n."""
        return int(self._weights.shape[0])

    @property
    def n_edges(self) -> int:
        """The number of undirected edges."""
        return int(self._weights.nnz // 2)

    @cached_property
    def degrees(self) -> NDArray[np.float64]:
        """d_i, the sum of the weights at each node."""
        return read_only(np.asarray(self._weights.sum(axis=1), dtype=np.float64).ravel())

    @cached_property
    def components(self) -> NDArray[np.int64]:
        """The number of the connected component of each node, from 0."""
        return read_only(np.asarray(connected_components(self._weights, directed=False)[1], dtype=np.int64))

    @cached_property
    def n_components(self) -> int:
        """The number of connected components."""
        return int(self.components.max()) + 1

    @cached_property
    def neighbor_counts(self) -> NDArray[np.int64]:
        """The number of neighbours of each node."""
        return read_only(np.diff(self._weights.indptr).astype(np.int64))

    def neighbors_of(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the neighbours of some nodes, one node's after the other's, and where each node's begin."""
        rows = self._weights[nodes]
        return rows.indices, rows.indptr[:-1]

    def sums_over_neighbors(self, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return for every node the sum of its neighbours' whole numbers, modulo 2^64."""
        sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(numbers[self._weights.indices])])
        return np.asarray(np.diff(sums[self._weights.indptr]))

    def cut_weight(self, labels: NDArray[np.int64]) -> float:
        """Return the weight of the edges between nodes of different labels.

        Examples
        --------
        >>> path = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
        >>> path.cut_weight(np.array([0, 0, 1]))
        1.0
        """
        across = np.repeat(labels, self.neighbor_counts) != labels[self._weights.indices]
        return float(self._weights.data[across].sum() / 2)

    def normalized_cut(self, labels: NDArray[np.integer[Any]], classes: int) -> float:
        """Return the mean over the classes of the share of a class's edge weight that leads out of it."""
        counts = np.diff(self._weights.indptr)
        from_ = np.repeat(labels, counts)
        out = from_ != labels[self._weights.indices]
        cut = np.bincount(from_[out], weights=self._weights.data[out], minlength=classes)
        volume = np.bincount(labels, weights=self.degrees, minlength=classes)
        return float(np.divide(cut, volume, out=np.zeros(classes), where=volume > 0).mean())

    def hops_from(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for every node the number of edges to the nearest of `nodes`; -1 where no path leads there.

        Examples
        --------
        >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
        >>> path.hops_from(np.array([0])).tolist()
        [0, 1, 2, 3]
        """
        return hop_counts(self._weights, nodes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph to an .npz file, without pickle, with a checksum."""
        arrays = self._arrays()
        save_arrays(path, {**arrays, "format": np.array(FORMAT), "sha256": np.array(digest(arrays))})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Graph:
        """Read a graph that :meth:`save` wrote; a truncated or altered file is refused."""
        arrays = load_arrays(path, "a graph written by Graph.save")
        if str(arrays.pop("format", "")) != FORMAT:
            raise FewlabelsError(f"{path}: not a graph written by Graph.save; it should hold {FORMAT!r}.")
        if str(arrays.pop("sha256", "")) != digest(arrays):
            raise FewlabelsError(f"{path}: altered since it was saved (its checksum does not fit); save it again.")

        def matrix(prefix: str) -> Any:
            n = int(arrays["shape"][0])
            found = sp.csr_array(tuple(arrays[prefix + part] for part in ("data", "indices", "indptr")), shape=(n, n))
            found.check_format(full_check=True)
            if not (np.isfinite(found.data).all() and (found.data >= 0).all()) or (found != found.T).nnz:
                raise ValueError("weights that are not symmetric, finite and positive")
            return _frozen(found)

        try:
            return cls(matrix(""), matrix("lengths_") if "lengths_data" in arrays else None)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise FewlabelsError(f"{path}: holds no valid graph ({error}); save it again.") from None

    def _arrays(self) -> dict[str, NDArray[Any]]:
        W, lengths = self._weights, self._lengths
        arrays = {"data": W.data, "indices": W.indices, "indptr": W.indptr, "shape": np.array(W.shape)}
        if lengths is not None:
            parts = {"data": lengths.data, "indices": lengths.indices, "indptr": lengths.indptr}
            arrays |= {f"lengths_{name}": part for name, part in parts.items()}
        return arrays

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the weights alone: what is kept is made again when needed, and nothing comes back writable."""
        return Graph, (self._weights, self._lengths, self.random_state)

    def __repr__(self) -> str:
        pieces = "1 component" if self.n_components == 1 else f"{self.n_components:,} components"
        return f"Graph({self.n_nodes:,} nodes, {self.n_edges:,} edges, {pieces})"


def _edges_that_count(W: Any) -> Any:
    entries = W.tocoo()
    heaviest = entries.data.max(initial=0.0)
    if heaviest > 0 and not 1e-100 < heaviest < 1e100:
        raise FewlabelsError(f"the largest weight is {heaviest:.3g}; rescale the weights to be near one.")
    off = entries.row != entries.col
    rows, columns, data = entries.row[off], entries.col[off], entries.data[off]
    degrees = np.bincount(rows, weights=data, minlength=W.shape[0])
    kept = data > NEGLIGIBLE * np.maximum(degrees[rows], degrees[columns])
    return sp.csr_array((data[kept], (rows[kept], columns[kept])), shape=W.shape)


def _frozen(W: Any) -> Any:
    """Return float64 CSR with sorted, merged, small indices."""
    matrix = sp.csr_array(W, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.sort_indices()
    if matrix.nnz < 2**31:
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
    return matrix


def _as_csr(W: Any) -> Any:
    if hasattr(W, "nodes") and hasattr(W, "adj"):
        import networkx

        return sp.csr_array(networkx.to_scipy_sparse_array(W, dtype=np.float64, format="csr"))
    if not sp.issparse(W):
        try:
            W = np.asarray(W)
        except ValueError as error:
            raise FewlabelsError(f"the weights must be one square table ({error}).") from None
        if W.ndim != 2:
            raise FewlabelsError(f"a weight matrix must be square, not {W.shape}; features go to from_features.")
    if getattr(W, "dtype", np.dtype(float)).kind == "c":
        raise FewlabelsError("the weights are complex; give real similarities.")
    try:
        return sp.csr_array(W, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise FewlabelsError(f"the weights must be numbers ({error}).") from None
