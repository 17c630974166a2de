"""The tables of the suite, from the trials that a store has: accuracy by cell, regret, calibration and seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from fewlabels.experiments.experiment import Setting, Tabulate
from fewlabels.experiments.labellers import DEFAULT, LIBRARY, PLAIN
from fewlabels.experiments.store import Trial
from fewlabels.report.places import places_chart
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = ["BALANCED", "CALIBRATION", "CONFIDENCE", "Findings", "tables"]

ACCURACY, SECONDS = "accuracy", "seconds"
BALANCED, CALIBRATION, CONFIDENCE = "balanced accuracy", "calibration error", "mean confidence"
OFF_BY = "confidence off by"
BEST, REGRET, ALL = "best method", "regret", "all"
TITLE = "Data like users'"

Cell = tuple[str, str]
"""A data set and a rate."""


@dataclass(frozen=True, eq=False)
class Findings:
    """The trials of some data sets, rates and rows by draw, and how often which reason kept one from being done.

    `older` counts each row's trials that other code than that at hand made.
    """

    sets: Sequence[str]
    rates: Sequence[str]
    rows: Sequence[str]
    found: Mapping[tuple[str, str, str], Mapping[int, Trial]]
    refused: Mapping[str, int]
    older: Mapping[str, int]

    @property
    def cells(self) -> list[Cell]:
        """Every data set at every rate."""
        return [(name, rate) for name in self.sets for rate in self.rates]

    def values(self, cell: Cell, row: str, measure: str = ACCURACY) -> dict[int, float]:
        """Return what was measured, by draw."""
        trials = self.found.get((*cell, row), {})
        told = {t: _measure(trial, measure) for t, trial in sorted(trials.items())}
        return {t: value for t, value in told.items() if value is not None}

    def mean(self, cell: Cell, row: str, measure: str = ACCURACY) -> float | None:
        """Return the mean over the draws (of seconds the median), or None where nothing was run."""
        values = list(self.values(cell, row, measure).values())
        if not values:
            return None
        return float(np.median(values) if measure == SECONDS else np.mean(values))

    def means(self, row: str, measure: str, *, rate: str = "") -> tuple[float, ...]:
        """Return the means of the cells that were run, of one rate or of all."""
        cells = [cell for cell in self.cells if rate in ("", cell[1])]
        return tuple(mean for cell in cells if (mean := self.mean(cell, row, measure)) is not None)

    @cached_property
    def best(self) -> dict[Cell, str]:
        """The single method that is best in each cell, of the library or of what one would do without it."""
        best = {}
        for cell in self.cells:
            means = {row: mean for row in (*LIBRARY, *PLAIN) if (mean := self.mean(cell, row)) is not None}
            if means:
                best[cell] = max(means, key=lambda row: means[row])
        return best

    def regret(self, cell: Cell, row: str) -> tuple[float, ...]:
        """Return how far a row is behind the best method of a cell, on each draw that both have."""
        if cell not in self.best:
            return ()
        ours, theirs = self.values(cell, row), self.values(cell, self.best[cell])
        return tuple(theirs[t] - ours[t] for t in ours if t in theirs)

    def regrets(self, row: str) -> dict[Cell, float]:
        """Return the mean regret of a row in each cell that has one."""
        found = {cell: self.regret(cell, row) for cell in self.cells}
        return {cell: float(np.mean(values)) for cell, values in found.items() if values}


def _measure(trial: Trial, name: str) -> float | None:
    if name == SECONDS:
        return trial.seconds
    if name == OFF_BY:
        sure = trial.more.get(CONFIDENCE)
        return None if sure is None else abs(sure - trial.accuracy)
    return trial.accuracy if name == ACCURACY else trial.more.get(name)


def tables(findings: Callable[[Setting], Findings]) -> dict[str, Tabulate]:
    """Return the ways to tabulate a run by the word that file names add, the summary under the empty one."""

    def way(make: Callable[[Findings], tuple[Table, Any]]) -> Tabulate:
        return lambda setting: make(findings(setting))

    return {
        "": way(summary),
        "accuracy": way(accuracy_by_cell),
        "balanced": way(partial(_by_cell, measures={BALANCED: ""})),
        "calibration": way(
            partial(_by_cell, measures={CALIBRATION: "", OFF_BY: ", off by", CONFIDENCE: ", confidence"})
        ),
        "seconds": way(partial(_by_cell, measures={SECONDS: ""})),
    }


def summary(found: Findings) -> tuple[Table, Any]:
    """Return averages over the cells, a row for each method, and the picture of every cell."""
    parts: dict[tuple[str, str], tuple[float, ...]] = {}
    measures = (BALANCED, CALIBRATION, OFF_BY, SECONDS)
    for row in found.rows:
        parts |= {(row, rate): found.means(row, ACCURACY, rate=rate) for rate in found.rates}
        parts[row, ALL] = found.means(row, ACCURACY)
        parts[row, REGRET] = tuple(found.regrets(row).values())
        parts |= {(row, name): found.means(row, name) for name in measures}
    columns = [*found.rates, ALL, REGRET, *measures]
    notes = [
        f"Data sets: {', '.join(found.sets)}. A cell is a data set at a number of labels per class, or with five times "
        "as many labels as classes, as they come. Mean ± deviation over the cells, not over draws.",
        "Under a rate: accuracy in percent over the points without a label. Regret: behind the best method of each "
        "cell, which is chosen on the same draws, so that it is an upper bound. Balanced accuracy: mean over the "
        "classes. Calibration error: in points, where there are probabilities. Off by: how far the mean confidence of "
        "a draw is from its accuracy, below which its calibration error cannot be.",
        "Seconds: median over the draws of a fit on known neighbours; those of the default include its confidence.",
        *_worst(found),
        *(f"Not done, {count} draws: {reason}" for reason, count in sorted(found.refused.items())),
        *_made_by_other_code(found),
        f"{surroundings()}.",
    ]
    entries = {place: Entry(values) for place, values in parts.items()}
    table = Table(f"{TITLE}: averages", found.rows, columns, entries, notes=notes, counted="cells")
    return table, _picture(found)


def _made_by_other_code(found: Findings) -> list[str]:
    """Say how many trials of which rows other code made."""
    said = ", ".join(f"{row} {count}" for row, count in found.older.items() if count)
    return [f"Trials that other code than this made: {said}; --redo-older runs them again."] if said else []


def _worst(found: Findings) -> list[str]:
    """Say where the default loses most."""
    regrets = found.regrets(DEFAULT)
    if not regrets:
        return []
    worst = sorted(regrets, key=lambda cell: -regrets[cell])[:5]
    said = "; ".join(f"{name} at {rate} {regrets[name, rate]:.1f} to {found.best[name, rate]}" for name, rate in worst)
    return [f"The default's largest regrets: {said}."]


def accuracy_by_cell(found: Findings) -> tuple[Table, None]:
    """Return the accuracy of every method in every cell, the best of the library, and the default's regret to it."""
    first = [DEFAULT] if DEFAULT in found.rows else []
    columns = [*first, BEST, REGRET, *(row for row in found.rows if row != DEFAULT)]
    entries: dict[tuple[str, str], Entry] = {}
    for cell in found.cells:
        name = _said(cell)
        entries |= {(name, row): Entry(tuple(found.values(cell, row).values())) for row in found.rows}
        if cell in found.best:
            entries[name, BEST] = entries[name, found.best[cell]]
            entries[name, REGRET] = Entry(found.regret(cell, DEFAULT))
    rows = [_said(cell) for cell in found.cells]
    best = "; ".join(f"{_said(cell)}: {row}" for cell, row in found.best.items())
    notes = [
        "Accuracy in percent over the points without a label, mean ± deviation over the draws.",
        f"Best method: {best}.",
        f"{surroundings()}.",
    ]
    return Table(f"{TITLE}: accuracy", rows, columns, entries, notes=notes, digits=1), None


