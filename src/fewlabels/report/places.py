"""Where one method stands among many: a row for each data set, a dot for each method, a panel for each setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

from fewlabels.report.style import ACCENT, GREY, INK, ORANGE, PAGE, TEN, house_figure

__all__ = ["places_chart"]

MARKS = ((ORANGE, "s"), (TEN[2], "^"), (TEN[3], "v"))
"""Colour and shape of the rows that are named, in turn."""

Panels = Mapping[str, Mapping[str, Mapping[str, float]]]


def places_chart(panels: Panels, *, emphasised: str, named: Sequence[str], what: str) -> Any:
    """Return the figure, or None if there is nothing to draw.

    `panels` holds values in percent by panel, data set and method. The `emphasised` method is a large blue diamond,
    those in `named` have a colour each, all others are grey. The best of the others has a ring, and its name stands at
    the right.
    """
    sets = list(dict.fromkeys(name for rows in panels.values() for name, values in rows.items() if values))
    if not sets:
        return None
    lowest = min(min(values.values()) for rows in panels.values() for values in rows.values() if values)
    low = 10 * (lowest // 10)
    with house_figure(3.1 * len(panels) + 1.2, 0.3 * len(sets) + 1.5) as figure:
        row = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        marks: dict[str, Any] = {}
        for axes, (title, rows) in zip(row, panels.items(), strict=True):
            for level, name in enumerate(sets):
                marks |= _line(axes, -level, rows.get(name, {}), emphasised, named)
            axes.set_title(title)
            axes.set_xlabel(what, fontsize=9)
            axes.set_xlim(low, 101)
            axes.grid(visible=False, axis="y")
            axes.tick_params(left=False)
            axes.spines["left"].set_visible(False)
        row[0].set_yticks([-level for level in range(len(sets))], sets)
        row[0].set_ylim(-len(sets) + 0.4, 0.6)
        order = [each for each in (emphasised, "best of the library", "others", *named) if each in marks]
        figure.legend([marks[each] for each in order], order, loc="outside lower center", ncols=2 * len(panels))
    return figure


def _line(
    axes: Any, height: float, values: Mapping[str, float], emphasised: str, named: Sequence[str]
) -> dict[str, Any]:
    """Draw the dots of one data set on a thin line, and return a mark of each kind for the legend."""
    if not values:
        return {}
    marks: dict[str, Any] = {}
    axes.plot([min(values.values()), max(values.values())], [height] * 2, color=PAGE["line"], lw=1, zorder=1)
    others = {name: value for name, value in values.items() if name != emphasised and name not in named}
    for value in others.values():
        marks["others"] = axes.plot(value, height, "o", color=GREY, ms=3.2, mew=0, zorder=2)[0]
    for name, (colour, shape) in zip(named, cycle(MARKS), strict=False):
        if name in values:
            marks[name] = axes.plot(values[name], height, shape, color=colour, ms=4.2, mew=0, zorder=3)[0]
    if others:
        best = max(others, key=lambda name: others[name])
        ring = {"mfc": "none", "mec": INK, "mew": 0.9, "ms": 6.5}
        marks["best of the library"] = axes.plot(others[best], height, "o", zorder=5, **ring)[0]
        axes.annotate(
            best, (1.0, height), xycoords=("axes fraction", "data"), xytext=(6, 0), textcoords="offset points",
            fontsize=6, color=PAGE["soft"], va="center",
        )  # fmt: skip
    if emphasised in values:
        style = {"color": ACCENT, "ms": 7, "mec": "white", "mew": 0.6}
        marks[emphasised] = axes.plot(values[emphasised], height, "D", zorder=4, **style)[0]
    return marks
