"""FewLabelClassifier and FewLabelRegressor: the whole path behind scikit-learn's manners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from fewlabels.errors import FewlabelsError
from fewlabels.estimator_base import FEATURES, FewLabelEstimator
from fewlabels.kept import read_only
from fewlabels.label_entries import without_label
from fewlabels.labels import Seeds, entries_of, is_unlabelled, prior_for
from fewlabels.loop import LabelingLoop
from fewlabels.methods import DEFAULT_METHOD, Method, named_method
from fewlabels.predictor import class_probabilities

if TYPE_CHECKING:
    from fewlabels.web.notebook import Page

__all__ = ["FewLabelClassifier", "FewLabelRegressor"]


class FewLabelClassifier(ClassifierMixin, FewLabelEstimator):
    """Label a whole data set from a handful of labels.

    Parameters
    ----------
    method : str or method
        "auto" weighs several methods by what the labels say for each; or "interface-laplace", "poisson", "laplace", or
        another by name, or a method with its own parameters.
    n_neighbors : int
        Neighbours that each point is connected with.
    metric : {"euclidean", "cosine"}
    weights : {"gaussian", "uniform"}
    search : {"auto", "exact", "approximate"}
        How neighbours are found; "auto" is exact up to 150,000 points.
    graph : {"features", "precomputed"}
        "precomputed": `X` is a symmetric weight matrix or a :class:`~fewlabels.Graph`.
    random_state : int, RandomState or None
        Which labels are drawn again to weigh methods and to tell how sure the answer is, which points `suggest`
        compares, and what is random in a method that has its own. None is 0: every fit repeats.
    n_jobs : int or None
        Cores to use, -1 or None for all that this process may use.
    class_prior : array-like in the order of `classes_`, or mapping from label to share, optional
        Known shares of the classes in the data: every class then gets exactly its share of the points. Without it, and
        with more labels of some classes than of others, labels count as if the classes were of one size.
    refine : {None, "mbo"}
        "mbo" follows up with rounds of short diffusion and thresholding at the class sizes (equal ones, if
        `class_prior` does not tell): better labels where the sizes are right, worse where they are wrong. It begins
        from the scores of `method`; where that is left alone, from Poisson, Laplace and Interface Laplace learning
        together.
    verbose : bool
        Show progress on standard error.

    Attributes
    ----------
    classes_ : ndarray
    transduction_ : ndarray, shape (n,)
        A label for every fitted point.
    chosen_ : tuple of Evidence
        What method "auto" weighed, the contender with most weight first: its name, the share of the given labels that
        labels drawn again from its answer give back, the share of points that then keep their label, and its weight.
        Empty for other methods.
    label_distributions_ : ndarray, shape (n, c)
        Class probabilities of every fitted point.
    scores_ : ndarray, shape (n, c)
    reached_ : ndarray of bool, shape (n,)
        False for points in a part of the graph without any label, which got the prior.
    graph_ : Graph
    solves_ : list of str
        How each linear solve went.
    n_iter_ : int
        The most steps a solve took.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = np.array(["cat", "", "", "", "", "dog"])
    >>> FewLabelClassifier(n_neighbors=2).fit(X, y).transduction_.tolist()
    ['cat', 'cat', 'cat', 'dog', 'dog', 'dog']
    """

    def __init__(
        self,
        method: str | Method = DEFAULT_METHOD,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "gaussian",
        search: str = "auto",
        graph: str = FEATURES,
        random_state: Any = None,
        n_jobs: int | None = None,
        class_prior: ArrayLike | Mapping[Any, float] | None = None,
        refine: str | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            method,
            n_neighbors=n_neighbors,
            metric=metric,
            weights=weights,
            search=search,
            graph=graph,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.class_prior = class_prior
        self.refine = refine

    def fit(self, X: Any, y: Any) -> Self:
        """Spread the labels in `y` over the rows of `X`.

        Parameters
        ----------
        X : array-like, DataFrame, sparse matrix or Graph
        y : array-like, shape (n,)
            Labels; -1, None, NaN or an empty string where there is none. Only when `y` holds nothing but -1 and 1,
            a tenth or more of it 1, are both taken as labels: that is the classical coding of two classes.
        """
        y = self._checked_target(X, y)
        labelled = np.flatnonzero(~without_label(y))
        if labelled.size and y.dtype != object:
            _check_kinds(y[labelled])
        prior = prior_for(self._shares(), y[labelled])
        seeds = Seeds.from_classes(labelled, y[labelled], class_prior=prior, balanced=True)
        self._fit(X, seeds, keep_sizes=self.class_prior is not None)
        return self._tell()

    def _chosen_method(self) -> Method:
        return named_method(self.method, refine=self.refine)

    def _tell(self) -> Self:
        """Show the answer as scikit-learn's attributes; what predictions rely on is read-only."""
        seeds, decision = self._answer.seeds, self._answer.labelled
        assert seeds.classes is not None
        self._decision, self._prior = replace(decision, drawn=None), seeds.prior
        self.classes_ = read_only(np.array(seeds.classes))
        self.scores_ = self._answer.spread.scores
        self.transduction_ = decision.labels
        self.label_distributions_ = decision.probabilities
        self.chosen_ = self._answer.chosen
        return self

    def _shares(self) -> Any:
        prior: Any = self.class_prior
        return prior.to_dict() if hasattr(prior, "to_dict") else prior

    def suggest(self, n: int = 1, *, strategy: str = "mixed", random_state: int = 0) -> NDArray[np.int64]:
        """Return the rows of the fitted data whose labels would help most, the most useful first.

        Parameters
        ----------
        n : int
            How many; they are chosen to be labelled together.
        strategy : {"mixed", "margin", "random"}
            "mixed" weighs the uncertainty of a row's label by what it would tell about the others.
        random_state : int
            Seed of the rows that are compared.
        """
        check_is_fitted(self)
        with self._working():
            return self._answer.suggest(n, strategy=strategy, random_state=random_state)

    def add_labels(self, rows: ArrayLike, labels: ArrayLike) -> Self:
        """Take in labels of more rows of the fitted data, or better ones of labelled rows, without starting over."""
        check_is_fitted(self)
        given = np.atleast_1d(entries_of(labels))
        if given.dtype != object and not is_unlabelled(given).any():
            _check_kinds(given)
        loop = LabelingLoop.after(self._answer, class_prior=self._shares())
        with self._working():
            loop.label(rows, labels)
        assert loop.answer is not None
        self._keep_answer(loop.answer)
        return self._tell()

    def page(self, **options: Any) -> Page:
        """Open a labelling page that goes on from the fitted labels; see :func:`fewlabels.page` for its options.

        The model itself stays as it is; `add_labels` takes the page's `labels` in.
        """
        from fewlabels.web.notebook import page_of

        check_is_fitted(self)
        return page_of(self._answer, **options)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities of new points; a row equal to a fitted point gets that point's."""
        check_is_fitted(self)
        decision, prior = self._decision, self._prior
        scores = self.scores_ + decision.offsets
        return class_probabilities(self._weights_to_fitted(X), decision.probabilities, scores, prior)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable label of new points."""
        most_probable = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most_probable])

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the accuracy over the rows that have a label; unlabelled entries of `y` do not count."""
        y = column_or_1d(y)
        labelled = ~without_label(y)
        if not labelled.any():
            raise FewlabelsError("y has no labels to score against; give the true labels of some rows.")
        weight = None if sample_weight is None else np.asarray(sample_weight)[labelled]
        return float(np.average(y[labelled] == self.predict(X)[labelled], weights=weight))


