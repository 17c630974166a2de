"""Tables of trials: mean and deviation over the draws, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Entry", "Table"]


@dataclass(frozen=True)
class Entry:
    """Accuracies of one cell over its draws; empty where nothing was run."""

    accuracies: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean in percent, NaN where nothing was run."""
        return float(np.mean(self.accuracies)) if self.accuracies else float("nan")

    def __str__(self) -> str:
        if not self.accuracies:
            return ""
        values: NDArray[np.float64] = np.array(self.accuracies)
        return f"{values.mean():.2f} ± {values.std():.2f}" if values.size > 1 else f"{values[0]:.2f}"


@dataclass(frozen=True)
class Table:
    """Rows by columns of entries, with a title and notes on how they were made.

    Examples
    --------
    >>> print(Table("Accuracy", ["Laplace"], ["1"], {("Laplace", "1"): Entry((50.0, 52.0))}, []).markdown())
    ### Accuracy
    <BLANKLINE>
    | | 1 | draws |
    |---|---|---|
    | Laplace | 51.00 ± 1.00 | 2 |
    <BLANKLINE>
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    entries: dict[tuple[str, str], Entry]
    notes: Sequence[str]

    def markdown(self) -> str:
        """Return the table as Markdown; a cell that was not run is blank."""
        lines = [f"### {self.title}", "", "| | " + " | ".join(self.columns) + " | draws |"]
        lines.append("|---" * (len(self.columns) + 2) + "|")
        for row in self.rows:
            cells = [self.entries.get((row, column), Entry(())) for column in self.columns]
            counts = sorted({len(cell.accuracies) for cell in cells if cell.accuracies})
            said = "" if not counts else "-".join(str(count) for count in dict.fromkeys((counts[0], counts[-1])))
            lines.append(f"| {row} | " + " | ".join(map(str, cells)) + f" | {said} |")
        lines += ["", *(f"{note}  " for note in self.notes)]
        return "\n".join(lines).rstrip() + "\n"
