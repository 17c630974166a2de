"""How a text file separates its cells and writes its decimals, judged by its first lines."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

__all__ = ["LOOKED_AT", "Dialect", "dialect_of"]

LOOKED_AT = 20
"""Lines by which a file is judged."""

SPACES = " "
DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")


@dataclass(frozen=True)
class Dialect:
    """A separator (a space stands for any run of blanks) and the sign before decimals.

    Examples
    --------
    >>> Dialect(";", ",").is_number("1,5"), Dialect(",").is_number("1,5")
    (True, False)
    """

    delimiter: str = ","
    decimal: str = "."

    @property
    def for_numpy(self) -> str | None:
        """The delimiter as numpy.loadtxt takes it."""
        return None if self.delimiter == SPACES else self.delimiter

    def is_number(self, cell: str) -> bool:
        """Tell whether a cell reads as a number."""
        if "_" in cell:
            return False
        try:
            float(self.plain(cell))
        except ValueError:
            return False
        return True

    def is_finite(self, cell: str) -> bool:
        """Tell whether a cell reads as a finite number."""
        return self.is_number(cell) and math.isfinite(float(self.plain(cell)))

    def plain(self, text: str) -> str:
        """Return the text with decimal points."""
        return text if self.decimal == "." else text.replace(self.decimal, ".")

    def width_of(self, line: str) -> int:
        """Return the number of cells of a line without quotes."""
        return len(line.split()) if self.delimiter == SPACES else line.count(self.delimiter) + 1

    def rows(self, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield (line number, cells) for every row, blank lines as empty lists; a leading # of a header is dropped."""
        if self.delimiter == SPACES:
            for number, line in enumerate(lines, start=1):
                yield number, (line.lstrip("# ") if number == 1 else line).split()
            return
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        for cells in reader:
            yield reader.line_num, cells


def dialect_of(lines: Sequence[str]) -> Dialect:
    """Judge by the first lines: comma, semicolon or tab, decimal points or commas; blanks where all are numbers.

    Examples
    --------
    >>> dialect_of(["x;y", "1,5;2"]), dialect_of(["1.5 2.5", "3.5 4.5"])
    (Dialect(delimiter=';', decimal=','), Dialect(delimiter=' ', decimal='.'))
    """
    filled = [line for line in lines if line.strip()]
    if not filled:
        return Dialect()
    for delimiter in ";\t":
        if delimiter in filled[0] and _has_decimal_commas(filled, delimiter):
            return Dialect(delimiter, ",")
    if not any(sign in filled[0] for sign in ",;\t") and _is_spaced(filled):
        return Dialect(SPACES)
    return Dialect(max(",;\t", key=filled[0].count))


def _has_decimal_commas(lines: Sequence[str], delimiter: str) -> bool:
    """Tell whether cells hold numbers with decimal commas, on lines of equal length."""
    cells = [line.strip("\r\n").split(delimiter) for line in lines]
    return len({len(row) for row in cells}) == 1 and any(DECIMAL_COMMA.fullmatch(cell) for row in cells for cell in row)


def _is_spaced(lines: Sequence[str]) -> bool:
    """Tell whether blanks separate several numbers on every line, the first of which may be a header."""
    rows = [cells for _, cells in Dialect(SPACES).rows(lines)]
    widths = {len(row) for row in rows}
    numbers = rows[1:] or rows
    return len(widths) == 1 and len(rows[0]) > 1 and all(Dialect().is_number(cell) for row in numbers for cell in row)
