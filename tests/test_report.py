"""Figures and pages: one style, nothing loaded from elsewhere, and what is drawn is what was measured."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from fewlabels.report.charts import chart_of
from fewlabels.report.figures import confidence_histogram
from fewlabels.report.performance import performance_page
from fewlabels.report.style import ACCENT, HOUSE, TEN, colours, drawn, house_figure, inline_svg, markup
from fewlabels.report.tables import Entry, Table


def texts(svg):
    """Return the texts of a figure in order; matplotlib draws letters as paths and says beside them what they are."""
    return [text for text in re.findall(r"<!-- (.*?) -->", svg) if text]


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


def test_the_histogram_counts_points_by_tenths():
    text = confidence_histogram(np.array([0.05, 0.55, 0.55, 0.95, 1.0] + [0.31] * 1234))
    said = texts(text)
    assert said[:10] == [f"{low}–{low + 10}%" for low in range(0, 100, 10)]
    assert said[10:] == ["1", "0", "0", "1,234", "0", "2", "0", "0", "0", "2"]
    assert text.count(f"fill: {ACCENT}") == 10


def test_bars_of_seconds_stand_in_order_with_their_values():
    seconds = [("ours: one fit", 0.0123, 0.1, ""), ("theirs", 4.5, 0.1, ""), ("gone", float("nan"), 0.1, "")]
    page = performance_page("a machine", seconds, [("fit: theirs / ours", 365.9, "30")], [], [])
    said = texts(page)
    assert [text for text in said if text.endswith(" s")] == ["0.0123 s", "4.5 s"]
    assert "gone" not in page
    assert "http" not in page
    assert _heights(page)["ours: one fit"] < _heights(page)["theirs"], "the first is at the top"


def _heights(page):
    """Return how far below the top each text of a figure stands."""
    found = re.findall(r"<!-- ([^>]*?) -->\s*<g[^>]*translate\(\S+ ([\d.]+)\)", page)
    return {text: float(height) for text, height in found}


def test_a_page_of_growth_draws_every_stage():
    stages = ("neighbours", "graph", "first fit", "second fit")
    growth = [dict.fromkeys(stages, n / 1e5) | {"n": n, "gigabytes": n / 1e6} for n in (1e4, 1e5)]
    page = performance_page("a machine", [], [], growth, [{"m": 10, "fit": 0.1, "gigabytes": 0.0}] * 2)
    said = texts(page)
    assert set(stages) <= set(said)
    assert {"points", "peak memory, GB", "labels", "extra memory, GB"} <= set(said)
    assert page.count("<svg") == 2


def test_a_chart_names_the_paper_last_and_draws_deviations():
    entries = {("a", "1"): Entry((50.0, 60.0)), ("a", "5"): Entry((70.0, 90.0))}
    table = Table("t", ["a", "never run"], ["1", "5"], entries, published={("a", "1"): (52.0, 1.0)})
    axes = chart_of(table, what="accuracy").axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["1", "5", "the paper"]
    spans = [bar.get_segments()[0][:, 0].tolist() for bar in axes.collections]
    assert spans == [[50.0, 60.0], [70.0, 90.0]]
    assert chart_of(Table("t", ["a"], ["1"], {}), what="accuracy") is None


def test_rows_that_are_numbers_are_drawn_as_lines_without_what_was_not_run():
    entries = {(row, "1"): Entry((float(row), float(row) + 2)) for row in ("1", "3")}
    axes = chart_of(Table("t", ["1", "2", "3"], ["1", "5"], entries), what="accuracy", axis="k").axes[0]
    assert [line.get_xydata().tolist() for line in axes.lines] == [[[1.0, 2.0], [3.0, 4.0]]]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("k", "accuracy")


def test_pages_and_experiments_load_plotting_when_they_draw_and_not_before():
    code = "import sys, fewlabels.report.performance, fewlabels.report.charts, fewlabels.experiments\n"
    code += "print([m for m in ('matplotlib', 'torch') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
