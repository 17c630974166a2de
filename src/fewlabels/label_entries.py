"""What users write as labels, labelled nodes and class shares -> checked arrays."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.errors import FewlabelsError, FewlabelsWarning

__all__ = [
    "class_shares",
    "entries_of",
    "is_unlabelled",
    "node_numbers",
    "ordered_prior",
    "prior_for",
    "sortable_labels",
    "without_label",
]


def entries_of(y: Any) -> NDArray[Any]:
    """Return labels as an array that keeps missing ones apart: NaN among strings does not become "nan".

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


def without_label(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which entries of y carry no label, unless -1 can only be one of two classes."""
    if y.size and y.dtype.kind in "if" and np.isin(y, (-1, 1)).all() and 0.1 <= np.mean(y == 1) < 1:
        warnings.warn(
            "y holds nothing but -1 and 1, so both are taken as labels; mark unlabelled rows by NaN if -1 is not one.",
            FewlabelsWarning,
            stacklevel=3,
        )
        return np.zeros(y.size, dtype=bool)
    return is_unlabelled(y)


def _says_nothing(entry: object) -> bool:
    if entry is None or type(entry).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(entry, str):
        return entry.strip() in ("", "-1")
    return bool(entry != entry or entry == -1)


def sortable_labels(labels: NDArray[Any]) -> NDArray[Any]:
    """Return labels as an array that sorts; refuse a mixture of types that does not."""
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise FewlabelsError("a label is NaN; leave unlabelled nodes out.")
    if labels.dtype != object:
        return labels
    kinds = {type(label) for label in labels}
    if all(issubclass(kind, (int, float, np.number, bool)) for kind in kinds) or len(kinds) == 1:
        return np.array(labels.tolist())
    named = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise FewlabelsError(f"labels mix types ({named}), which do not sort together; make them all strings.")


def node_numbers(indices: ArrayLike) -> NDArray[np.int64]:
    """Return the numbers of labelled nodes, each once and from 0."""
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


def prior_for(prior: ArrayLike | Mapping[Any, float] | None, labels: NDArray[Any]) -> ArrayLike | None:
    """Return shares in the order of the classes among the labels; only those that are told by label are in another."""
    return ordered_prior(prior, labels) if isinstance(prior, Mapping) else prior


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


def class_shares(class_prior: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Return one share for each class, scaled to sum to one."""
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
