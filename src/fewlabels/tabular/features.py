"""Features from a file: numbers per point, ids where the file has them, and the text columns beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import load_arrays
from fewlabels.neighbors.features import checked_features
from fewlabels.progress import track
from fewlabels.tabular.rows import ID_NAMES, delimiter_of, is_number, read_parquet, text_lines, text_rows

__all__ = ["FORMATS", "FeatureFile", "read_features"]

FORMATS = (".npy", ".npz", ".csv", ".parquet")
MATRIX_NAMES = ("X", "Z", "features", "embeddings")
LABEL_NAMES = ("label", "labels")
"""Columns that are never features; a column y may well be a coordinate."""


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
    """

    path: Path
    X: Any
    ids: list[Any] | None = None
    label_columns: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def n_points(self) -> int:
        """The number of rows."""
        return int(self.X.shape[0])


def read_features(path: Path, label_column: str | None = None) -> FeatureFile:
    """Read features; `label_column` names a column of the file that holds labels and is not a feature."""
    if not path.is_file():
        raise FewlabelsError(f"{path}: no such file; give the features as {', '.join(FORMATS)}.")
    match path.suffix.lower():
        case ".npy":
            found = FeatureFile(path, _read_npy(path))
        case ".npz":
            found = _read_npz(path)
        case ".csv" | ".tsv" | ".txt":
            found = _read_csv(path, label_column)
        case ".parquet":
            found = _read_table(path, label_column)
        case other:
            raise FewlabelsError(
                f"{path}: {other or 'no'} ending is not known; give the features as {', '.join(FORMATS)}."
            )
    try:
        X = found.X if sp.issparse(found.X) or found.X.ndim < 3 else found.X.reshape(found.X.shape[0], -1)
        return FeatureFile(path, checked_features(X), found.ids, found.label_columns)
    except FewlabelsError as error:
        raise FewlabelsError(f"{path}: {error}") from None


def _read_npy(path: Path) -> NDArray[Any]:
    try:
        return np.asarray(np.load(path, allow_pickle=False))
    except (OSError, ValueError, EOFError) as error:
        raise FewlabelsError(
            f"{path}: damaged, or not a plain .npy array of numbers ({error}); save it again."
        ) from None


def _read_npz(path: Path) -> FeatureFile:
    arrays = load_arrays(path, "features as an array X or a sparse matrix")
    ids = next((arrays.pop(name).tolist() for name in ID_NAMES if name in arrays), None)
    if {"indptr", "indices", "data", "shape"} <= arrays.keys():
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        kind = bytes(arrays["format"].tobytes()).decode(errors="replace").strip("\0") if "format" in arrays else "csr"
        make = sp.csc_array if "csc" in kind else sp.csr_array
        try:
            return FeatureFile(path, sp.csr_array(make(parts, shape=tuple(arrays["shape"]))), ids)
        except (TypeError, ValueError) as error:
            raise FewlabelsError(f"{path}: its sparse matrix is inconsistent ({error}); save it again.") from None
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


def _read_csv(path: Path, label_column: str | None) -> FeatureFile:
    delimiter = delimiter_of(path)
    rows = text_rows(path, delimiter)
    first = next(((line, cells) for line, cells in rows if cells), None)
    second = next(((line, cells) for line, cells in rows if cells), None)
    if first is None or second is None:
        raise FewlabelsError(f"{path}: has fewer than two rows; give one row per point.")
    has_header = _is_header(first[1], second[1])
    names = [cell.strip() for cell in first[1]] if has_header else [f"column {i + 1}" for i in range(len(first[1]))]
    sample = second[1] if has_header else first[1]
    id_at, labels_at, numbers_at = _roles(path, names, sample, label_column, has_header)
    texts = {i: [] for i in ([] if id_at is None else [id_at]) + labels_at}  # type: dict[int, list[str]]
    if texts:
        for line, cells in text_rows(path, delimiter):
            if cells and not (has_header and line == first[0]):
                for i, column in texts.items():
                    if i >= len(cells):
                        raise FewlabelsError(
                            f"{path}: line {line} has {len(cells)} cells, not {len(names)}; complete it."
                        )
                    column.append(cells[i].strip())
    try:
        X = np.loadtxt(
            track(text_lines(path), f"reading {path.name}"),
            delimiter=delimiter,
            skiprows=first[0] if has_header else 0,
            usecols=numbers_at,
            comments=None,
            quotechar='"',
            ndmin=2,
        )
    except ValueError as error:
        raise FewlabelsError(_bad_cell(path, delimiter, names, numbers_at, has_header) or f"{path}: {error}.") from None
    return FeatureFile(path, X, None if id_at is None else texts[id_at], {names[i]: list(texts[i]) for i in labels_at})


