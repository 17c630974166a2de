"""Columns of a .csv or .parquet file, each in its role: features, ids, or labels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import track
from fewlabels.tabular.names import FEATURE_FILE_LABEL_NAMES, ID_NAMES
from fewlabels.tabular.rows import delimiter_of, is_number, read_parquet, text_lines, text_rows

__all__ = ["Columns", "read_csv", "read_table"]


@dataclass(frozen=True, eq=False)
class Columns:
    """Numbers, ids where there are any, and the columns that hold labels."""

    X: NDArray[Any]
    ids: list[Any] | None = None
    label_columns: dict[str, list[Any]] = field(default_factory=dict)


def read_csv(path: Path, label_column: str | None) -> Columns:
    """Read a .csv file; the numbers by numpy, the text columns beside them as they are."""
    delimiter = delimiter_of(path)
    rows = text_rows(path, delimiter)
    first = next(((line, cells) for line, cells in rows if cells), None)
    second = next(((line, cells) for line, cells in rows if cells), None)
    if first is None or second is None:
        raise FewlabelsError(f"{path}: has fewer than two rows; give one row per point.")
    has_header = _is_header(first[1], second[1])
    names = [cell.strip() for cell in first[1]] if has_header else [f"column {i + 1}" for i in range(len(first[1]))]
    sample = second[1] if has_header else first[1]
    if len(first[1]) != len(second[1]):
        raise FewlabelsError(
            f"{path}: line {first[0]} has {len(first[1])} cells but line {second[0]} has {len(second[1])}; give every "
            "line the same number."
        )
    if not has_header and label_column is not None:
        raise FewlabelsError(f"{label_column}: no such file, and {path} has no header that could name a column.")
    id_at, labels_at, numbers_at = _roles(path, names, label_column, [_text_of(cell) for cell in sample])
    if not numbers_at:
        raise FewlabelsError(f"{path}: has no column of numbers; give the features as numbers.")
    texts: dict[int, list[str]] = {i: [] for i in ([] if id_at is None else [id_at]) + labels_at}
    if texts:
        for line, cells in text_rows(path, delimiter):
            if cells and not (has_header and line == first[0]):
                for i, column in texts.items():
                    if i >= len(cells):
                        raise FewlabelsError(f"{path}: line {line} has {len(cells)} cells, not {len(names)}.")
                    column.append(cells[i].strip())
    try:
        X = np.loadtxt(
            track(_even_lines(path, delimiter, len(names)), f"reading {path.name}"),
            delimiter=delimiter,
            skiprows=first[0] if has_header else 0,
            usecols=numbers_at,
            comments=None,
            quotechar='"',
            ndmin=2,
        )
    except ValueError as error:
        raise FewlabelsError(_bad_cell(path, delimiter, names, numbers_at, has_header) or f"{path}: {error}.") from None
    ids = None if id_at is None else texts[id_at]
    return _row_numbers_apart(path, names[numbers_at[0]], Columns(X, ids, {names[i]: texts[i] for i in labels_at}))


def read_table(path: Path, label_column: str | None) -> Columns:
    """Read a .parquet file; a column of lists holds several features."""
    table = read_parquet(path)
    import pyarrow.types as kinds

    def is_list(kind: Any) -> bool:
        return bool(kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind))

    def is_numeric(kind: Any) -> bool:
        return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind))

    names, columns = table.column_names, table.columns
    texts = ["" if is_list(c.type) or is_numeric(c.type) else str(c.type) for c in columns]
    id_at, labels_at, numbers_at = _roles(path, names, label_column, texts)
    blocks = []
    for i in numbers_at:
        if columns[i].null_count:
            row = columns[i].to_pylist().index(None)
            raise FewlabelsError(f"{path}: row {row}, column {names[i]!r} is empty; fill it in or drop the row.")
        if not is_list(columns[i].type):
            blocks.append(columns[i].cast("float64").to_numpy()[:, None])
            continue
        try:
            blocks.append(np.array(columns[i].to_pylist(), dtype=np.float64))
        except (TypeError, ValueError):
            raise FewlabelsError(
                f"{path}: the lists in column {names[i]!r} are not numbers of one length; make them so."
            ) from None
    if not blocks:
        raise FewlabelsError(f"{path}: has no column of numbers; give the features as numbers.")
    ids = None if id_at is None else columns[id_at].to_pylist()
    labels = {names[i]: columns[i].to_pylist() for i in labels_at}
    return _row_numbers_apart(path, names[numbers_at[0]], Columns(np.hstack(blocks), ids, labels))


def _even_lines(path: Path, delimiter: str, width: int) -> Iterator[str]:
    """Yield the lines of the file, and refuse one with more cells than there are columns."""
    for number, line in enumerate(text_lines(path), start=1):
        if line.count(delimiter) >= width and '"' not in line:
            raise FewlabelsError(
                f"{path}: line {number} has {line.count(delimiter) + 1} cells, not {width}; remove what is too much."
            )
        yield line


def _text_of(cell: str) -> str:
    """Return the cell if it holds text rather than a number or nothing."""
    return "" if is_number(cell) else cell.strip()


def _is_header(first: Sequence[str], second: Sequence[str]) -> bool:
    """Recognise a header: names above numbers, a column called id or label, or columns numbered as pandas does."""
    known = {*ID_NAMES, *FEATURE_FILE_LABEL_NAMES}
    cells = [cell.strip() for cell in first]
    if any(cell.lower() in known for cell in cells):
        return True
    counted = cells[1:] if cells[0] == "" else cells
    if len(counted) > 1 and counted == [str(i) for i in range(len(counted))]:
        return True
    named = any(cell and i < len(second) and is_number(second[i]) for i, cell in enumerate(cells))
    return named and not any(is_number(cell) for cell in cells)


def _is_id(name: str) -> bool:
    lowered = name.lower()
    return lowered in ID_NAMES or lowered.endswith("_id") or lowered.startswith(("unnamed: ", "__index_level_"))


def _roles(
    path: Path, names: Sequence[str], label_column: str | None, texts: Sequence[str]
) -> tuple[int | None, list[int], list[int]]:
    """Tell ids, labels and features apart by name, and by what the first row holds.

    `texts` has the text in the first row of each column, empty where it is a number.
    """
    if label_column is not None and label_column not in names:
        raise FewlabelsError(
            f"{label_column}: no such file, and {path} has no column of that name; it has {', '.join(names[:12])}."
        )
    labels_at = [i for i, name in enumerate(names) if name == label_column or name.lower() in FEATURE_FILE_LABEL_NAMES]
    ids_at = [i for i, name in enumerate(names) if (_is_id(name) or name == "") and i not in labels_at]
    if not ids_at and texts and texts[0] and 0 not in labels_at:
        ids_at = [0]
    order = {name: rank for rank, name in enumerate(ID_NAMES)}
    id_at = min(ids_at, key=lambda i: (order.get(names[i].lower(), len(order)), i), default=None)
    numbers_at = [i for i in range(len(names)) if i not in ids_at and i not in labels_at]
    for i in numbers_at:
        if i < len(texts) and texts[i]:
            raise FewlabelsError(
                f"{path}: column {names[i]!r} holds {texts[i]!r}, which is not a number; "
                "drop that column, or name it id or label if it is one."
            )
    return id_at, labels_at, numbers_at


def _row_numbers_apart(path: Path, name: str, columns: Columns) -> Columns:
    """Use a first column that only counts the rows as the id, not as a feature, and warn."""
    X = columns.X
    n = X.shape[0]
    if columns.ids is not None or X.shape[1] < 2 or n < 3 or X[0, 0] not in (0, 1):
        return columns
    if not np.array_equal(X[:, 0], X[0, 0] + np.arange(n)):
        return columns
    warnings.warn(
        f"{path}: the first column ({name}) only counts the rows, so it is taken as the id and not as a feature.",
        FewlabelsWarning,
        stacklevel=2,
    )
    return Columns(X[:, 1:], X[:, 0].astype(np.int64).tolist(), columns.label_columns)


def _bad_cell(path: Path, delimiter: str, names: list[str], numbers_at: list[int], has_header: bool) -> str:
    """Return a sentence about the first cell that is not a number, or nothing if there is none."""
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
