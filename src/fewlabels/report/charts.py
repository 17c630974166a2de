"""A table as a picture: lines where its rows are numbers, dots with their spread where they are names."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from fewlabels.report.tables import Table

__all__ = ["chart_of", "drawn"]

COLOURS = ("#2456b3", "#e07b00", "#2a8f4f", "#c62839", "#7d4fc4", "#8a5a44")


def chart_of(table: Table, what: str, parameter: str = "") -> Any:
    """Return a figure of the table, or None if nothing was run; `parameter` names rows that are numbers."""
    from matplotlib.figure import Figure

    if not any(entry.values for entry in table.entries.values()):
        return None
    height = 3.6 if parameter else 0.3 * len(table.rows) + 1.4
    figure = Figure(figsize=(7.2, height), layout="constrained")
    axes = figure.subplots()
    if parameter:
        for column, colour in zip(table.columns, COLOURS, strict=False):
            run = [(float(row), table.entry(row, column).values) for row in table.rows]
            known = [(x, np.mean(values)) for x, values in run if values]
            if known:
                axes.plot(*zip(*known, strict=True), "o-", color=colour, label=column, ms=4)
        axes.set_xlabel(parameter)
        axes.set_ylabel(what)
        axes.legend(title="labels per class", frameon=False, fontsize=8, title_fontsize=8)
    else:
        _dots(axes, table)
        axes.set_xlabel(what)
    axes.set_title(table.title, fontsize=10)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    return figure


def _dots(axes: Any, table: Table) -> None:
    """Draw each row's means with their deviation, and a grey bar where the paper has its own."""
    gap = 0.7 / len(table.columns)
    named: set[str] = set()
    for place, column in enumerate(table.columns):
        colour = COLOURS[place % len(COLOURS)]
        for level, row in enumerate(table.rows):
            height = -level - 0.35 + gap * (place + 0.5)
            values, known = table.entry(row, column).values, table.published.get((row, column))
            if values:
                label = {"label": column} if column not in named else {}
                axes.errorbar(
                    np.mean(values), height, xerr=np.std(values), fmt="o", color=colour, ms=3.5, lw=1, **label
                )
                named.add(column)
            if values and known:
                label = {"label": "the paper"} if "the paper" not in named else {}
                axes.plot([known[0]] * 2, [height - gap / 2, height + gap / 2], color="#444", lw=1.4, **label)
                named.add("the paper")
    axes.set_yticks([-level for level in range(len(table.rows))], table.rows)
    axes.legend(
        title="labels per class",
        title_fontsize=7,
        frameon=False,
        fontsize=7,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
    )


def drawn(figure: Any, kind: str) -> bytes:
    """Return the figure as "png" or "svg"."""
    out = io.BytesIO()
    figure.savefig(out, format=kind, dpi=110, metadata={"Date": None} if kind == "svg" else None)
    return out.getvalue()
