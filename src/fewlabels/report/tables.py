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

__all__ = ["Entry", "Table"]

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
    tells how many there are, and is left out where it is empty.

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

    def entry(self, row: str, column: str) -> Entry:
        """Return a cell; empty if it was not run."""
        return self.entries.get((row, column), Entry(()))

    def markdown(self) -> str:
        """Return the table as Markdown."""
        heads = [*self.columns, *self._last(self.counted)]
        lines = [f"### {self.title}", "", f"| | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
        for row in self.rows:
            cells = [self._beside(row, column, " ({})") for column in self.columns]
            lines.append(f"| {row} | " + " | ".join([*cells, *self._last(self._draws(row))]) + " |")
        lines += ["", *(f"{note}  " for note in self.notes)]
        return "\n".join(lines).rstrip() + "\n"

    def latex(self) -> str:
        """Return the table as LaTeX, for booktabs; the best of every column is bold, the paper's figure small."""
        best = {column: self._best(column) for column in self.columns}
        lines = [
            r"\begin{table}[hbtp]",
            r"  \centering",
            rf"  \caption{{{self.title.translate(SPECIAL)}}}",
            rf"  \begin{{tabular}}{{l{'c' * len(self.columns)}}}",
            r"    \toprule",
            "    & " + " & ".join(column.translate(SPECIAL) for column in self.columns) + r" \\",
            r"    \midrule",
        ]
        for row in self.rows:
            cells = []
            for column in self.columns:
                said = self.entry(row, column).said(self.digits)
                mean, _, rest = said.partition(" ± ")
                mean = rf"\textbf{{{mean}}}" if said and best[column] == row else mean
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
            cells = [self._beside(row, column, "<br><small>{}</small>") for column in self.columns]
            rows.append([escape(row), *cells, *self._last(self._draws(row))])
        heads = ["", *self.columns, *self._last(self.counted)]
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

    def _beside(self, row: str, column: str, frame: str) -> str:
        entry, known = self.entry(row, column), self.published.get((row, column))
        if not entry.values or known is None:
            return entry.said(self.digits)
        difference = entry.mean - known[0]
        told = f"paper {known[0]:.{self.digits}f}, {difference:+.{self.digits}f}"
        return entry.said(self.digits) + frame.format(told)

    def _best(self, column: str) -> str | None:
        means = {row: self.entry(row, column).mean for row in self.rows if self.entry(row, column).values}
        return max(means, key=lambda row: means[row]) if len(means) > 1 else None

    def _draws(self, row: str) -> str:
        counts = sorted({len(self.entry(row, column).values) for column in self.columns} - {0})
        return "-".join(str(count) for count in dict.fromkeys([*counts[:1], *counts[-1:]]))
