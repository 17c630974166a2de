"""Labels from a file: (row or id, label) pairs, or a column with blanks."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.tabular.feature_file import FeatureFile
from fewlabels.tabular.inputs import check_input
from fewlabels.tabular.names import ID_NAMES, LABEL_FILE_LABEL_NAMES, ROW_NAMES
from fewlabels.tabular.rows import dialect_in, read_parquet, text_rows, whole_numbers

__all__ = ["GivenLabels", "read_labels"]

MISSING = ("nan", "none", "null", "na", "-1", "-1.0")
"""Words that mark a missing label in a column that has no blanks."""


@dataclass(frozen=True, eq=False)
class GivenLabels:
    """The labelled rows of a feature file and what they are labelled."""

    rows: NDArray[np.int64]
    labels: NDArray[Any]


@dataclass(frozen=True)
class _Entry:
    place: str
    """Where it stands, for messages: "line 7"."""
    key: Any
    """Row number or id; None for a column with blanks."""
    label: Any


def read_labels(source: str, features: FeatureFile) -> GivenLabels:
    """Read labels for the rows of a feature file.

    `source` is a .csv or .parquet file, or the name of a column of the feature file.
    """
    path = Path(source)
    if source in features.label_columns and not path.is_file():
        cells = features.label_columns[source]
        entries = [_Entry(f"row {i}", None, cell) for i, cell in enumerate(cells)]
        return _placed(f"{features.path}, column {source!r}", entries, features, by_row=True)
    columns = "".join(f", or name the column {name}" for name in list(features.label_columns)[:1])
    check_input(path, f"give labels as a .csv of (row or id, label){columns}")
    names, rows = _table(path)
    key_at, label_at, by_row = _columns(path, names, rows)
    if features.ids is None:
        by_row = True
    if key_at is None:
        rows = _one_per_point(path, names, rows, features.n_points)
    entries = []
    for place, cells in rows:
        if not cells and key_at is not None:
            continue
        if key_at is not None and max(key_at, label_at) >= len(cells):
            raise FewlabelsError(f"{path}: {place} has {len(cells)} cells; each row needs a row or id, and a label.")
        label = cells[label_at] if label_at < len(cells) else ""
        if key_at is not None and (cells[key_at] is None or str(cells[key_at]).strip() == ""):
            if label is None or str(label).strip() == "":
                continue
            raise FewlabelsError(f"{path}: {place} has a label but no row or id; say which point it belongs to.")
        entries.append(_Entry(place, None if key_at is None else cells[key_at], label))
    if key_at is None:
        entries = _with_blanks(path, entries)
    return _placed(str(path), entries, features, by_row)


def _table(path: Path) -> tuple[list[str] | None, list[tuple[str, list[Any]]]]:
    """Return the header, if there is one, and the rows with their places."""
    match path.suffix.lower():
        case ".csv" | ".tsv" | ".txt":
            rows = [(f"line {line}", cells) for line, cells in text_rows(path, dialect_in(path))]
            if not any(any(cells) for _, cells in rows):
                raise FewlabelsError(f"{path}: is empty; give at least one (row or id, label).")
            names = [cell.strip().lower() for cell in rows[0][1]]
            known = {*LABEL_FILE_LABEL_NAMES, *ROW_NAMES, *ID_NAMES}
            return (names, rows[1:]) if known & set(names) else (None, rows)
        case ".parquet":
            table = read_parquet(path)
            columns = [whole_numbers(column.to_pylist()) for column in table.columns]
            cells = [list(row) for row in zip(*columns, strict=True)]
            return [name.lower() for name in table.column_names], [(f"row {i}", row) for i, row in enumerate(cells)]
    raise FewlabelsError(f"{path}: give labels as .csv or .parquet with (row or id, label), or a column with blanks.")


def _columns(path: Path, names: list[str] | None, rows: list[tuple[str, list[Any]]]) -> tuple[int | None, int, bool]:
    """Tell which column holds the key, which the label, and whether keys are row numbers."""
    width = len(names) if names is not None else max((len(cells) for _, cells in rows), default=0)
    if names is None:
        if width > 2:
            raise FewlabelsError(f"{path}: has {width} columns and no header; name one of them label.")
        return (None, 0, True) if width < 2 else (0, 1, False)
    label_at = next((i for i, name in enumerate(names) if name in LABEL_FILE_LABEL_NAMES), None)
    key_at = next((i for i, name in enumerate(names) if name in (*ROW_NAMES, *ID_NAMES)), None)
    if label_at is None and width == 2 and key_at is not None:
        label_at = 1 - key_at
    if label_at is None:
        raise FewlabelsError(f"{path}: no column is named label; its columns are {', '.join(names)}.")
    if key_at is None and width == 2:
        key_at = 1 - label_at
    return key_at, label_at, key_at is not None and names[key_at] in ROW_NAMES


def _one_per_point(
    path: Path, names: list[str] | None, rows: list[tuple[str, list[Any]]], n_points: int
) -> list[tuple[str, list[Any]]]:
    while len(rows) > n_points and not any(rows[-1][1]):
        rows = rows[:-1]
    if len(rows) != n_points and names is not None and len(names) > 1:
        raise FewlabelsError(
            f"{path}: {len(rows)} rows for {n_points} points, and no column is named row or id; name the one that says "
            "which point a label belongs to."
        )
    if len(rows) != n_points:
        raise FewlabelsError(
            f"{path}: a column of {len(rows)} labels for {n_points} points; give one line per point, blank where there "
            "is no label, or two columns (row or id, label)."
        )
    return rows


def _with_blanks(path: Path, entries: list[_Entry]) -> list[_Entry]:
    """Blank the labels of a column without blanks that marks a missing one by a word in MISSING, and warn."""
    cells = [str(entry.label).strip().lower() for entry in entries]
    marks = [mark for mark in MISSING if mark in cells]
    if "" in cells or not marks:
        return entries
    warnings.warn(
        f"{path}: no line is blank, so lines that say {marks[0]} are taken as unlabelled.",
        FewlabelsWarning,
        stacklevel=2,
    )
    return [
        _Entry(entry.place, entry.key, "" if cell == marks[0] else entry.label)
        for entry, cell in zip(entries, cells, strict=True)
    ]


def _placed(source: str, entries: Sequence[_Entry], features: FeatureFile, by_row: bool) -> GivenLabels:
    """Find the row of every entry that has a label, and refuse contradictions."""
    asked = {str(entry.key).strip() for entry in entries}
    ids = None if by_row or features.ids is None else _positions(features.ids, asked)
    found: dict[int, _Entry] = {}
    for position, entry in enumerate(entries):
        label = entry.label.strip() if isinstance(entry.label, str) else entry.label
        if label is None or label == "" or label != label:
            continue
        if isinstance(label, (bytes, dict, list)):
            held = f"{label!r:.40}"
            raise FewlabelsError(f"{source}: {entry.place} holds {held}, which is no label; give text or numbers.")
        row = position if entry.key is None else _row_of(source, entry, ids, features)
        if row in found and found[row].label != label:
            raise FewlabelsError(
                f"{source}: {entry.place} labels {entry.key!r} as {label!r}, but {found[row].place} says "
                f"{found[row].label!r}; keep one of them."
            )
        found[row] = _Entry(entry.place, entry.key, label)
    if not found:
        raise FewlabelsError(f"{source}: has no labels; give at least one for each class.")
    rows = np.array(sorted(found), dtype=np.int64)
    labels = [found[row].label for row in rows.tolist()]
    mixed = len({type(label) for label in labels}) > 1
    return GivenLabels(rows, np.array([str(label) for label in labels] if mixed else labels))


def _positions(ids: Iterable[Any], asked: set[str]) -> dict[str, int]:
    """Return the row of each id that is asked for, and -1 for an id that several rows have."""
    places: dict[str, int] = {}
    for row, name in enumerate(ids):
        key = str(name).strip()
        if key in asked:
            places[key] = -1 if key in places else row
    return places


def _row_of(source: str, entry: _Entry, ids: dict[str, int] | None, features: FeatureFile) -> int:
    key = str(entry.key).strip()
    if ids is not None:
        if key not in ids:
            raise FewlabelsError(
                f"{source}: {entry.place}: id {key!r} is not in {features.path}; correct it, or name the column row "
                "to give row numbers."
            )
        if ids[key] < 0:
            raise FewlabelsError(
                f"{source}: {entry.place}: id {key!r} stands more than once in {features.path}; give every point an id "
                "of its own, or name the column row to give row numbers."
            )
        return ids[key]
    last = features.n_points - 1
    try:
        row = int(float(key)) if float(key).is_integer() else int(key)
    except (ValueError, OverflowError):
        raise FewlabelsError(
            f"{source}: {entry.place}: {key!r} is not a row number; {features.path} has no ids, so give rows from 0 to "
            f"{last}."
        ) from None
    if not 0 <= row <= last:
        raise FewlabelsError(
            f"{source}: {entry.place}: row {row} is not in {features.path}, which has rows 0 to {last}."
        )
    return row
