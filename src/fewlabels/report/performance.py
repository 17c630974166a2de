"""The page of `fewlabels bench`: bars of seconds, and growth against the number of points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewlabels.report.html import document, section, table
from fewlabels.report.style import ACCENT, GREY, ORANGE, PALE, house_figure, markup
from fewlabels.report.text import escape

__all__ = ["performance_page"]

BARS = {"ours": ACCENT, "stage": PALE, "machine": GREY}
"""Colours by the first word of what was measured; all else is somebody else's."""


def performance_page(
    machine: str,
    seconds: Sequence[tuple[str, float, float, str]],
    ratios: Sequence[tuple[str, float, str]],
    growth: Sequence[dict[str, float]],
    by_labels: Sequence[dict[str, float]] = (),
    *,
    command: str,
) -> str:
    """Return the page; `seconds` holds (what, seconds, noise, note), `ratios` (what, measured, wanted)."""
    known = [entry for entry in seconds if np.isfinite(entry[1])]
    parts = []
    if known:
        rows = [(escape(name), f"{value:.3f}", f"{noise:.0%}", escape(note)) for name, value, noise, note in known]
        body = _bars(known) + table(["what", "seconds", "slowest - fastest", ""], rows, numbers=(1, 2))
        parts.append(section("Seconds", "Medians over repeats, all in one run; a logarithmic scale.", body))
    if ratios:
        rows3 = [(escape(name), f"{value:.1f}", escape(wanted)) for name, value, wanted in ratios]
        parts.append(
            section("Ratios", "Each as its row says.", table(["", "measured", "wanted"], rows3, numbers=(1, 2)))
        )
    if growth:
        note = "A mixture in 64 dimensions, 10 neighbours, 3 labels for each of 10 classes."
        stages = ("neighbours", "graph", "first fit", "second fit")
        body = _growth(growth, key="n", stages=stages, what="points", memory="peak memory")
        parts.append(section("Growth with the points", note, body))
    if by_labels:
        note = "One fit on the data set's graph, the solver prepared; memory beyond that of the graph."
        body = _growth(by_labels, key="m", stages=("fit",), what="labels", memory="extra memory")
        parts.append(section("Growth with the labels", note, body))
    return document("How fast", lead=machine, parts=parts, command=command)


def _bars(seconds: Sequence[tuple[str, float, float, str]]) -> str:
    """Draw a bar for each time on a logarithmic scale, the first at the top."""
    names = [name for name, *_ in seconds]
    values = [value for _, value, *_ in seconds]
    with house_figure(9.6, 0.34 * len(seconds) + 0.9) as figure:
        axes = figure.subplots()
        bars = axes.barh(names, values, color=[BARS.get(name.split(":")[0].split(",")[0], ORANGE) for name in names])
        axes.bar_label(bars, fmt="%.3g s", padding=3, fontsize=8)
        axes.set(xlabel="seconds", xscale="log", xlim=(min(values) / 2, max(values) * 3))
        axes.grid(visible=False, axis="y")
        axes.invert_yaxis()
    return markup(figure, "Seconds of everything that was measured")


def _growth(entries: Sequence[dict[str, float]], *, key: str, stages: Sequence[str], what: str, memory: str) -> str:
    """Draw seconds of some stages, and gigabytes, against entries[key], on logarithmic scales."""
    size = [entry[key] for entry in entries]
    with house_figure(9.6, 3.4) as figure:
        left, right = figure.subplots(1, 2)
        for stage in stages[::-1]:
            left.loglog(size, [entry[stage] for entry in entries], "o-", label=stage)
        left.set(xlabel=what, ylabel="seconds")
        left.legend()
        right.loglog(size, [max(entry["gigabytes"], 1e-3) for entry in entries], "o-")
        right.set(xlabel=what, ylabel=f"{memory}, GB")
    return markup(figure, f"Seconds and memory against the number of {what}")
