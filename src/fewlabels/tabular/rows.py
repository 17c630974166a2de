"""Rows of a text file, with the line each came from; parquet through its extra."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from fewlabels.errors import FewlabelsError, in_brief
from fewlabels.extras import optional
from fewlabels.tabular.dialect import LOOKED_AT, Dialect, dialect_of

__all__ = ["dialect_in", "parquet", "read_parquet", "text_lines", "text_rows", "whole_numbers"]


def dialect_in(path: Path) -> Dialect:
    """Return how a text file separates its cells, judged by its first lines."""
    return dialect_of(list(islice(text_lines(path), LOOKED_AT)))


def text_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file."""
    with _opened(path) as file:
        yield from file


def text_rows(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) for every row of a text file, blank lines as empty lists."""
    last = 0
    with _opened(path) as file:
        try:
            for last, cells in dialect.rows(file):
                yield last, cells
        except csv.Error as error:
            raise FewlabelsError(f"{path}: line {last + 1} is not readable ({error}); save it as plain .csv.") from None


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield file
    except UnicodeDecodeError as error:
        raise FewlabelsError(f"{path}: is not UTF-8 text ({error.reason}); save it as UTF-8 .csv.") from None
    except OSError as error:
        raise FewlabelsError(
            f"{path}: cannot be read ({error.strerror}); check the name and the permissions."
        ) from None


def parquet() -> Any:
    """Return pyarrow.parquet, or say how to get it."""
    return optional("pyarrow.parquet", extra="parquet", what="reading and writing .parquet")


def read_parquet(path: Path) -> Any:
    """Read a parquet file as a pyarrow table."""
    reader = parquet()
    try:
        table = reader.read_table(path)
        table.validate(full=True)
    except Exception as error:  # a damaged file fails in a dozen ways; each means the same to the reader
        said = in_brief(error)
        raise FewlabelsError(f"{path}: not a readable .parquet file ({said}); export it again.") from None
    return table


def whole_numbers(cells: list[Any]) -> list[Any]:
    """Return cells as they were before blanks made decimals of them: 3.0 is 3 where no number has decimals.

    Examples
    --------
    >>> whole_numbers([3.0, None, 4.0]), whole_numbers([3.0, 4.5])
    ([3, None, 4], [3.0, 4.5])
    """
    numbers = [cell for cell in cells if isinstance(cell, float) and cell == cell]
    if not numbers or not all(number.is_integer() for number in numbers):
        return cells
    return [int(cell) if isinstance(cell, float) and cell == cell else cell for cell in cells]
