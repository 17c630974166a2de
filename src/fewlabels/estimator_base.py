"""What both estimators share: a graph from features or weights, and weights from new points to fitted ones."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from fewlabels.answer import Answer, answer
from fewlabels.errors import FewlabelsError, OneClassWarning, UnreachedWarning
from fewlabels.graph import Graph
from fewlabels.labels import Seeds, entries_of, one_class_sentence
from fewlabels.marks import seed_of, with_random_state
from fewlabels.methods import DEFAULT_METHOD, DEFAULT_REGRESSION, Method, Spread, named_method, seeded
from fewlabels.neighbors import NeighborSearch
from fewlabels.predictor import averages_over_known
from fewlabels.progress import say, shown
from fewlabels.reach import unreached_sentence
from fewlabels.threads import jobs_limited

__all__ = ["FEATURES", "FewLabelEstimator"]

PRECOMPUTED = "precomputed"
FEATURES = "features"


class FewLabelEstimator(BaseEstimator):
    """What both estimators share: a graph from features or weights, and weights from new points to fitted ones."""

    _found: Any

    def __init__(
        self,
        method: str | Method = DEFAULT_REGRESSION,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "gaussian",
        search: str = "auto",
        graph: str = FEATURES,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.search = search
        self.graph = graph
        self.random_state = random_state
        self.n_jobs = n_jobs
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
        with self._working():
            seed = seed_of(self.random_state)
            graph, search = self._build_graph(X)
            method = self._seeded_method(seed)
            if search is not None:
                method = method.with_features(search.features)
            found = answer(with_random_state(graph, seed), seeds, method, keep_sizes=keep_sizes)
        self._search = search
        self._keep_answer(found)
        return found

    def fit_predict(self, X: Any, y: Any) -> NDArray[Any]:
        """Fit, and return `transduction_`: the answer for every row of `X`."""
        self.fit(X, y)
        return np.asarray(self.transduction_)

    @contextmanager
    def _working(self) -> Iterator[None]:
        with jobs_limited(self.n_jobs), shown(self.verbose):
            yield

    def _seeded_method(self, seed: int) -> Method:
        """Return the method; what is random in it follows `random_state`, where that is given."""
        method = self._chosen_method()
        return method if self.random_state is None else seeded(method, seed)

    @property
    def _answer(self) -> Answer:
        """The answer; of a model that comes from a pickle, with the graph made again when it is asked for."""
        found = self._found
        if isinstance(found, Answer):
            return found
        seeds, method, spread, decision, seed = found
        assert self._search is not None
        near = self._search.among_themselves(self.n_neighbors)
        graph = with_random_state(Graph.from_neighbors(near, weights=self.weights), seed)
        self._found = again = Answer(graph, seeds, method, spread, decision)
        return again

    @property
    def graph_(self) -> Graph:
        """The graph of the fitted points."""
        check_is_fitted(self)
        return self._answer.graph

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what predictions need, once: the features and the answer, but neither the graph nor how it was found.

        A graph that was given is kept; one that was made of features is made again when it is asked for.
        """
        state: dict[str, Any] = super().__getstate__()
        found = state.get("_found")
        if isinstance(found, Answer):
            spread = Spread(found.spread.scores, ())
            decision = None if found.decision is None else replace(found.decision, drawn=None)
            light = found.seeds, found.method, spread, decision
            given = state["_search"] is None
            state["_found"] = Answer(found.graph, *light) if given else (*light, found.graph.random_state)
        return state

    def _keep_answer(self, found: Answer) -> None:
        """Keep an answer, and tell how its solves went and which points no label reaches."""
        self._found = found
        self.solves_ = [str(solution) for solution in found.spread.solves]
        self.n_iter_ = max((solution.n_iter for solution in found.spread.solves), default=1)
        self.reached_ = found.reached
        if not self.reached_.all():
            said = unreached_sentence(found.graph, self.reached_, "n_neighbors", found.unreached)
            warnings.warn(said, UnreachedWarning, stacklevel=4)
        if said := one_class_sentence(found.seeds):
            warnings.warn(said, OneClassWarning, stacklevel=4)

    def _chosen_method(self) -> Method:
        return named_method(self.method)

    def _weights_to_fitted(self, X: Any) -> tuple[Any, NDArray[np.bool_]]:
        """Return rows that average over the fitted points, and which rows are fitted points themselves."""
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
        with jobs_limited(self.n_jobs):
            return averages_over_known(self._search, X, self.n_neighbors, self.weights)

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
