"""Pictures as markup: a map of points, a histogram of confidence, and small images."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fewlabels.report.html import escape
from fewlabels.report.style import GREY, PAGE, house_figure, markup

__all__ = ["confidence_histogram", "legend", "picture", "point_map"]

MAP_WIDTH, MAP_HEIGHT, MARGIN = 980, 620, 16
LEGEND_ENTRIES = 24


def point_map(
    places: NDArray[np.float64],
    *,
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
        colour = palette[codes[i]] if reached[i] else GREY
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


def confidence_histogram(confidence: NDArray[np.float64]) -> str:
    """Draw how many points have which confidence, in tenths."""
    counts = np.histogram(confidence, bins=np.linspace(0, 1, 11))[0]
    with house_figure(9.8, 2.1) as figure:
        axes = figure.subplots()
        bars = axes.bar([f"{low}–{low + 10}%" for low in range(0, 100, 10)], counts, width=0.88)
        soft = PAGE["soft"]
        axes.bar_label(bars, labels=[f"{count:,}" for count in counts], padding=3, fontsize=9, color=soft)
        axes.margins(x=0.01, y=0.16)
        axes.grid(visible=False)
        axes.spines["left"].set_visible(False)
        axes.spines["bottom"].set_color(PAGE["line"])
        axes.tick_params(bottom=False, labelsize=9, labelcolor=soft)
        axes.set_yticks([])
    return markup(figure, "Number of points by confidence")


def picture(image: NDArray[np.float64], caption: str) -> str:
    """Embed a small grey image, dark on light, with a caption of markup."""
    from matplotlib.image import imsave

    file = io.BytesIO()
    imsave(file, image, cmap="gray_r", format="png")
    data = base64.b64encode(file.getvalue()).decode()
    return f"<figure><img alt='' src='data:image/png;base64,{data}'>{caption}</figure>"
