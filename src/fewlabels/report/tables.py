"""Tables of trials beside the paper's: for the terminal and as Markdown, LaTeX, CSV and markup."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fewlabels.report.html import table
from fewlabels.report.text import escape

__all__ = ["CONVERGED", "Entry", "Table"]

CONVERGED = " (converged)"
"""Ends the name of a row whose solves were done to the end, where another has the same by a number of steps."""

SPECIAL = str.maketrans({"%": r"\%", "_": r"\_", "&": r"\&", "#": r"\#", "$": r"\$"})


@dataclass(frozen=True)
class Entry:
    """Values of one cell over its draws; empty where nothing was run."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean, NaN where nothing was run."""
        return float(np.mean(self.values)) if self.values else float("nan")

    def said(self, digits: int = 2) -> str:
        """Return mean and deviation over the draws, or nothing."""
        if not self.values:
            return ""
        values: NDArray[np.float64] = np.array(self.values)
        return f"{values.mean():.{digits}f}" + (f" ± {values.std():.{digits}f}" if values.size > 1 else "")


@dataclass(frozen=True)
class Table:
    """Rows by columns of entries, with a title and notes on how they were made.

    `published` holds the paper's figures, mean and deviation (NaN where it tells none). They stand beside ours, never
    in their place: a cell that was not run is blank. `counted` says what the values of a cell are; the last column
    tells how many there are, and is left out where it is empty. `heads` says what stands above a column, where that is
    not its name. With `has_best` the largest mean of every column is bold, of those over the most values.

    Examples
    --------
    >>> cell = {("Laplace", "1"): Entry((50.0, 52.0))}
    >>> paper = {("Laplace", "1"): (49.0, 1.5)}
    >>> print(Table("Accuracy", ["Laplace"], ["1"], cell, published=paper).markdown())
    ### Accuracy
    <BLANKLINE>
    | | 1 | draws |
    |---|---|---|
    | Laplace | 51.00 ± 1.00 (paper 49.00, +2.00) | 2 |
    <BLANKLINE>
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    entries: Mapping[tuple[str, str], Entry]
    notes: Sequence[str] = field(default=(), kw_only=True)
    published: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict, kw_only=True)
    digits: int = field(default=2, kw_only=True)
    counted: str = field(default="draws", kw_only=True)
    heads: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    has_best: bool = field(default=False, kw_only=True)

    def entry(self, row: str, column: str) -> Entry:
        """Return a cell; empty if it was not run."""
        return self.entries.get((row, column), Entry(()))

    def markdown(self) -> str:
        """Return the table as Markdown."""
        heads = self._heads()
        lines = [f"### {self.title}", "", f"| | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
        for row in self.rows:
            cells = [self._beside(row, column, " ({})", "**{}**") for column in self.columns]
            lines.append(f"| {row} | " + " | ".join([*cells, *self._last(self._draws(row))]) + " |")
        lines += ["", *(f"{note}  " for note in self.notes)]
        return "\n".join(lines).rstrip() + "\n"

    def latex(self) -> str:
        """Return the table as LaTeX, for booktabs; the paper's figure is small."""
        lines = [
            r"\begin{table}[hbtp]",
            r"  \centering",
            rf"  \caption{{{self.title.translate(SPECIAL)}}}",
            rf"  \begin{{tabular}}{{l{'c' * len(self.columns)}}}",
            r"    \toprule",
            "    & " + " & ".join(self._head(column).translate(SPECIAL) for column in self.columns) + r" \\",
            r"    \midrule",
        ]
        for row in self.rows:
            cells = []
            for column in self.columns:
                said = self.entry(row, column).said(self.digits)
                mean, _, rest = said.partition(" ± ")
                mean = rf"\textbf{{{mean}}}" if self._is_best(row, column) else mean
                known = self.published.get((row, column))
                cells.append(
                    mean
                    + (rf" $\pm$ {rest}" if rest else "")
                    + (rf" {{\scriptsize ({known[0]:.{self.digits}f})}}" if said and known else "")
                )
            lines.append(f"    {row.translate(SPECIAL)} & " + " & ".join(cells) + r" \\")
        lines += [r"    \bottomrule", r"  \end{tabular}", r"\end{table}"]
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """Return the table as markup; the paper's figure and the difference stand under ours."""
        rows = []
        for row in self.rows:
            cells = [self._beside(row, column, "<br><small>{}</small>", "<b>{}</b>") for column in self.columns]
            rows.append([escape(row), *cells, *self._last(self._draws(row))])
        heads = ["", *self._heads()]
        return table(heads, rows, numbers=range(1, len(heads)))

    def csv(self) -> str:
        """Return a line for each cell that was run: its row and column, mean, deviation, and number of values."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(["row", "column", "mean", "deviation", "count"])
        for row in self.rows:
            for column in self.columns:
                values = self.entry(row, column).values
                if values:
                    lines.writerow([row, column, f"{np.mean(values):.6g}", f"{np.std(values):.6g}", len(values)])
        return text.getvalue()

    def _last(self, said: str) -> list[str]:
        """Return what the last column says, nothing where there is none."""
        return [said] if self.counted else []

    def _head(self, column: str) -> str:
        return self.heads.get(column, column)

    def _heads(self) -> list[str]:
        return [*(self._head(column) for column in self.columns), *self._last(self.counted)]

    def _beside(self, row: str, column: str, frame: str, bold: str) -> str:
        entry, known = self.entry(row, column), self.published.get((row, column))
        said = entry.said(self.digits)
        said = bold.format(said) if self._is_best(row, column) else said
        if not entry.values or known is None:
            return said
        difference = entry.mean - known[0]
        return said + frame.format(f"paper {known[0]:.{self.digits}f}, {difference:+.{self.digits}f}")

    def _is_best(self, row: str, column: str) -> bool:
        """Tell whether a cell has the largest mean of its column, among those with the most draws if there are some."""
        entries = [self.entry(each, column) for each in self.rows]
        most = max(len(entry.values) for entry in entries)
        means = [entry.mean for entry in entries if most and len(entry.values) == most]
        mine = self.entry(row, column)
        return self.has_best and len(means) > 1 and len(mine.values) == most and mine.mean == max(means)

    def _draws(self, row: str) -> str:
        counts = sorted({len(self.entry(row, column).values) for column in self.columns} - {0})
        return "-".join(str(count) for count in dict.fromkeys([*counts[:1], *counts[-1:]]))