def _by_cell(found: Findings, measures: Mapping[str, str]) -> tuple[Table, None]:
    """Return what was measured in every cell; a measure's word is added to the row's name in the heading."""
    named = {f"{row}{word}": (row, measure) for row in found.rows for measure, word in measures.items()}
    entries = {
        (_said(cell), column): Entry(() if (mean := found.mean(cell, *source)) is None else (mean,))
        for cell in found.cells
        for column, source in named.items()
    }
    columns = [each for each in named if any(entries[_said(cell), each].values for cell in found.cells)]
    measure = next(iter(measures))
    over = "Medians over the draws" if measure == SECONDS else "In percent, means over the draws"
    rows = [_said(cell) for cell in found.cells]
    digits = 3 if measure == SECONDS else 1
    notes = [f"{over}.", f"{surroundings()}."]
    return Table(f"{TITLE}: {measure}", rows, columns, entries, notes=notes, digits=digits, counted=""), None


def _said(cell: Cell) -> str:
    return f"{cell[0]}, {cell[1]}"


def _picture(found: Findings) -> Any:
    """Draw every method's accuracy in every cell, or nothing where nothing was run."""
    panels: dict[str, dict[str, dict[str, float]]] = {}
    for rate in found.rates:
        panels[_panel(rate)] = {
            name: {row: mean for row in found.rows if (mean := found.mean((name, rate), row)) is not None}
            for name in found.sets
        }
    return places_chart(panels, emphasised=DEFAULT, named=list(PLAIN), what="accuracy in percent")


def _panel(rate: str) -> str:
    return f"{rate} label{'s' if rate != '1' else ''} per class" if rate.isdecimal() else rate.replace("-", " ")
