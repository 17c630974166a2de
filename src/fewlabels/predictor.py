"""Labels of points that come later: what that needs of an answer, in memory and in a file without pickle.

A new point takes the harmonic value: the average of its neighbours among the labelled points by edge weight. A row that
equals one of them is that point.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.answer import Answer
from fewlabels.confidence import entries, in_favour_of
from fewlabels.errors import FewlabelsError
from fewlabels.files import digest, load_arrays, save_arrays
from fewlabels.kept import ReadOnlyArrays
from fewlabels.neighbors import NeighborSearch
from fewlabels.weights import edge_weights

__all__ = ["Predictor", "averages_over_known", "class_probabilities"]

FORMAT = "fewlabels model 1"
WHAT = "a model written by fewlabels label --save"

Average = tuple[Any, NDArray[np.bool_]]


def averages_over_known(search: NeighborSearch, X: Any, n_neighbors: int, weights: str) -> Average:
    """Return rows that average over the points of the search, and which rows are such points themselves."""
    near = search.of(X, n_neighbors)
    known = near.distances[:, 0] == 0
    strength = edge_weights(near.distances, weights)
    strength[known] = near.distances[known] == 0
    strength /= strength.sum(axis=1, keepdims=True)
    places = (np.repeat(np.arange(near.n_points), near.n_neighbors), near.indices.ravel())
    return sp.csr_array((strength.ravel(), places), shape=(near.n_points, search.features.shape[0])), known


def class_probabilities(
    average: Average,
    probabilities: NDArray[np.floating[Any]],
    scores: NDArray[np.floating[Any]],
    prior: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the averaged distributions, each in favour of the class with the largest averaged score."""
    rows_of, known = average
    rows = np.asarray(rows_of @ probabilities)
    alone = np.asarray(rows_of.sum(axis=1)).ravel() == 0
    rows[alone] = prior
    scored = np.where(rows > 0, np.asarray(rows_of @ scores), -np.inf)
    decided = known | alone
    rows[~decided] = in_favour_of(scored[~decided].argmax(axis=1), rows[~decided])
    return rows


@dataclass(frozen=True, eq=False)
class Predictor(ReadOnlyArrays):
    """What labels points that come later.

    Attributes
    ----------
    search : NeighborSearch
        The points that were labelled.
    n_neighbors, weights
        As the graph was made.
    classes : ndarray, shape (c,)
    probabilities, scores : ndarray, shape (n, c)
        Of the points that were labelled; scores with the offsets that gave classes their sizes.
    prior : ndarray, shape (c,)
    reached : ndarray of bool, shape (n,)
    names : tuple of str
        What the features are called, empty where they have no names.

    Examples
    --------
    >>> from fewlabels import Graph, Seeds, Laplace
    >>> from fewlabels.answer import answer
    >>> search = NeighborSearch([[0.0], [0.1], [5.0], [5.1]])
    >>> graph = Graph.from_neighbors(search.among_themselves(1))
    >>> found = answer(graph, Seeds.from_classes([0, 3], ["cat", "dog"]), Laplace())
    >>> labels, confidence, reached = Predictor.after(found, search, 1, "gaussian").labelled([[4.0], [0.2]])
    >>> labels.tolist()
    ['dog', 'cat']
    """

    search: NeighborSearch
    n_neighbors: int
    weights: str
    classes: NDArray[Any]
    probabilities: NDArray[np.floating[Any]]
    scores: NDArray[np.floating[Any]]
    prior: NDArray[np.float64]
    reached: NDArray[np.bool_]
    names: tuple[str, ...] = ()

    @classmethod
    def after(
        cls, found: Answer, search: NeighborSearch, n_neighbors: int, weights: str, names: Sequence[str] = ()
    ) -> Predictor:
        """Take from an answer on the graph of these points what predictions need."""
        decision, seeds = found.labelled, found.seeds
        assert seeds.classes is not None
        scores = found.spread.scores + decision.offsets
        named = tuple(names) if all(names) else ()
        return cls(
            search,
            n_neighbors,
            weights,
            np.array(seeds.classes),
            decision.probabilities,
            scores,
            seeds.prior,
            decision.reached,
            named,
        )

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class probabilities of new points."""
        average = averages_over_known(self.search, X, self.n_neighbors, self.weights)
        return class_probabilities(average, self.probabilities, self.scores, self.prior)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable label of new points."""
        return np.asarray(self.classes[self.predict_proba(X).argmax(axis=1)])

    def labelled(self, X: Any) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_]]:
        """Return labels, their confidence, and which new points lie where a label reaches."""
        labels, confidence, reached, _ = self.answered(X)
        return labels, confidence, reached

    def answered(self, X: Any) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
        """Return the same, and the class probabilities."""
        average = averages_over_known(self.search, X, self.n_neighbors, self.weights)
        rows = class_probabilities(average, self.probabilities, self.scores, self.prior)
        codes = rows.argmax(axis=1)
        confidence = entries(rows, codes) if self.classes.size > 1 else np.full(len(rows), 0.5)
        return self.classes[codes], confidence, np.asarray(average[0] @ self.reached) > 0.5, rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to an .npz file, without pickle, with a checksum."""
        X = self.search.features
        features = {"X": X}
        if sp.issparse(X):
            features = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape)}
        if self.classes.dtype == object:
            raise FewlabelsError(f"{path}: classes of several types cannot be saved; make all of them text.")
        arrays = {
            **features,
            "settings": np.array([str(self.n_neighbors), self.weights, self.search.metric, self.search.search]),
            "names": np.array(self.names, dtype=str),
            **{name: np.asarray(getattr(self, name)) for name in ARRAYS},
        }
        save_arrays(path, {**arrays, "format": np.array(FORMAT), "sha256": np.array(digest(arrays))})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Predictor:
        """Read a model that :meth:`save` wrote; a truncated or altered file is refused."""
        arrays = load_arrays(path, WHAT)
        kind = str(arrays.pop("format", ""))
        if kind != FORMAT:
            newer = (
                "; it comes from another version of fewlabels, make it again" if kind.startswith("fewlabels m") else ""
            )
            raise FewlabelsError(f"{path}: is not {WHAT}{newer}.")
        if str(arrays.pop("sha256", "")) != digest(arrays):
            raise FewlabelsError(f"{path}: altered since it was saved (its checksum does not fit); save it again.")
        try:
            return cls._from(arrays)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise FewlabelsError(f"{path}: holds no valid model ({error}); save it again.") from None

    @classmethod
    def _from(cls, arrays: dict[str, NDArray[Any]]) -> Predictor:
        X: Any = arrays.get("X")
        if X is None:
            parts = tuple(arrays[part] for part in ("data", "indices", "indptr"))
            X = sp.csr_array(parts, shape=tuple(arrays["shape"].tolist()))
            X.check_format(full_check=True)
        n_neighbors, weights, metric, search = arrays["settings"].tolist()
        n, c = X.shape[0], arrays["classes"].size
        for name, shape in zip(ARRAYS, ((c,), (n, c), (n, c), (c,), (n,)), strict=True):
            if arrays[name].shape != shape:
                raise ValueError(f"{name} of shape {arrays[name].shape} for {n} points and {c} classes")
        points = NeighborSearch(X, metric=metric, search=search)
        names = tuple(arrays["names"].tolist())
        found: Any = {name: arrays[name] for name in ARRAYS}
        return cls(points, int(n_neighbors), weights, **found, names=names)


ARRAYS = ("classes", "probabilities", "scores", "prior", "reached")
