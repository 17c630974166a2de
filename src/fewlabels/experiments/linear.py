"""A linear classifier on the features of the labelled points: what one would do without a graph."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread

__all__ = ["LinearClassifier", "linear_probabilities"]


def linear_probabilities(
    X: NDArray[Any], nodes: NDArray[np.int64], codes: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the probabilities of every row by logistic regression on the labelled ones, and each column's class.

    Features are scaled to mean 0 and deviation 1 over all rows.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaled = StandardScaler().fit_transform(X.astype(np.float64))
    model = LogisticRegression(max_iter=1000).fit(scaled[nodes], codes)
    return model.predict_proba(scaled), model.classes_


@dataclass(eq=False)
class LinearClassifier(Method):
    """Multinomial logistic regression on standardised features, as appendix C of the paper compares with."""

    features: NDArray[Any] | None = field(default=None, repr=False)

    def with_features(self, X: Any) -> Self:
        """Return the classifier of these features."""
        return replace(self, features=np.asarray(X))

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if self.features is None:
            raise FewlabelsError("a linear classifier needs features; this data set has only neighbours.")
        found, classes = linear_probabilities(self.features, seeds.indices, seeds.codes)
        scores = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
        scores[:, classes] = found
        return Spread(scores, ())