def _is_header(first: Sequence[str], second: Sequence[str]) -> bool:
    """Tell a header by a name above numbers, or by the words id or label."""
    known = {*ID_NAMES, *LABEL_NAMES}
    return any(
        cell.strip().lower() in known or (not is_number(cell) and i < len(second) and is_number(second[i]))
        for i, cell in enumerate(first)
    )


def _roles(
    path: Path, names: list[str], sample: Sequence[str], label_column: str | None, has_header: bool
) -> tuple[int | None, list[int], list[int]]:
    """Tell ids, labels and features apart by name, and by what the first row holds."""
    lowered = [name.lower() for name in names]
    labels_at = [
        i for i, name in enumerate(names) if name == label_column or (has_header and lowered[i] in LABEL_NAMES)
    ]
    id_at = next((i for i, name in enumerate(lowered) if has_header and name in ID_NAMES and i not in labels_at), None)
    if id_at is None and 0 not in labels_at and sample and not is_number(sample[0]) and sample[0].strip():
        id_at = 0
    numbers_at = [i for i in range(len(names)) if i != id_at and i not in labels_at]
    for i in numbers_at:
        if i < len(sample) and not is_number(sample[i]) and sample[i].strip():
            raise FewlabelsError(
                f"{path}: column {names[i]!r} holds {sample[i].strip()!r}, which is not a number; "
                "drop that column, or name it id or label if it is one."
            )
    if not numbers_at:
        raise FewlabelsError(f"{path}: has no column of numbers; give the features as numbers.")
    return id_at, labels_at, numbers_at


def _bad_cell(path: Path, delimiter: str, names: list[str], numbers_at: list[int], has_header: bool) -> str:
    """Find the first cell that spoiled the reading, and say where it is."""
    row = -1 - has_header
    for line, cells in text_rows(path, delimiter):
        if not cells:
            continue
        row += 1
        if row < 0:
            continue
        if len(cells) <= max(numbers_at):
            return f"{path}: line {line} (row {row}) has {len(cells)} cells, not {len(names)}; complete or drop it."
        for i in numbers_at:
            if not is_number(cells[i]):
                held = f"holds {cells[i].strip()!r}" if cells[i].strip() else "is empty"
                return (
                    f"{path}: line {line} (row {row}), column {names[i]!r} {held}, which is not a number; "
                    "fill it in or drop the row."
                )
    return ""


def _read_table(path: Path, label_column: str | None) -> FeatureFile:
    import pyarrow.types as kinds

    table = read_parquet(path)
    ids, labels, blocks = None, {}, []
    for name, column in zip(table.column_names, table.columns, strict=True):
        lowered = name.lower()
        if name == label_column or lowered in LABEL_NAMES:
            labels[name] = column.to_pylist()
        elif lowered in ID_NAMES and ids is None:
            ids = column.to_pylist()
        elif kinds.is_list(column.type) or kinds.is_large_list(column.type) or kinds.is_fixed_size_list(column.type):
            try:
                blocks.append(np.array(column.to_pylist(), dtype=np.float64))
            except (TypeError, ValueError):
                raise FewlabelsError(
                    f"{path}: the lists in column {name!r} differ in length; make them equal."
                ) from None
        elif kinds.is_integer(column.type) or kinds.is_floating(column.type) or kinds.is_boolean(column.type):
            blocks.append(column.cast("float64").to_numpy()[:, None])
        else:
            raise FewlabelsError(
                f"{path}: column {name!r} holds {column.type}, not numbers; drop it, or name it id or label if it is "
                "one."
            )
    if not blocks:
        raise FewlabelsError(f"{path}: has no column of numbers; give the features as numbers.")
    return FeatureFile(path, np.hstack(blocks), ids, labels)
