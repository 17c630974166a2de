"""Seeds: which nodes are labelled, what they say, and how much each counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.errors import FewlabelsError

__all__ = ["Seeds", "draw", "entries_of", "is_unlabelled", "ordered_prior"]


@dataclass(frozen=True, eq=False, repr=False)
class Seeds:
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

    def __post_init__(self) -> None:
        for array in (self.indices, self.targets, self.classes, self.prior, self.class_weights):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_classes(
        cls,
        indices: ArrayLike,
        classes: ArrayLike,
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
        nodes = _nodes(indices)
        given = _sortable(entries_of(classes))
        if given.shape != nodes.shape:
            raise FewlabelsError(
                f"{nodes.size} labelled nodes but classes of shape {given.shape}; give one class per labelled node."
            )
        if nodes.size == 0:
            raise FewlabelsError("no labels at all; label at least one node of each class.")
        if n_classes is None:
            names, codes = np.unique(given, return_inverse=True)
        else:
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
            names, codes = np.arange(n_classes), given.astype(np.int64)
        targets = np.zeros((nodes.size, names.size))
        targets[np.arange(nodes.size), codes] = 1.0
        shares = targets.mean(axis=0)
        if class_prior is None and balanced:
            class_prior = (shares > 0) / np.count_nonzero(shares)
        if class_prior is None:
            return cls(nodes, targets, names, shares, np.ones(names.size))
        prior = _prior(class_prior, names.size)
        weights = np.divide(prior, shares, out=np.zeros_like(prior), where=shares > 0)
        if not (targets @ weights > 0).all():
            raise FewlabelsError(
                "class_prior gives a class that has labels a share of zero; give it a share above zero."
            )
        return cls(nodes, targets, names, prior, weights)

    @classmethod
    def from_y(cls, y: ArrayLike, class_prior: ArrayLike | None = None) -> Seeds:
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
        nodes = _nodes(indices)
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


def draw(y: ArrayLike, per_class: int | Sequence[int], random_state: int | np.random.Generator | None = None) -> Seeds:
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


def entries_of(y: Any) -> NDArray[Any]:
    """Return labels as an array in which a missing one stays missing, whatever stands beside it.

    Examples
    --------
    >>> entries_of(["cat", float("nan")]).dtype, entries_of([1, 2]).dtype.kind
    (dtype('O'), 'i')
    """
    if np.ma.isMaskedArray(y):
        entries = np.array(y.data, dtype=object)
        entries[np.ma.getmaskarray(y)] = None
        return entries
    if hasattr(y, "to_numpy") and not isinstance(getattr(y, "dtype", None), np.dtype):
        y = y.to_numpy(dtype=object)
    if isinstance(y, (list, tuple)) and len({isinstance(entry, (str, bytes)) for entry in y}) > 1:
        entries = np.empty(len(y), dtype=object)
        entries[:] = y
        return entries
    try:
        return np.asarray(y)
    except ValueError as error:
        raise FewlabelsError(f"labels must be a flat list of strings or numbers ({error}).") from None


def ordered_prior(prior: Mapping[Any, float], labels: NDArray[Any]) -> list[float]:
    """Return the shares in the order of the classes among the labels.

    Examples
    --------
    >>> ordered_prior({"dog": 0.3, "cat": 0.7}, np.array(["cat", "dog", "cat"]))
    [0.7, 0.3]
    """
    classes = np.unique(labels.tolist()).tolist()
    missing = [label for label in classes if label not in prior]
    if missing:
        raise FewlabelsError(f"class_prior has no share for class {missing[0]!r}; give one for every class.")
    unseen = [name for name, share in prior.items() if share and name not in classes]
    if unseen:
        raise FewlabelsError(
            f"class_prior has a share for {unseen[0]!r}, which has no label; label a point of it first."
        )
    return [prior[label] for label in classes]


def is_unlabelled(entries: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which entries of y stand for "no label": -1, "-1", None, NaN and the empty string."""
    if entries.dtype.kind in "biu":
        return np.asarray(entries == -1) if entries.dtype.kind == "i" else np.zeros(entries.size, dtype=bool)
    if entries.dtype.kind == "f":
        return np.asarray(np.isnan(entries) | (entries == -1))
    if entries.dtype.kind in "US":
        stripped = np.char.strip(entries.astype(str))
        return np.asarray((stripped == "") | (stripped == "-1"))
    return np.array([_says_nothing(entry) for entry in entries], dtype=bool)


def _says_nothing(entry: object) -> bool:
    if entry is None or type(entry).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(entry, str):
        return entry.strip() in ("", "-1")
    return bool(entry != entry or entry == -1)


def _sortable(labels: NDArray[Any]) -> NDArray[Any]:
    """Return object labels as an array that sorts, or refuse a mixture that cannot."""
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise FewlabelsError("a label is NaN; leave unlabelled nodes out.")
    if labels.dtype != object:
        return labels
    kinds = {type(label) for label in labels}
    if all(issubclass(kind, (int, float, np.number, bool)) for kind in kinds) or len(kinds) == 1:
        return np.array(labels.tolist())
    named = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise FewlabelsError(f"labels mix types ({named}), which do not sort together; make them all strings.")


def _nodes(indices: ArrayLike) -> NDArray[np.int64]:
    nodes = np.asarray(indices)
    if nodes.size == 0:
        return np.zeros(0, dtype=np.int64)
    if nodes.ndim != 1 or nodes.dtype.kind not in "iu":
        raise FewlabelsError(f"labelled nodes must be a flat list of whole numbers, not {nodes.dtype} {nodes.shape}.")
    nodes = nodes.astype(np.int64)
    if nodes.min() < 0:
        raise FewlabelsError(f"node {nodes.min()} is labelled; number the nodes from 0.")
    values, counts = np.unique(nodes, return_counts=True)
    if (counts > 1).any():
        raise FewlabelsError(f"node {values[counts > 1][0]} is labelled more than once; give each node one label.")
    return nodes


def _prior(class_prior: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    try:
        prior = np.asarray(class_prior, dtype=np.float64)
    except (TypeError, ValueError):
        raise FewlabelsError(f"class_prior={class_prior!r} must be shares, one number per class.") from None
    if prior.shape != (n_classes,):
        raise FewlabelsError(
            f"class_prior has shape {prior.shape}; give one share for each of the {n_classes} classes."
        )
    if not np.isfinite(prior).all() or (prior < 0).any() or prior.sum() <= 0:
        raise FewlabelsError("class_prior must hold shares that are finite, not negative and not all zero.")
    return np.asarray(prior / prior.sum())