def _check_kinds(labels: NDArray[Any]) -> None:
    """Refuse what cannot be a class; each label counts thrice, so that one of each class does not look like values."""
    check_classification_targets(np.repeat(labels, 3))


class FewLabelRegressor(RegressorMixin, FewLabelEstimator):
    """Estimate a number for every point of a data set from a handful of known ones.

    Parameters
    ----------
    method : str or method
        "interface-laplace", "laplace", "poisson", or a method with its own parameters.
    n_neighbors, metric, weights, search, graph, random_state, n_jobs, verbose
        As in :class:`FewLabelClassifier`.

    Attributes
    ----------
    transduction_ : ndarray, shape (n,)
        A value for every fitted point; the given one where there is one.
    reached_, graph_, solves_, n_iter_
        As in :class:`FewLabelClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array([0.0, np.nan, np.nan, 3.0])
    >>> model = FewLabelRegressor(method="laplace", n_neighbors=1, weights="uniform")
    >>> model.fit(np.array([[0.0], [1.0], [2.1], [3.1]]), y).transduction_.round(3).tolist()
    [0.0, 0.0, 3.0, 3.0]
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Spread the values in `y`, NaN where there is none, over the rows of `X`."""
        y = self._checked_target(X, y)
        try:
            values = y.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise FewlabelsError(f"y must be numbers, NaN where there is none ({error}).") from None
        known = np.flatnonzero(~np.isnan(values))
        if known.size == 0:
            raise FewlabelsError("y has no values, every entry is NaN; give at least one number.")
        seeds = Seeds.from_values(known, values[known])
        self.transduction_ = self._fit(X, seeds).values
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the values of new points: the average of their neighbours by edge weight."""
        average, _ = self._weights_to_fitted(X)
        alone = np.asarray(average.sum(axis=1)).ravel() == 0
        return np.asarray(np.where(alone, self.transduction_.mean(), average @ self.transduction_))

    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return R^2 over the rows that have a value; NaN entries of `y` do not count."""
        values = np.asarray(column_or_1d(y), dtype=np.float64)
        known = ~np.isnan(values)
        if not known.any():
            raise FewlabelsError("y has no values to score against; give the true values of some rows.")
        weight = None if sample_weight is None else np.asarray(sample_weight)[known]
        return float(r2_score(values[known], self.predict(X)[known], sample_weight=weight))
