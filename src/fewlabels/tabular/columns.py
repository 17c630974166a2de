"""Columns of a .csv or .parquet file, each in its role: features, ids, or labels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import track
from fewlabels.tabular.names import FEATURE_FILE_LABEL_NAMES, ID_NAMES
from fewlabels.tabular.rows import delimiter_of, is_number, read_parquet, text_lines, text_rows

__all__ = ["Asked", "Columns", "read_csv", "read_table"]


@dataclass(frozen=True)
class Asked:
    """Which columns a user names, and whether columns of text are kept to be shown or refused."""

    label: str | None = None
    id: str | None = None
    text: str | None = None
    keep_text: bool = False


@dataclass(frozen=True, eq=False)
class Columns:
    """Numbers and what they are called, ids where there are any, and the columns that hold labels or text."""

    X: NDArray[Any]
    ids: list[Any] | None = None
    label_columns: dict[str, list[Any]] = field(default_factory=dict)
    text_columns: dict[str, list[Any]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Roles:
    """Places of the columns in each role."""

    id: int | None
    labels: list[int]
    texts: list[int]
    numbers: list[int]


def read_csv(path: Path, asked: Asked) -> Columns:
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
    if not has_header and asked.label is not None:
        raise FewlabelsError(f"{asked.label}: no such file, and {path} has no header that could name a column.")
    roles = _roles(path, names, asked, [_text_of(cell) for cell in sample])
    if not roles.numbers:
        raise FewlabelsError(f"{path}: has no column of numbers; give the features as numbers.")
    texts: dict[int, list[str]] = {i: [] for i in ([] if roles.id is None else [roles.id]) + roles.labels + roles.texts}
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
            usecols=roles.numbers,
            comments=None,
            quotechar='"',
            ndmin=2,
        )
    except ValueError as error:
        raise FewlabelsError(
            _bad_cell(path, delimiter, names, roles.numbers, has_header) or f"{path}: {error}."
        ) from None
    found = Columns(
        X,
        ids=None if roles.id is None else texts[roles.id],
        label_columns={names[i]: texts[i] for i in roles.labels},
        text_columns={names[i]: texts[i] for i in roles.texts},
        names=[names[i] for i in roles.numbers] if has_header else [],
    )
    return _row_numbers_apart(path, names[roles.numbers[0]], found)


def read_table(path: Path, asked: Asked) -> Columns:
    """Read a .parquet file; a column of lists holds several features."""
    table = read_parquet(path)
    import pyarrow.types as kinds

    def is_list(kind: Any) -> bool:
        return bool(kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind))

    def is_numeric(kind: Any) -> bool:
        return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind))

    names, columns = table.column_names, table.columns
    texts = ["" if is_list(c.type) or is_numeric(c.type) else str(c.type) for c in columns]
    roles = _roles(path, names, asked, texts)
    blocks, called = [], []
    for i in roles.numbers:
        if columns[i].null_count:
            row = columns[i].to_pylist().index(None)
            raise FewlabelsError(f"{path}: row {row}, column {names[i]!r} is empty; fill it in or drop the row.")
        if not is_list(columns[i].type):
            blocks.append(columns[i].cast("float64").to_numpy()[:, None])
            called.append(names[i])
            continue
        try:
            blocks.append(np.array(columns[i].to_pylist(), dtype=np.float64))
            called += [""] * blocks[-1].shape[-1]
        except (TypeError, ValueError):
            raise FewlabelsError(
                f"{path}: the lists in column {names[i]!r} are not numbers of one length; make them so."
            ) from None
    if not blocks:
        raise FewlabelsError(f"{path}: has no column of numbers; give the features as numbers.")
    found = Columns(
        np.hstack(blocks),
        ids=None if roles.id is None else columns[roles.id].to_pylist(),
        label_columns={names[i]: columns[i].to_pylist() for i in roles.labels},
        text_columns={names[i]: columns[i].to_pylist() for i in roles.texts},
        names=called,
    )
    return _row_numbers_apart(path, names[roles.numbers[0]], found)


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


def _roles(path: Path, names: Sequence[str], asked: Asked, texts: Sequence[str]) -> _Roles:
    """Tell ids, labels, text and features apart by name, and by what the first row holds.

    `texts` has the text in the first row of each column, empty where it is a number.
    """
    if asked.label is not None and asked.label not in names:
        raise FewlabelsError(
            f"{asked.label}: no such file, and {path} has no column of that name; it has {', '.join(names[:12])}."
        )
    for name in (asked.id, asked.text):
        if name is not None and name not in names:
            raise FewlabelsError(f"{path}: has no column {name!r}; it has {', '.join(names[:12])}.")
    taken = (asked.id, asked.text)
    labels_at = [
        i
        for i, name in enumerate(names)
        if name not in taken and (name == asked.label or name.lower() in FEATURE_FILE_LABEL_NAMES)
    ]
    ids_at = [
        i
        for i, name in enumerate(names)
        if name == asked.id or ((_is_id(name) or name == "") and i not in labels_at and name != asked.text)
    ]
    if not ids_at and texts and texts[0] and 0 not in labels_at and names[0] != asked.text:
        ids_at = [0]
    order = {name: rank for rank, name in enumerate(ID_NAMES)}
    id_at = min(ids_at, key=lambda i: (names[i] != asked.id, order.get(names[i].lower(), len(order)), i), default=None)
    others = [i for i in range(len(names)) if i not in ids_at and i not in labels_at]
    texts_at = [i for i in others if names[i] == asked.text or (asked.keep_text and i < len(texts) and texts[i])]
    numbers_at = [i for i in others if i not in texts_at]
    for i in numbers_at:
        if i < len(texts) and texts[i]:
            raise FewlabelsError(
                f"{path}: column {names[i]!r} holds {texts[i]!r}, which is not a number; "
                "drop that column, or name it id or label if it is one."
            )
    return _Roles(id_at, labels_at, texts_at, numbers_at)


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
    return replace(columns, X=X[:, 1:], ids=X[:, 0].astype(np.int64).tolist(), names=columns.names[1:])


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
