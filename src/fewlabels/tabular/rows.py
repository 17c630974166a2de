"""Rows of a .csv file as text, with the line each came from; parquet through its extra."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from fewlabels.errors import FewlabelsError
from fewlabels.extras import optional

__all__ = [
    "delimiter_of",
    "is_number",
    "parquet",
    "read_parquet",
    "text_lines",
    "text_rows",
]


def delimiter_of(path: Path) -> str:
    """Return the separator of a .csv file, judged by its first line: comma, semicolon or tab."""
    with _opened(path) as file:
        first = file.readline()
    return max(",;\t", key=first.count)


def text_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file."""
    with _opened(path) as file:
        yield from file


def text_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) for every row of a .csv file, blank lines as empty lists."""
    with _opened(path) as file:
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        try:
            for cells in reader:
                yield reader.line_num, cells
        except csv.Error as error:
            raise FewlabelsError(
                f"{path}: line {reader.line_num + 1} is not readable ({error}); save it as plain .csv."
            ) from None


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


def is_number(cell: str) -> bool:
    """Tell whether a cell reads as a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def parquet() -> Any:
    """Return pyarrow.parquet, or say how to get it."""
    return optional("pyarrow.parquet", extra="parquet", what="reading and writing .parquet")


def read_parquet(path: Path) -> Any:
    """Read a parquet file as a pyarrow table."""
    reader = parquet()
    try:
        return reader.read_table(path)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise FewlabelsError(f"{path}: not a readable .parquet file ({reason}); export it again.") from None
