"""Seeds: which nodes are labelled, what they say, and how much each counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.kept import ReadOnlyArrays
from fewlabels.label_entries import (
    class_shares,
    entries_of,
    is_unlabelled,
    node_numbers,
    prior_for,
    sortable_labels,
)

__all__ = ["Seeds", "draw", "entries_of", "is_unlabelled", "one_class_sentence", "prior_for"]


@dataclass(frozen=True, eq=False, repr=False)
class Seeds(ReadOnlyArrays):
    """The labelled nodes of a graph.

    Build one with :meth:`from_classes`, :meth:`from_y` or :meth:`from_values`.

    Attributes
    ----------
    indices : ndarray of int, shape (m,)
        The labelled nodes.
    targets : ndarray of float, shape (m, c)
        One-hot rows for classes; one column of values for regression.
    classes : ndarray of shape (c,), or None
        The label that each column stands for; None for regression.
    prior : ndarray of float, shape (c,)
        The share of each class in the data, as given or assumed; sums to one.
    class_weights : ndarray of float, shape (c,)
        s_j = b_j / n_j, the given share of a class over its share among the seeds; ones when no prior is given.

    Examples
    --------
    >>> seeds = Seeds.from_classes([4, 9], ["cat", "dog"])
    >>> seeds.classes.tolist(), seeds.targets.tolist()
    (['cat', 'dog'], [[1.0, 0.0], [0.0, 1.0]])
    """

    indices: NDArray[np.int64]
    targets: NDArray[np.float64]
    classes: NDArray[Any] | None
    prior: NDArray[np.float64]
    class_weights: NDArray[np.float64]

    @classmethod
    def from_classes(
        cls,
        indices: ArrayLike,
        classes: ArrayLike,
        *,
        n_classes: int | None = None,
        class_prior: ArrayLike | None = None,
        balanced: bool = False,
    ) -> Seeds:
        """Build seeds from labelled nodes and their classes.

        Parameters
        ----------
        indices : array-like of int, shape (m,)
            The labelled nodes, each once.
        classes : array-like of shape (m,)
            Their labels. With `n_classes`, integers from 0 to n_classes - 1; otherwise anything that sorts.
        n_classes : int, optional
            The number of score columns. A class without a seed keeps its column and is never predicted
            where a label reaches.
        class_prior : array-like of float, shape (c,), optional
            Known shares b_j of the classes in the whole data, in the order of the columns. Each seed then counts
            s_j = b_j / n_j, where n_j is the share of its class among the seeds.
        balanced : bool
            Without a prior, let labels count as if all classes that have some were of one size.
        """
        nodes = node_numbers(indices)
        given = sortable_labels(entries_of(classes))
        if given.shape != nodes.shape:
            raise FewlabelsError(
                f"{nodes.size} labelled nodes but classes of shape {given.shape}; give one class per labelled node."
            )
        if nodes.size == 0:
            raise FewlabelsError("no labels at all; label at least one node of each class.")
        names, codes = _coded(given, n_classes)
        targets = np.zeros((nodes.size, names.size))
        targets[np.arange(nodes.size), codes] = 1.0
        shares = targets.mean(axis=0)
        if class_prior is None and balanced:
            class_prior = (shares > 0) / np.count_nonzero(shares)
        if class_prior is None:
            return cls(nodes, targets, names, shares, np.ones(names.size))
        prior = class_shares(class_prior, names.size)
        weights = np.divide(prior, shares, out=np.zeros_like(prior), where=shares > 0)
        if not (targets @ weights > 0).all():
            raise FewlabelsError(
                "class_prior gives a class that has labels a share of zero; give it a share above zero."
            )
        return cls(nodes, targets, names, prior, weights)

    @classmethod
    def from_y(cls, y: ArrayLike, *, class_prior: ArrayLike | None = None) -> Seeds:
        """Build seeds from one entry per node: a label, or a sign that there is none.

        Unlabelled are -1 and "-1" (scikit-learn's sign), None, NaN and the empty string.

        Examples
        --------
        >>> Seeds.from_y([-1, 7, -1, 9]).indices.tolist()
        [1, 3]
        """
        entries = entries_of(y)
        if entries.ndim != 1:
            raise FewlabelsError(f"y has shape {entries.shape}; give one label per node, -1 where there is none.")
        labelled = np.flatnonzero(~is_unlabelled(entries))
        if labelled.size == 0:
            raise FewlabelsError("y has no labels, every entry is unlabelled; label at least one node of each class.")
        return cls.from_classes(labelled, entries[labelled], class_prior=class_prior)

    @classmethod
    def from_values(cls, indices: ArrayLike, values: ArrayLike) -> Seeds:
        """Build seeds for regression: labelled nodes and a number for each.

        Examples
        --------
        >>> Seeds.from_values([0, 5], [1.5, -2.0]).is_regression
        True
        """
        nodes = node_numbers(indices)
        try:
            numbers = np.asarray(values)
            numbers = (
                numbers.astype(np.float64) if numbers.dtype.kind in "biuf" else np.asarray(values, dtype=np.float64)
            )
        except (TypeError, ValueError, OverflowError) as error:
            raise FewlabelsError(f"the values must be numbers ({error}).") from None
        if numbers.shape != nodes.shape:
            raise FewlabelsError(
                f"{nodes.size} labelled nodes but values of shape {numbers.shape}; give one number per labelled node."
            )
        if nodes.size == 0:
            raise FewlabelsError("no labelled values at all; give at least one.")
        if not np.isfinite(numbers).all():
            bad = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise FewlabelsError(f"the value of node {nodes[bad]} is {numbers[bad]}; leave unlabelled nodes out.")
        return cls(nodes, numbers[:, None], None, np.ones(1), np.ones(1))

    def __repr__(self) -> str:
        of = "values" if self.classes is None else f"{self.classes.size} classes"
        return f"Seeds({self.size} labels, {of})"

    @property
    def is_regression(self) -> bool:
        """Whether the targets are values rather than classes."""
        return self.classes is None

    @property
    def size(self) -> int:
        """The number of labelled nodes, m."""
        return self.indices.size

    @property
    def weights(self) -> NDArray[np.float64]:
        """How much each seed counts: s of its class, or one."""
        return np.ones(self.size) if self.is_regression else self.targets @ self.class_weights

    @property
    def codes(self) -> NDArray[np.int64]:
        """The column of each seed's class."""
        return np.asarray(self.targets.argmax(axis=1))

    def check_fits(self, n_nodes: int) -> None:
        """Refuse seeds that name a node the graph does not have."""
        if self.indices.max() >= n_nodes:
            raise FewlabelsError(
                f"node {self.indices.max()} is labelled but the graph has nodes 0 to {n_nodes - 1}; "
                "number the nodes from 0."
            )


def one_class_sentence(seeds: Seeds) -> str:
    """Say that labels of one class tell nothing apart; nothing where there are several.

    Examples
    --------
    >>> one_class_sentence(Seeds.from_classes([0, 3], ["cat", "dog"]))
    ''
    """
    if seeds.classes is None or seeds.classes.size > 1:
        return ""
    return (
        f"all labels are of one class ({seeds.classes[0]}): every point gets it, which tells nothing apart; label at "
        "least one point of another class."
    )


def _coded(given: NDArray[Any], n_classes: int | None) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the classes and the number of each given label among them."""
    if n_classes is None:
        names, codes = np.unique(given, return_inverse=True)
        return names, codes
    if not np.issubdtype(given.dtype, np.integer):
        raise FewlabelsError(
            f"with n_classes the classes must be integers 0 to {n_classes - 1}, not {given.dtype}; "
            "leave n_classes out to use any labels."
        )
    if given.min() < 0 or given.max() >= n_classes:
        raise FewlabelsError(
            f"class {given.min() if given.min() < 0 else given.max()} is not in 0 to {n_classes - 1}; "
            "raise n_classes, or leave it out to use any labels."
        )
    return np.arange(n_classes), given.astype(np.int64)


def draw(
    y: ArrayLike, per_class: int | Sequence[int], *, random_state: int | np.random.Generator | None = None
) -> Seeds:
    """Draw `per_class` labelled nodes of each class at random.

    Examples
    --------
    >>> draw([0, 0, 1, 1, 1], 1, random_state=0).targets.sum(axis=0).tolist()
    [1.0, 1.0]
    """
    labels = np.asarray(y)
    rng = np.random.default_rng(random_state)
    names, codes = np.unique(labels, return_inverse=True)
    counts = np.broadcast_to(np.asarray(per_class), names.shape)
    sizes = np.bincount(codes, minlength=names.size)
    if (counts > sizes).any() or (counts < 1).any():
        short = int(np.flatnonzero((counts > sizes) | (counts < 1))[0])
        raise FewlabelsError(
            f"cannot draw {counts[short]} of class {names[short]}, which has {sizes[short]} nodes; draw fewer."
        )
    chosen = [rng.choice(np.flatnonzero(codes == j), size=counts[j], replace=False) for j in range(names.size)]
    nodes = np.concatenate(chosen)
    return Seeds.from_classes(nodes, labels[nodes])
