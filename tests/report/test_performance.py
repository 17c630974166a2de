import re

from fewlabels.report.performance import performance_page


def test_bars_of_seconds_stand_in_order_with_their_values(texts):
    seconds = [("ours: one fit", 0.0123, 0.1, ""), ("theirs", 4.5, 0.1, ""), ("gone", float("nan"), 0.1, "")]
    page = performance_page(
        "a machine", seconds, [("fit: theirs / ours", 365.9, "30")], [], [], command="fewlabels bench"
    )
    said = texts(page)
    assert [text for text in said if text.endswith(" s")] == ["0.0123 s", "4.5 s"]
    assert "gone" not in page
    assert "<code>fewlabels bench</code>" in page
    assert "http" not in page
    assert _heights(page)["ours: one fit"] < _heights(page)["theirs"], "the first is at the top"


def _heights(page):
    """Return how far below the top each text of a figure stands."""
    found = re.findall(r"<!-- ([^>]*?) -->\s*<g[^>]*translate\(\S+ ([\d.]+)\)", page)
    return {text: float(height) for text, height in found}


def test_a_page_of_growth_draws_every_stage(texts):
    stages = ("neighbours", "graph", "first fit", "second fit")
    growth = [dict.fromkeys(stages, n / 1e5) | {"n": n, "gigabytes": n / 1e6} for n in (1e4, 1e5)]
    page = performance_page("a machine", [], [], growth, [{"m": 10, "fit": 0.1, "gigabytes": 0.0}] * 2, command="")
    said = texts(page)
    assert set(stages) <= set(said)
    assert {"points", "peak memory, GB", "labels", "extra memory, GB"} <= set(said)
    assert page.count("<svg") == 2
