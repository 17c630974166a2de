"""Columns of a .csv or .parquet file as arrays and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.progress import track
from fewlabels.tabular.counted import counting_columns, said_of_counting
from fewlabels.tabular.dialect import Dialect
from fewlabels.tabular.roles import Asked, Roles, is_header, roles_of
from fewlabels.tabular.rows import dialect_in, read_parquet, text_lines, text_rows, whole_numbers

__all__ = ["Columns", "read_csv", "read_table"]


@dataclass(frozen=True, eq=False)
class Columns:
    """Numbers and what they are called, ids where there are any, and the columns that hold labels or text."""

    X: NDArray[Any]
    ids: list[Any] | None = None
    label_columns: dict[str, list[Any]] = field(default_factory=dict)
    text_columns: dict[str, list[Any]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Layout:
    """How the text of a file is to be read."""

    path: Path
    dialect: Dialect
    names: list[str]
    header: int
    """The line of the header, 0 where there is none."""

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield (line, cells) of every row below the header that is not blank."""
        for line, cells in text_rows(self.path, self.dialect):
            if cells and line > self.header:
                yield line, cells


def read_csv(path: Path, asked: Asked, fewest: int = 2) -> Columns:
    """Read a text file; the numbers by numpy, the text columns beside them as they are."""
    layout, sample = _laid_out(path, fewest)
    if not layout.header and asked.label is not None:
        raise FewlabelsError(f"{asked.label}: no such file, and {path} has no header that could name a column.")
    names = layout.names
    roles = roles_of(path, names, asked, ["" if layout.dialect.is_number(cell) else cell.strip() for cell in sample])
    texts = _texts(layout, roles)
    try:
        X = np.loadtxt(
            track(_even_lines(layout), f"reading {path.name}"),
            delimiter=layout.dialect.for_numpy,
            skiprows=layout.header,
            usecols=roles.numbers,
            comments=None,
            quotechar='"',
            ndmin=2,
        )
    except ValueError as error:
        raise FewlabelsError(
            _bad_cell(layout, roles.numbers, layout.dialect.is_number) or f"{path}: {error}."
        ) from None
    if not np.isfinite(X).all():
        raise FewlabelsError(
            _bad_cell(layout, roles.numbers, lambda cell: np.isfinite(float(layout.dialect.plain(cell))))
        )
    found = Columns(
        X,
        ids=None if roles.id is None else texts[roles.id],
        label_columns={names[i]: texts[i] for i in roles.labels},
        text_columns={names[i]: texts[i] for i in roles.texts},
        names=[names[i] for i in roles.numbers] if layout.header else [],
    )
    return found if asked.features else _without_counting(path, found, [names[i] for i in roles.numbers])


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
    roles = roles_of(path, names, asked, texts)
    blocks, called = [], []
    for i in roles.numbers:
        if columns[i].null_count:
            row = columns[i].to_pylist().index(None)
            raise FewlabelsError(f"{path}: row {row}, column {names[i]!r} is empty; fill it in or drop the row.")
        block = _of_lists(path, names[i], columns[i]) if is_list(columns[i].type) else _of_numbers(columns[i])
        finite = np.isfinite(block).all(axis=1)
        if not finite.all():
            where = f"{path}: row {int(finite.argmin())}, column {names[i]!r}"
            raise FewlabelsError(f"{where} holds NaN or infinity; fill it in or drop the row.")
        blocks.append(block)
        called += [""] * block.shape[1] if is_list(columns[i].type) else [names[i]]
    found = Columns(
        np.hstack(blocks),
        ids=None if roles.id is None else columns[roles.id].to_pylist(),
        label_columns={names[i]: whole_numbers(columns[i].to_pylist()) for i in roles.labels},
        text_columns={names[i]: columns[i].to_pylist() for i in roles.texts},
        names=called,
    )
    return found if asked.features else _without_counting(path, found, called)


def _of_numbers(column: Any) -> NDArray[np.float64]:
    return np.asarray(column.cast("float64").to_numpy()[:, None])


