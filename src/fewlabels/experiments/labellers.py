"""Who labels a data set: the default classifier, each method of the library, and what one would do instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.answer import answer
from fewlabels.datasets import Dataset
from fewlabels.errors import FewlabelsError
from fewlabels.estimators import FewLabelClassifier
from fewlabels.experiments.linear import linear_probabilities
from fewlabels.experiments.plans import LINEAR, Spec
from fewlabels.experiments.runner import method_of
from fewlabels.experiments.versions import code_version
from fewlabels.labels import Seeds
from fewlabels.methods import DEFAULT_METHOD, METHODS, Method, named_method

__all__ = ["DEFAULT", "DEFAULT_MODULES", "LABELLERS", "LIBRARY", "PLAIN", "Labelled", "Labeller", "default_method"]

DEFAULT = "default"
"""The classifier as it is without any parameter, whatever its method then is."""

LEFT_OUT = ("auto", "interface-laplace-network")
"""The default is a row of its own; the network is trained for every draw."""

MOST_ENTRIES = {"mbo": 2_000_000, "poisson-mbo": 800_000, "cut-ssl": 800_000, "p-conductance": 800_000}
"""Points times classes beyond which a method takes minutes: mbo needs the lowest modes of the graph."""

NEIGHBORS = 10
DEFAULT_MODULES = (answer.__module__, METHODS[DEFAULT_METHOD].__module__)
"""What the default's answer is made of."""

Nodes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Labelled:
    """A class for every point and, where there are probabilities, that of each class given."""

    classes: NDArray[np.int64]
    confidence: NDArray[np.floating[Any]] | None = None


@dataclass(frozen=True)
class Labeller:
    """How a data set is labelled from some of its points; `spec` is its name in the store, `modules` its code."""

    spec: Spec
    label: Callable[[Dataset, Nodes], Labelled]
    modules: tuple[str, ...]

    @property
    def version(self) -> str:
        """The version of its code."""
        return code_version(*self.modules)


def default_method(data: Dataset) -> Method:
    """Return the method of the classifier as it is used on a data set."""
    method = named_method(FewLabelClassifier().method)
    return method if data.features is None else method.with_features(data.features)


def _default(data: Dataset, nodes: Nodes) -> Labelled:
    seeds = Seeds.from_classes(nodes, data.y[nodes], balanced=True)
    decision = answer(data.graph, seeds, default_method(data)).labelled
    return Labelled(decision.labels, decision.confidence)


def _by_method(name: str) -> Labeller:
    def label(data: Dataset, nodes: Nodes) -> Labelled:
        most = MOST_ENTRIES.get(name, np.inf)
        if data.y.size * (data.y.max() + 1) > most:
            raise FewlabelsError(f"{name} takes minutes with more than {most:,} points times classes; left out.")
        seeds = Seeds.from_classes(nodes, data.y[nodes], balanced=True)
        assert seeds.classes is not None
        scores = method_of(Spec(name), data).scores(data.graph, seeds)
        return Labelled(seeds.classes[scores.argmax(axis=1)])

    return Labeller(Spec(name), label, (METHODS[name].__module__,))


def _logistic_regression(data: Dataset, nodes: Nodes) -> Labelled:
    assert data.features is not None
    found, classes = linear_probabilities(data.features, nodes, data.y[nodes])
    return Labelled(classes[found.argmax(axis=1)], found.max(axis=1))


def _nearest_label(data: Dataset, nodes: Nodes) -> Labelled:
    from sklearn.neighbors import KNeighborsClassifier

    assert data.features is not None
    model = KNeighborsClassifier(1).fit(data.features[nodes], data.y[nodes])
    return Labelled(model.predict(data.features))


def _label_spreading(data: Dataset, nodes: Nodes) -> Labelled:
    """scikit-learn's LabelSpreading(kernel="knn", n_neighbors=10), handed the neighbours that are known already.

    A point counts as the first of its own neighbours there. Where no label arrives its probabilities are all zero and
    its label is the first class; such a label has the confidence of a guess.
    """
    from sklearn.semi_supervised import LabelSpreading

    assert data.features is not None
    given = np.full(data.y.size, -1)
    given[nodes] = data.y[nodes]
    model = LabelSpreading(kernel=lambda *_: _connected(data)).fit(data.features, given)
    confidence = model.label_distributions_.max(axis=1)
    return Labelled(model.transduction_, np.fmax(confidence, 1.0 / model.classes_.size))


def _connected(data: Dataset) -> sp.csr_matrix:
    """Return ones at each point and at its nearest nine others, as scikit-learn's knn kernel has them."""
    n, near = data.y.size, data.neighbors.indices[:, : NEIGHBORS - 1]
    columns = np.hstack([np.arange(n)[:, None], near])
    rows = np.arange(0, columns.size + 1, columns.shape[1])
    return sp.csr_matrix((np.ones(columns.size), columns.ravel(), rows), shape=(n, n))


LIBRARY = {name: _by_method(name) for name in METHODS if name not in LEFT_OUT}
PLAIN = {
    "logistic-regression": Labeller(Spec(LINEAR), _logistic_regression, (linear_probabilities.__module__,)),
    "1-nearest-neighbor": Labeller(Spec("1-nearest-neighbor"), _nearest_label, (Dataset.__module__,)),
    "label-spreading": Labeller(Spec("label-spreading"), _label_spreading, (Dataset.__module__,)),
}
"""What one would do without this library: two classifiers of the features alone, and scikit-learn on the neighbours."""

LABELLERS = {
    DEFAULT: Labeller(Spec(DEFAULT, {"method": str(FewLabelClassifier().method)}), _default, DEFAULT_MODULES),
    **LIBRARY,
    **PLAIN,
}
