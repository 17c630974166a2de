"""The page of `fewlabels bench`: bars of seconds, and growth against the number of points."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from fewlabels.report.html import document, escape, section, table

__all__ = ["performance_page"]


def performance_page(
    machine: str,
    seconds: Sequence[tuple[str, float, float, str]],
    ratios: Sequence[tuple[str, float, str]],
    growth: Sequence[dict[str, float]],
    by_labels: Sequence[dict[str, float]] = (),
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
            section("Ratios", "Theirs over ours.", table(["", "measured", "wanted on MNIST"], rows3, numbers=(1, 2)))
        )
    if growth:
        note = "A mixture in 64 dimensions, 10 neighbours, 3 labels for each of 10 classes."
        stages = ("neighbours", "graph", "first fit", "second fit")
        parts.append(section("Growth with the points", note, _growth(growth, "n", stages, "points", "peak memory")))
    if by_labels:
        note = "One fit on the data set's graph, the solver prepared; memory beyond that of the graph."
        parts.append(
            section("Growth with the labels", note, _growth(by_labels, "m", ("fit",), "labels", "extra memory"))
        )
    return document("How fast", machine, parts, "Made by: fewlabels bench")


def _bars(seconds: Sequence[tuple[str, float, float, str]]) -> str:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 0.34 * len(seconds) + 0.9), layout="constrained")
    axes = figure.subplots()
    names = [name for name, *_ in seconds][::-1]
    values = [value for _, value, *_ in seconds][::-1]
    colours = {"ours": "#2456b3", "stage": "#8fb0e6", "machine": "#9aa5b1"}
    shades = [colours.get(name.split(":")[0].split(",")[0], "#e07b00") for name in names]
    axes.barh(names, values, color=shades)
    axes.set_xscale("log")
    axes.set_xlim(min(values) / 2, max(values) * 3)
    for place, value in enumerate(values):
        axes.text(value * 1.08, place, f"{value:.3g} s", va="center", fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.set_xlabel("seconds", fontsize=9)
    return _svg(figure)


def _growth(entries: Sequence[dict[str, float]], key: str, stages: Sequence[str], what: str, memory: str) -> str:
    """Draw seconds of some stages, and gigabytes, against entries[key], on logarithmic scales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    size = [entry[key] for entry in entries]
    for stage, colour in zip(stages[::-1], ("#2456b3", "#8fb0e6", "#5f6b7a", "#e07b00"), strict=False):
        left.loglog(size, [entry[stage] for entry in entries], "o-", label=stage, color=colour)
    left.set_ylabel("seconds")
    left.legend(frameon=False, fontsize=8)
    right.loglog(size, [max(entry["gigabytes"], 1e-3) for entry in entries], "o-", color="#2456b3")
    right.set_ylabel(f"{memory}, GB")
    for axes in (left, right):
        axes.set_xlabel(what)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
    return _svg(figure)


def _svg(figure: object) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg")  # type: ignore[attr-defined]
    text = out.getvalue()
    return text[text.index("<svg") :]