def _of_lists(path: Path, name: str, column: Any) -> NDArray[np.float64]:
    try:
        block = np.array(column.to_pylist(), dtype=np.float64)
    except (TypeError, ValueError):
        block = np.zeros(0)
    if block.ndim != 2:
        raise FewlabelsError(f"{path}: the lists in column {name!r} are not numbers of one length; make them so.")
    return block


def _laid_out(path: Path, fewest: int) -> tuple[_Layout, list[str]]:
    """Return how a text file is to be read, and the cells of its first row below the header."""
    dialect = dialect_in(path)
    rows = ((line, cells) for line, cells in text_rows(path, dialect) if cells)
    first, second = next(rows, None), next(rows, None)
    if first is not None and second is None and fewest == 1:
        second = first
    if first is None or second is None:
        raise FewlabelsError(f"{path}: has fewer than two rows; give one row per point.")
    if len(first[1]) != len(second[1]):
        raise FewlabelsError(
            f"{path}: line {first[0]} has {len(first[1])} cells but line {second[0]} has {len(second[1])}; give every "
            "line the same number."
        )
    if is_header(first[1], second[1], dialect):
        return _Layout(path, dialect, [cell.strip() for cell in first[1]], first[0]), second[1]
    return _Layout(path, dialect, [f"column {i + 1}" for i in range(len(first[1]))], 0), first[1]


def _texts(layout: _Layout, roles: Roles) -> dict[int, list[str]]:
    """Return the cells of the columns that are no features."""
    texts: dict[int, list[str]] = {i: [] for i in ([] if roles.id is None else [roles.id]) + roles.labels + roles.texts}
    for line, cells in layout.rows() if texts else ():
        for i, column in texts.items():
            if i >= len(cells):
                raise FewlabelsError(f"{layout.path}: line {line} has {len(cells)} cells, not {len(layout.names)}.")
            column.append(cells[i].strip())
    return texts


def _even_lines(layout: _Layout) -> Iterator[str]:
    """Yield the lines of the file, with decimal points, and refuse one with more cells than there are columns."""
    width = len(layout.names)
    for number, line in enumerate(text_lines(layout.path), start=1):
        cells = layout.dialect.width_of(line)
        if cells > width and '"' not in line and number > layout.header:
            raise FewlabelsError(
                f"{layout.path}: line {number} has {cells} cells, not {width}; remove what is too much."
            )
        yield layout.dialect.plain(line)


def _without_counting(path: Path, columns: Columns, names: Sequence[str]) -> Columns:
    """Leave out columns that only number the rows; the first of a file is taken as the id where there is none."""
    counting = counting_columns(columns.X, names)
    if not counting:
        return columns
    as_id = columns.ids is None and counting[0] == 0
    said_of_counting(path, [names[i] for i in counting], as_id and len(counting) == 1)
    kept = [i for i in range(columns.X.shape[1]) if i not in counting]
    return replace(
        columns,
        X=columns.X[:, kept],
        ids=columns.X[:, 0].astype(np.int64).tolist() if as_id else columns.ids,
        names=[columns.names[i] for i in kept] if columns.names else [],
    )


def _bad_cell(layout: _Layout, numbers_at: list[int], is_good: Callable[[str], object]) -> str:
    """Return a sentence about the first cell that is not good, or nothing if there is none."""
    for row, (line, cells) in enumerate(layout.rows()):
        if len(cells) <= max(numbers_at):
            return (
                f"{layout.path}: line {line} (row {row}) has {len(cells)} cells, not {len(layout.names)}; "
                "complete or drop it."
            )
        for i in numbers_at:
            if not is_good(cells[i]):
                held = f"holds {cells[i].strip()!r}" if cells[i].strip() else "is empty"
                what = "a finite number" if layout.dialect.is_number(cells[i]) else "a number"
                return (
                    f"{layout.path}: line {line} (row {row}), column {layout.names[i]!r} {held}, which is not {what}; "
                    "fill it in or drop the row."
                )
    return ""
