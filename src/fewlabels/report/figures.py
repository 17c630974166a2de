"""Pictures as markup: a map of points with its legend, how many points are how sure, and small images."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fewlabels.report.html import bar, table
from fewlabels.report.style import TEN
from fewlabels.report.text import escape, named

__all__ = ["confidence_table", "legend", "picture", "point_map", "swatch"]

MAP_WIDTH, MAP_HEIGHT, MARGIN = 980, 620, 16
SMALL, LARGE = 3.0, 6.5
LEGEND_ENTRIES = 24
SHAPES = ("circle", "square", "triangle", "diamond", "plus", "wedge")


def point_map(
    places: NDArray[np.float64],
    *,
    codes: NDArray[np.int64],
    confidence: NDArray[np.float64],
    seeds: NDArray[np.bool_],
    reached: NDArray[np.bool_],
    titles: Sequence[str],
) -> str:
    """Draw points by class, the emptier the less certain; given ones large with a ring, unreached ones crosses."""
    x = MARGIN + places[:, 0] * (MAP_WIDTH - 2 * MARGIN)
    y = MARGIN + places[:, 1] * (MAP_HEIGHT - 2 * MARGIN)
    dots = []
    for i in np.argsort(seeds, kind="stable"):
        if seeds[i]:
            look = f"href='#large-{_shape(codes[i])}' class='{_colour(codes[i])} given'"
        elif reached[i]:
            look = f"href='#{_shape(codes[i])}' class='{_colour(codes[i])}' fill-opacity='{confidence[i]:.2f}'"
        else:
            look = "href='#cross' class='unreached'"
        dots.append(f"<use {look} x='{x[i]:.1f}' y='{y[i]:.1f}'><title>{escape(titles[i])}</title></use>")
    label = f"Map of {len(dots):,} points by predicted class"
    return (
        "<div class='find' hidden><label>Find <input type='search' placeholder='an id or a label'/></label>"
        "<output></output></div>"
        "<div class='map' tabindex='0' role='group' aria-label='Points; arrow keys go from one to the next'>"
        f"<svg viewBox='0 0 {MAP_WIDTH} {MAP_HEIGHT}' role='img' aria-label='{label}'>"
        f"<defs>{_shapes()}</defs>{''.join(dots)}</svg></div><p class='detail' aria-live='polite'></p>"
    )


def legend(names: Sequence[str], *, unreached: bool) -> str:
    """Name what is on the map: classes by colour and shape, given labels, and points that no label reaches."""
    entries = [f"{swatch(code)}{named(name)}" for code, name in enumerate(names[:LEGEND_ENTRIES])]
    if len(names) > LEGEND_ENTRIES:
        entries.append(f"and {len(names) - LEGEND_ENTRIES:,} more classes: read a dot, or find its label")
    entries.append(f"{_sample('large-circle', 'given c0', 10)}given label")
    entries.append(f"{_sample('circle', 'c0 unsure', 5)}unsure")
    if unreached:
        entries.append(f"{_sample('cross', 'unreached', 5)}unreached by any label")
    return f"<ul class='legend'>{''.join(f'<li>{entry}</li>' for entry in entries)}</ul>"


def swatch(code: int) -> str:
    """Return the mark of a class, for a legend or a table; a map must be on the page."""
    return _sample(_shape(code), _colour(code), 5)


def confidence_table(confidence: NDArray[np.float64]) -> str:
    """Tell how many points have which confidence, in tenths."""
    counts = np.histogram(confidence, bins=np.linspace(0, 1, 11))[0]
    rows = [
        [f"{low}–{low + 10}%", f"{count:,}", bar(count / max(counts.max(), 1))]
        for low, count in zip(range(0, 100, 10), counts, strict=True)
    ]
    return table(["confidence", "points", ""], rows[::-1], numbers=(1,), drawn=(2,))


def picture(image: NDArray[np.float64], caption: str, what: str) -> str:
    """Embed a small grey image, dark on light, with a caption of markup; `what` says what it shows."""
    from matplotlib.image import imsave

    file = io.BytesIO()
    imsave(file, image, cmap="gray_r", format="png")
    data = base64.b64encode(file.getvalue()).decode()
    return f"<figure><img alt='{escape(what)}' src='data:image/png;base64,{data}'>{caption}</figure>"


def _colour(code: int) -> str:
    return f"c{code % len(TEN)}"


def _shape(code: int) -> str:
    """Return the shape of a class; with its colour it is the only one of its kind among sixty."""
    return SHAPES[(code % len(TEN) + code // len(TEN)) % len(SHAPES)]


def _sample(shape: str, look: str, half: int) -> str:
    size = f"viewBox='{-half} {-half} {2 * half} {2 * half}'"
    return f"<svg class='swatch' {size} aria-hidden='true'><use href='#{shape}' class='{look}'/></svg>"


def _shapes() -> str:
    """Define every shape about the origin, small and large."""
    parts = [f"<path id='cross' d='M-{SMALL} -{SMALL}L{SMALL} {SMALL}M-{SMALL} {SMALL}L{SMALL} -{SMALL}'/>"]
    for prefix, radius in (("", SMALL), ("large-", LARGE)):
        parts.append(f"<circle id='{prefix}circle' r='{radius}'/>")
        for name in SHAPES[1:]:
            path = "L".join(f"{radius * x:.2f} {radius * y:.2f}" for x, y in _corners(name))
            parts.append(f"<path id='{prefix}{name}' d='M{path}Z'/>")
    return "".join(parts)


def _corners(shape: str) -> list[tuple[float, float]]:
    if shape == "plus":
        arm = [(0.4, -1.2), (0.4, -0.4), (1.2, -0.4)]
        turns = [arm, [(-y, x) for x, y in arm], [(-x, -y) for x, y in arm], [(y, -x) for x, y in arm]]
        return [corner for turn in turns for corner in turn]
    sides, start, size = {
        "square": (4, 45, 1.25),
        "triangle": (3, -90, 1.35),
        "diamond": (4, 0, 1.35),
        "wedge": (3, 90, 1.35),
    }[shape]
    angles = [math.radians(start + 360 * side / sides) for side in range(sides)]
    return [(size * math.cos(angle), size * math.sin(angle)) for angle in angles]
