"""Pictures as markup: a map of points, bars, and small images."""

from __future__ import annotations

import base64
import colorsys
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fewlabels.report.html import escape

__all__ = ["colours", "confidence_bars", "legend", "picture", "point_map"]

TEN = ("#2456b3", "#e07b00", "#2a8f4f", "#c62839", "#7d4fc4", "#8a5a44", "#d957a8", "#5f6b7a", "#a3a300", "#0a9fb5")
MAP_WIDTH, MAP_HEIGHT, MARGIN = 980, 620, 16
LEGEND_ENTRIES = 24


def colours(count: int) -> list[str]:
    """Return as many distinct colours: ten chosen ones, then even steps round the wheel."""
    if count <= len(TEN):
        return list(TEN[:count])
    wheel = []
    for i in range(count):
        red, green, blue = colorsys.hls_to_rgb(i / count, 0.42 + 0.14 * (i % 2), 0.65)
        wheel.append(f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}")
    return wheel


def point_map(
    places: NDArray[np.float64],
    codes: NDArray[np.int64],
    confidence: NDArray[np.float64],
    seeds: NDArray[np.bool_],
    reached: NDArray[np.bool_],
    titles: Sequence[str],
    palette: Sequence[str],
) -> str:
    """Draw points coloured by class, the paler the less certain; labelled ones ringed, unreached ones grey."""
    x = MARGIN + places[:, 0] * (MAP_WIDTH - 2 * MARGIN)
    y = MARGIN + places[:, 1] * (MAP_HEIGHT - 2 * MARGIN)
    dots = []
    for i in np.argsort(seeds, kind="stable"):
        colour = palette[codes[i]] if reached[i] else "#b8bfc8"
        shape = (
            "r='7' stroke='#111' stroke-width='2.4'"
            if seeds[i]
            else f"r='3.1' fill-opacity='{0.2 + 0.8 * confidence[i]:.2f}'"
        )
        dots.append(
            f"<circle cx='{x[i]:.1f}' cy='{y[i]:.1f}' fill='{colour}' {shape}>"
            f"<title>{escape(titles[i])}</title></circle>"
        )
    label = "Map of points coloured by predicted class"
    return f"<svg viewBox='0 0 {MAP_WIDTH} {MAP_HEIGHT}' role='img' aria-label='{label}'>{''.join(dots)}</svg>"


def legend(names: Sequence[str], palette: Sequence[str]) -> str:
    """Name the colours."""
    entries = [
        f"<span><i class='swatch' style='background:{colour}'></i>{escape(name)}</span>"
        for name, colour in list(zip(names, palette, strict=True))[:LEGEND_ENTRIES]
    ]
    if len(names) > LEGEND_ENTRIES:
        entries.append(f"<span>and {len(names) - LEGEND_ENTRIES} more</span>")
    return f"<div class='legend'>{''.join(entries)}</div>"


def confidence_bars(confidence: NDArray[np.float64]) -> str:
    """Draw how many points have which confidence, in tenths."""
    counts = np.histogram(confidence, bins=np.linspace(0, 1, 11))[0]
    width, height, low = 980, 210, 26
    step, tallest = width / 10, max(int(counts.max()), 1)
    bars = []
    for i, count in enumerate(counts):
        tall = (height - low - 24) * count / tallest
        top = height - low - tall
        bars.append(
            f"<rect x='{i * step + 6:.0f}' y='{top:.1f}' width='{step - 12:.0f}' height='{tall:.1f}' rx='3' "
            "fill='#2456b3'/>"
            f"<text x='{(i + 0.5) * step:.0f}' y='{top - 6:.1f}' text-anchor='middle'>{count:,}</text>"
            f"<text x='{(i + 0.5) * step:.0f}' y='{height - 8}' text-anchor='middle'>{i * 10}–{i * 10 + 10}%</text>"
        )
    label = "Number of points by confidence"
    return f"<svg viewBox='0 0 {width} {height}' role='img' aria-label='{label}'>{''.join(bars)}</svg>"


def picture(image: NDArray[np.float64], caption: str) -> str:
    """Embed a small grey image, dark on light, with a caption of markup."""
    from matplotlib.image import imsave

    file = io.BytesIO()
    imsave(file, image, cmap="gray_r", format="png")
    data = base64.b64encode(file.getvalue()).decode()
    return f"<figure><img alt='' src='data:image/png;base64,{data}'>{caption}</figure>"
