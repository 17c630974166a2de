"""A table as a chart: lines where its rows are numbers, dots with their deviation where they are names."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewlabels.report.style import INK, colours, house_figure
from fewlabels.report.tables import CONVERGED, Table

__all__ = ["chart_of"]

BESIDE = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
"""Where a legend hides nothing."""


def chart_of(table: Table, *, what: str, axis: str = "") -> Any:
    """Return a figure of the table, or None if nothing was run.

    `what` names the values. `axis` names the parameter that the rows are values of, where they are numbers.
    """
    if not any(entry.values for entry in table.entries.values()):
        return None
    with house_figure(7.2, 3.6 if axis else 0.3 * len(table.rows) + 1.4) as figure:
        axes = figure.subplots()
        if axis:
            _lines(axes, table)
            axes.set(xlabel=axis, ylabel=what)
        else:
            _dots(axes, table)
            axes.set(xlabel=what)
        axes.set_title(table.title)
    return figure


def _lines(axes: Any, table: Table) -> None:
    """Draw a line of means for each column; rows of converged solves have a dashed line of their own."""
    marks: dict[str, Any] = {}
    for column, colour in zip(table.columns, colours(len(table.columns)), strict=True):
        for ending, line in {"": "o-", CONVERGED: "--"}.items():
            rows = [row for row in table.rows if row.endswith(CONVERGED) == bool(ending)]
            run = [(float(row.removesuffix(ending)), table.entry(row, column)) for row in rows]
            known = [(x, entry.mean) for x, entry in run if entry.values]
            if known:
                marks.setdefault(column, axes.plot(*zip(*known, strict=True), line, color=colour)[0])
    if any(row.endswith(CONVERGED) for row in table.rows):
        marks["converged"] = axes.plot([], [], "--", color=INK)[0]
    axes.legend(marks.values(), marks.keys(), title=_title_of(table), **BESIDE)


def _dots(axes: Any, table: Table) -> None:
    """Draw each row's means with their deviation, and a dark bar where the paper has its own."""
    gap = 0.7 / len(table.columns)
    marks: dict[str, Any] = {}
    papers = None
    for place, (column, colour) in enumerate(zip(table.columns, colours(len(table.columns)), strict=True)):
        for level, row in enumerate(table.rows):
            height = -level - 0.35 + gap * (place + 0.5)
            values, known = table.entry(row, column).values, table.published.get((row, column))
            if values:
                mean, deviation = np.mean(values), np.std(values)
                marks[column] = axes.errorbar(mean, height, xerr=deviation, fmt="o", color=colour, ms=3.5, lw=1)
            if values and known:
                span = [height - gap / 2, height + gap / 2]
                papers = axes.plot([known[0]] * 2, span, color=INK, lw=1.4)[0]
    if papers is not None:
        marks["the paper"] = papers
    axes.set_yticks([-level for level in range(len(table.rows))], table.rows)
    axes.legend(marks.values(), marks.keys(), title=_title_of(table), **BESIDE)


def _title_of(table: Table) -> str | None:
    """Return what the columns are where they are numbers of labels."""
    return "labels per class" if any(column.isdecimal() for column in table.columns) else None
