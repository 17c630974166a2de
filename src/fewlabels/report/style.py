"""The house style: one palette, one look for figures, and figures as PNG, SVG and markup."""

from __future__ import annotations

import colorsys
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

__all__ = [
    "ACCENT",
    "CREAM",
    "GREY",
    "INK",
    "ORANGE",
    "PAGE",
    "PALE",
    "TEN",
    "colours",
    "drawn",
    "house_figure",
    "inline_svg",
    "markup",
]

TEN = ("#2456b3", "#e07b00", "#2a8f4f", "#c62839", "#7d4fc4", "#8a5a44", "#d957a8", "#5f6b7a", "#a3a300", "#0a9fb5")
ACCENT, ORANGE = TEN[:2]
PALE, CREAM, GREY, INK = "#8fb0e6", "#fff2a8", "#9aa5b1", "#1c2430"
PAGE = {
    "ink": INK,
    "soft": "#5b6675",
    "line": "#e3e7ec",
    "paper": "#ffffff",
    "tint": "#f5f7fa",
    "right": "#1d6b36",
    "wrong": "#b3261e",
}
"""Colours of a page by the names that its style sheet uses."""

HOUSE = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": f"cycler('color', {list(TEN)})",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "grid.alpha": 0.25,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "legend.title_fontsize": 8,
    "lines.markersize": 4,
    "savefig.dpi": 110,
    "svg.hashsalt": "fewlabels",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
"""Matplotlib's own settings. The salt gives the same figure the same SVG every time."""

NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def colours(count: int) -> list[str]:
    """Return as many distinct colours: ten chosen ones, or even steps round the colour wheel if ten are too few.

    Examples
    --------
    >>> colours(2)
    ['#2456b3', '#e07b00']
    """
    if count <= len(TEN):
        return list(TEN[:count])
    wheel = []
    for i in range(count):
        red, green, blue = colorsys.hls_to_rgb(i / count, 0.42 + 0.14 * (i % 2), 0.65)
        wheel.append(f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}")
    return wheel


@contextmanager
def house_figure(width: float, height: float) -> Iterator[Any]:
    """Give an empty matplotlib figure of so many inches; what is drawn inside the block has the house style.

    Examples
    --------
    >>> with house_figure(4, 3) as figure:
    ...     lines = figure.subplots().plot([0, 1], [0, 1])
    >>> lines[0].get_color()
    '#2456b3'
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(HOUSE):
        yield Figure(figsize=(width, height))


def drawn(figure: Any, kind: str) -> bytes:
    """Return the figure as "png" or "svg"."""
    from matplotlib import rc_context

    out = io.BytesIO()
    with rc_context(HOUSE):
        figure.savefig(out, format=kind, metadata=NO_METADATA if kind == "svg" else None)
    return out.getvalue()


def inline_svg(svg: bytes) -> str:
    """Return an SVG file as markup for a page: its head and namespaces, which a page does not need, are left out.

    Examples
    --------
    >>> inline_svg(b"<?xml version='1.0'?><svg xmlns='urn:example' width='9'></svg>")
    "<svg width='9'></svg>"
    """
    text = svg.decode()
    return re.sub(r"""\sxmlns(:\w+)?=("[^"]*"|'[^']*')""", "", text[text.index("<svg") :])


def markup(figure: Any, label: str) -> str:
    """Return the figure as markup for a page; `label` says what it shows to those who cannot see it."""
    return f"<div role='img' aria-label='{escape(label)}'>{inline_svg(drawn(figure, 'svg'))}</div>"
