"""Features from a file: numbers per point, ids where the file has them, and the text columns beside them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError, in_brief
from fewlabels.files import load_arrays
from fewlabels.neighbors.checks import checked_features
from fewlabels.tabular.columns import Columns, read_csv, read_table
from fewlabels.tabular.counted import refuse_repeated
from fewlabels.tabular.inputs import beginning_of, check_input
from fewlabels.tabular.names import ID_NAMES
from fewlabels.tabular.roles import Asked

__all__ = ["FORMATS", "FeatureFile", "read_features"]

FORMATS = (".npy", ".npz", ".csv", ".parquet")
MATRIX_NAMES = ("X", "Z", "features", "embeddings")


@dataclass(frozen=True, eq=False)
class FeatureFile:
    """What a feature file holds.

    Attributes
    ----------
    path : Path
    X : array or CSR array, shape (n, d)
    ids : list, or None
        One per row where the file has an id column; otherwise rows are known by their number, from 0.
    label_columns : dict from name to list
        Columns that hold labels rather than features.
    text_columns : dict from name to list
        Columns that hold text to be shown; only where such columns were asked for.
    names : list of str
        What the features are called, empty for those without a name; an empty list where none has one.
    """

    path: Path
    X: Any
    ids: list[Any] | None = None
    label_columns: dict[str, list[Any]] = field(default_factory=dict)
    text_columns: dict[str, list[Any]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    @property
    def n_points(self) -> int:
        """The number of rows."""
        return int(self.X.shape[0])


def read_features(
    path: Path, label_column: str | None = None, *, shown: Asked | None = None, fewest: int = 2
) -> FeatureFile:
    """Read features; `label_column` names a column of the file that holds labels and is not a feature.

    `shown` asks for columns of text, and may name the id column; without it text that is no id or label is refused.
    There must be at least `fewest` rows.
    """
    asked = replace(shown or Asked(), label=label_column)
    check_input(path, f"give the features as {', '.join(FORMATS)}")
    match path.suffix.lower():
        case ".npy":
            found = FeatureFile(path, _read_npy(path))
        case ".npz":
            found = _read_npz(path)
        case ".csv" | ".tsv" | ".txt":
            found = _from_columns(path, read_csv(path, asked, fewest))
        case ".parquet":
            found = _from_columns(path, read_table(path, asked))
        case other:
            raise FewlabelsError(
                f"{path}: {other or 'no'} ending is not known; give the features as {', '.join(FORMATS)}."
            )
    refuse_repeated(path, found.ids)
    for name in (asked.id, asked.text):
        if name is not None and path.suffix.lower() in (".npy", ".npz"):
            raise FewlabelsError(f"{path}: has no column {name!r}, only numbers; give .csv or .parquet.")
    try:
        X = found.X if sp.issparse(found.X) or found.X.ndim < 3 else found.X.reshape(found.X.shape[0], -1)
        return replace(found, X=checked_features(X, min_rows=fewest))
    except FewlabelsError as error:
        raise FewlabelsError(f"{path}: {error}") from None


def _from_columns(path: Path, columns: Columns) -> FeatureFile:
    return FeatureFile(path, columns.X, columns.ids, columns.label_columns, columns.text_columns, columns.names)


def _read_npy(path: Path) -> NDArray[Any]:
    begins = beginning_of(path)
    if path.stat().st_size == 0:
        raise FewlabelsError(f"{path}: is empty; save the array again by numpy.save.")
    if begins != ".npy":
        named = "text" if begins == ".csv" else f"{begins} data"
        raise FewlabelsError(f"{path}: is not an .npy array but {named}; name it {begins}, or save it by numpy.save.")
    try:
        return np.asarray(np.load(path, allow_pickle=False))
    except MemoryError:
        raise FewlabelsError(f"{path}: tells of an array larger than memory; save it again, or in parts.") from None
    except Exception as error:  # a damaged header fails in a dozen ways; each means the same to the reader
        if "Object arrays" in str(error):
            raise FewlabelsError(f"{path}: holds Python objects, not numbers; save X.astype(float) instead.") from None
        said = in_brief(error)
        raise FewlabelsError(f"{path}: damaged, or not a plain .npy array ({said}); save it again.") from None


def _read_npz(path: Path) -> FeatureFile:
    arrays = load_arrays(path, "features as an array X or a sparse matrix")
    ids = next((np.atleast_1d(arrays.pop(name)).tolist() for name in ID_NAMES if name in arrays), None)
    if {"indptr", "indices", "data", "shape"} <= arrays.keys():
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        kind = bytes(arrays["format"].tobytes()).decode(errors="replace").strip("\0") if "format" in arrays else "csr"
        make = sp.csc_array if "csc" in kind else sp.csr_array
        try:
            matrix = make(parts, shape=tuple(arrays["shape"]))
            matrix.check_format(full_check=True)
            return FeatureFile(path, sp.csr_array(matrix), _fitting(path, ids, matrix.shape[0]))
        except (TypeError, ValueError) as error:
            raise FewlabelsError(
                f"{path}: its sparse matrix is inconsistent ({in_brief(error)}); save it again."
            ) from None
    matrices = [name for name in arrays if arrays[name].ndim >= 2]
    named = [name for name in MATRIX_NAMES if name in matrices]
    if not named and len(matrices) != 1:
        raise FewlabelsError(f"{path}: holds {sorted(arrays)}; name the feature array X.")
    X = arrays[named[0] if named else matrices[0]]
    return FeatureFile(path, X, _fitting(path, ids, X.shape[0]))


def _fitting(path: Path, ids: list[Any] | None, n_points: int) -> list[Any] | None:
    if ids is not None and len(ids) != n_points:
        raise FewlabelsError(f"{path}: {len(ids)} ids for {n_points} rows; give one id per row.")
    return ids
