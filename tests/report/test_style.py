"""One style for figures, and nothing loaded from elsewhere."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from fewlabels.report.style import HOUSE, TEN, colours, drawn, house_figure, inline_svg, markup


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
    assert text.startswith("<div role='img' aria-label='A &#x27;line&#x27; &amp; more'><svg ")
    assert inline_svg(drawn(a_line(), "svg")).count("<path") == drawn(a_line(), "svg").count(b"<path")


@pytest.mark.parametrize("count", [1, 10, 11, 40])
def test_colours_are_distinct(count):
    assert len(set(colours(count))) == count
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours(count))


def test_pages_and_experiments_load_plotting_when_they_draw_and_not_before():
    code = "import sys, fewlabels.report.performance, fewlabels.report.charts, fewlabels.experiments\n"
    code += "print([m for m in ('matplotlib', 'torch') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
