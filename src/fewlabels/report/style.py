"""The house style: one palette, one look for figures, and figures as PNG, SVG and markup."""

from __future__ import annotations

import colorsys
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fewlabels.report.text import escape

__all__ = [
    "ACCENT",
    "CREAM",
    "GREY",
    "INK",
    "ORANGE",
    "PAGE",
    "PAGE_IN_THE_DARK",
    "PALE",
    "TEN",
    "colours",
    "drawn",
    "house_figure",
    "inline_svg",
    "markup",
    "sheet",
]

TEN = ("#001dad", "#ed5f18", "#459f5d", "#d056dc", "#8c591c", "#2d76a3", "#b11f6d", "#284700", "#733ad4", "#592656")
ACCENT, ORANGE, PALE, CREAM, GREY, INK = "#2456b3", "#d26a00", "#6d93d6", "#fff2a8", "#868d95", "#1c2430"
PAGE = {
    "ink": INK,
    "soft": "#5b6675",
    "line": "#e3e7ec",
    "paper": "#ffffff",
    "tint": "#f5f7fa",
    "faded": GREY,
    "right": "#1d6b36",
    "wrong": "#b3261e",
    "accent": ACCENT,
    "orange": ORANGE,
    "pale": PALE,
    "cream": CREAM,
} | {f"c{i}": colour for i, colour in enumerate(TEN)}
"""Colours of a page by the names that its style sheet uses; c0 to c9 are those of classes.

Every colour that is drawn with has a contrast of 3:1 and more on its ground, and the ten of classes differ for readers
who are blind to red or green as well. They are the labelling page's, too.
"""

TEN_IN_THE_DARK = (
    "#4f84fe", "#feb98c", "#5fcf28", "#f66bb9", "#e4f23d", "#00f9db", "#c04350", "#a48b08", "#b3b6fd", "#a738c5",
)  # fmt: skip
PAGE_IN_THE_DARK = {
    "ink": "#e8ebef",
    "soft": "#a9b3bf",
    "line": "#343b45",
    "paper": "#1b2027",
    "tint": "#14171b",
    "faded": "#7d8590",
    "right": "#6fce8b",
    "wrong": "#ff8f86",
    "accent": "#6ea0ff",
    "orange": "#f0943a",
    "pale": "#5a7fc4",
    "cream": "#7a6c1c",
} | {f"c{i}": colour for i, colour in enumerate(TEN_IN_THE_DARK)}
"""The same names for readers who prefer the dark."""

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

NAMES = {"#000000": "var(--ink)"} | {colour: f"var(--{name})" for name, colour in PAGE.items()}
"""What stands for a colour in a picture that is part of a page."""

NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def colours(count: int) -> list[str]:
    """Return as many distinct colours: ten chosen ones, or even steps round the colour wheel if ten are too few.

    Examples
    --------
    >>> colours(2)
    ['#001dad', '#ed5f18']
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
    '#001dad'
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


def sheet() -> str:
    """Return the colours of a page as a style sheet, light or dark as the reader prefers."""
    light, dark = (
        " ".join(f"--{name}: {colour};" for name, colour in page.items()) for page in (PAGE, PAGE_IN_THE_DARK)
    )
    classes = " ".join(f".c{i} {{ color: var(--c{i}); }}" for i in range(len(TEN)))
    return f":root {{ {light} }} @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }} {classes}\n"


def inline_svg(svg: bytes, label: str) -> str:
    """Return an SVG file as markup for a page; `label` says what it shows to those who cannot see it.

    Its head and namespaces, which a page does not need, are left out, and its colours become those of the page.

    Examples
    --------
    >>> inline_svg(b"<?xml version='1.0'?><svg xmlns='urn:example' style='fill: #ffffff'></svg>", "A square")
    "<svg role='img' aria-label='A square' style='fill: var(--paper)'></svg>"
    """
    text = svg.decode()
    text = re.sub(r"""\sxmlns(:\w+)?=("[^"]*"|'[^']*')""", "", text[text.index("<svg") + 4 :])
    text = re.sub(r"(fill|stroke): (#[0-9a-f]{6})", lambda part: f"{part[1]}: {NAMES.get(part[2], part[2])}", text)
    return f"<svg role='img' aria-label='{escape(label)}'{text}"


def markup(figure: Any, label: str) -> str:
    """Return the figure as markup for a page."""
    return f"<div class='chart'>{inline_svg(drawn(figure, 'svg'), label)}</div>"
