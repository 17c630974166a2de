"""One style for figures, and nothing loaded from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from fewlabels.report.style import HOUSE, PAGE, PAGE_IN_THE_DARK, TEN, colours, drawn, house_figure, markup, sheet


def a_line():
    with house_figure(3, 2) as figure:
        figure.subplots().plot([0, 1], label="one")
    return figure


def test_the_house_style_holds_inside_its_block_alone():
    from matplotlib import rcParams

    before = rcParams.copy()
    with house_figure(3, 2) as figure:
        axes = figure.subplots()
        lines = [axes.plot([0, 1], [0, i])[0].get_color() for i in range(3)]
        assert rcParams["savefig.dpi"] == HOUSE["savefig.dpi"]
    assert lines == list(TEN[:3])
    assert not axes.spines["top"].get_visible()
    assert axes.spines["left"].get_visible()
    assert rcParams.copy() == before


def test_a_figure_is_the_same_file_every_time_and_whole_in_itself():
    first, again = (drawn(a_line(), "svg") for _ in range(2))
    assert first == again
    assert ElementTree.fromstring(first).tag.endswith("svg")
    assert b"metadata" not in first
    assert drawn(a_line(), "png").startswith(b"\x89PNG")


def test_a_figure_in_a_page_names_no_address_and_says_what_it_shows():
    text = markup(a_line(), "A 'line' & more")
    assert "http" not in text
    assert "xmlns" not in text
    assert text.startswith("<div class='chart'><svg role='img' aria-label='A &#x27;line&#x27; &amp; more' ")
    assert text.count("<path") == drawn(a_line(), "svg").count(b"<path")


def test_a_figure_in_a_page_has_the_colours_of_the_page():
    text = markup(a_line(), "A line")
    assert {"stroke: var(--c0)", "fill: var(--paper)", "stroke: var(--ink)"} <= set(
        re.findall(r"\w+: var\(--\w+\)", text)
    )
    assert TEN[0] not in text


@pytest.mark.parametrize("count", [1, 10, 11, 40])
def test_colours_are_distinct(count):
    assert len(set(colours(count))) == count
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours(count))


def test_pages_and_experiments_load_plotting_when_they_draw_and_not_before():
    code = "import sys, fewlabels.report.performance, fewlabels.report.charts, fewlabels.experiments\n"
    code += "print([m for m in ('matplotlib', 'torch') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


# What a colour is for readers without red or without green cones: Machado, Oliveira and Fernandes (2009), severity 1.
SIGHTS = {
    "full": np.eye(3),
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}
APART = 0.09
"""Least distance of two classes in Oklab, where 0.02 is just seen."""


def linear(colour):
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    low, high = sorted(linear(each) @ [0.2126, 0.7152, 0.0722] for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def oklab(rgb):
    cones = [[0.4122215, 0.5363325, 0.0514460], [0.2119035, 0.6806995, 0.1073970], [0.0883025, 0.2817188, 0.6299787]]
    axes = [[0.2104543, 0.7936178, -0.0040720], [1.9779985, -2.4285922, 0.4505937], [0.0259040, 0.7827718, -0.8086758]]
    return np.array(axes) @ np.cbrt(np.array(cones) @ np.clip(rgb, 0, 1))


@pytest.mark.parametrize("page", [PAGE, PAGE_IN_THE_DARK], ids=["light", "dark"])
def test_everything_that_is_drawn_stands_out_from_its_ground(page):
    names = {*page} - {"paper", "tint", "line", "cream"}
    low = {name: contrast(page[name], page["paper"]) for name in names if contrast(page[name], page["paper"]) < 3}
    assert low == {}
    for name in ("ink", "soft", "right", "wrong"):
        assert min(contrast(page[name], page[ground]) for ground in ("paper", "tint")) >= 4.5, f"{name} is read"


@pytest.mark.parametrize("page", [PAGE, PAGE_IN_THE_DARK], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_ten_classes_are_told_apart_whatever_a_reader_sees(page, sight):
    seen = [oklab(np.array(SIGHTS[sight]) @ linear(page[f"c{i}"])) for i in range(10)]
    least = min(float(np.linalg.norm(seen[i] - seen[j])) for i in range(10) for j in range(i))
    assert least >= APART


def test_the_labelling_page_has_the_same_colours():
    script = Path(__file__).parents[2] / "src" / "fewlabels" / "web" / "static" / "colours.js"
    lines = dict(re.findall(r"const (LIGHT|DARK) = \[(.*?)\]", script.read_text()))
    for name, page in (("LIGHT", PAGE), ("DARK", PAGE_IN_THE_DARK)):
        assert re.findall("#[0-9a-f]{6}", lines[name]) == [page[f"c{i}"] for i in range(10)]


def test_both_pages_name_the_same_colours():
    assert PAGE.keys() == PAGE_IN_THE_DARK.keys()
    assert sheet().count("--soft:") == 2
