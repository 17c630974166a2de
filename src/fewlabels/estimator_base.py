"""What both estimators share: a graph from features or weights, and weights from new points to fitted ones."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from fewlabels.answer import Answer, answer
from fewlabels.errors import FewlabelsError, UnreachedWarning
from fewlabels.graph import Graph
from fewlabels.labels import Seeds, entries_of
from fewlabels.methods import DEFAULT_METHOD, DEFAULT_REGRESSION, Method, named_method
from fewlabels.neighbors import NeighborSearch
from fewlabels.progress import say, shown
from fewlabels.reach import unreached_sentence
from fewlabels.weights import edge_weights

__all__ = ["FEATURES", "FewLabelEstimator"]

PRECOMPUTED = "precomputed"
FEATURES = "features"


class FewLabelEstimator(BaseEstimator):
    """What both estimators share: a graph from features or weights, and weights from new points to fitted ones."""

    def __init__(
        self,
        method: str | Method = DEFAULT_REGRESSION,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "gaussian",
        search: str = "auto",
        graph: str = FEATURES,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.search = search
        self.graph = graph
        self.verbose = verbose

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``method__hops=3`` reaches into the method, also when it was given by name.

        Where the method is left at "auto", it becomes Interface Laplace learning with those parameters.
        """
        if isinstance(self.method, str) and "method" not in params and any(p.startswith("method__") for p in params):
            self.method = named_method(DEFAULT_REGRESSION if self.method == DEFAULT_METHOD else self.method)
        super().set_params(**params)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.graph == PRECOMPUTED
        return tags

    def _build_graph(self, X: Any) -> tuple[Graph, NeighborSearch | None]:
        """Return the graph and, for features, the search that finds neighbours of new points; change nothing yet."""
        if self.graph == PRECOMPUTED:
            if hasattr(X, "adj") and hasattr(X, "nodes"):
                X = Graph.from_weights(X)
            if isinstance(X, Graph):
                self.n_features_in_ = X.n_nodes
                return X, None
            return Graph.from_weights(validate_data(self, X, accept_sparse="csr", dtype=np.float64)), None
        if self.graph != FEATURES:
            raise FewlabelsError(f"graph={self.graph!r} is not known; choose '{FEATURES}' or '{PRECOMPUTED}'.")
        if isinstance(X, Graph):
            raise FewlabelsError("X is a Graph; construct the estimator with graph='precomputed' to use it as it is.")
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=2)
        search = NeighborSearch(X, metric=self.metric, search=self.search)
        say(f"connecting {X.shape[0]:,} points with their {self.n_neighbors} nearest")
        near = search.among_themselves(self.n_neighbors)
        return Graph.from_neighbors(near, weights=self.weights), search

    def _fit(self, X: Any, seeds: Seeds, *, keep_sizes: bool = False) -> Answer:
        """Answer for the seeds on the graph of X; keep it only when nothing was refused on the way."""
        with shown(self.verbose):
            graph, search = self._build_graph(X)
            points = None if search is None else X
            found = answer(graph, seeds, self._method_for(points), keep_sizes=keep_sizes)
        self._search = search
        self._keep_answer(found)
        return found

    def _method_for(self, points: Any) -> Method:
        method = self._chosen_method()
        return method if points is None else method.with_features(points)

    def _keep_answer(self, found: Answer) -> None:
        """Keep an answer, and tell how its solves went and which points no label reaches."""
        self._answer, self.graph_ = found, found.graph
        self.solves_ = [str(solution) for solution in found.spread.solves]
        self.n_iter_ = max((solution.n_iter for solution in found.spread.solves), default=1)
        self.reached_ = found.reached
        if not self.reached_.all():
            said = unreached_sentence(self.graph_, self.reached_, "row {}", "n_neighbors", found.unreached)
            warnings.warn(said, UnreachedWarning, stacklevel=4)

    def _chosen_method(self) -> Method:
        return named_method(self.method)

    def _weights_to_fitted(self, X: Any) -> tuple[Any, NDArray[np.bool_]]:
        """Return rows that average over the fitted points, and which rows are fitted points themselves.

        A new point takes the harmonic value: the average of its neighbours by edge weight. A row that equals a fitted
        point is that point.
        """
        check_is_fitted(self)
        if self.graph == PRECOMPUTED:
            if isinstance(X, Graph):
                raise FewlabelsError("predict takes the weights of new points to the fitted nodes; see transduction_.")
            rows = sp.csr_array(validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False))
            if (rows.data < 0).any():
                raise FewlabelsError("new rows hold negative weights; give their similarities to the fitted nodes.")
            largest = rows.max(axis=1).toarray().ravel()
            scale = np.divide(1.0, largest, out=np.zeros_like(largest), where=largest > 1e-300)
            rows = sp.csr_array(sp.diags_array(scale) @ rows)
            totals = np.asarray(rows.sum(axis=1)).ravel()
            shares = sp.diags_array(np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0))
            return sp.csr_array(shares @ rows), np.zeros(rows.shape[0], dtype=bool)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        assert self._search is not None
        near = self._search.of(X, self.n_neighbors)
        known = near.distances[:, 0] == 0
        strength = edge_weights(near.distances, self.weights)
        strength[known] = near.distances[known] == 0
        strength /= strength.sum(axis=1, keepdims=True)
        places = (np.repeat(np.arange(near.n_points), near.n_neighbors), near.indices.ravel())
        return sp.csr_array((strength.ravel(), places), shape=(near.n_points, self.graph_.n_nodes)), known

    def _checked_target(self, X: Any, y: Any) -> NDArray[Any]:
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None")
        y = column_or_1d(entries_of(y), warn=True)
        if y.dtype.kind == "f":
            assert_all_finite(y, allow_nan=True, input_name="y")
        if not isinstance(X, Graph):
            check_consistent_length(X, y)
        elif X.n_nodes != y.size:
            raise FewlabelsError(f"the graph has {X.n_nodes} nodes but y {y.size} entries; give one per node.")
        return np.asarray(y)
