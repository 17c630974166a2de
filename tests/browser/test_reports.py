"""The report in a browser: read a dot by tap and keyboard, find points, nothing cut off at any width."""

import numpy as np
import pytest

from fewlabels.cli import main

NAMES = ["long words " * 36, "a\u202eb", *(f"name {i}" for i in range(298))]

PALE = "all => all.filter(dot => getComputedStyle(dot).opacity < 0.2).length"


@pytest.fixture(scope="module", name="report")
def _report(tmp_path_factory):
    """A page of 300 classes, some with names that are hard to lay out, and points that no label reaches."""
    folder = tmp_path_factory.mktemp("report")
    rng = np.random.default_rng(0)
    X = np.repeat(40 * rng.normal(size=(301, 8)), 6, axis=0) + rng.normal(size=(1806, 8))
    np.save(folder / "X.npy", X)
    lines = [f"{6 * i},{name}" for i, name in enumerate(NAMES)]
    (folder / "labels.csv").write_text("\n".join(["row,label", *lines]), encoding="utf-8")
    files = [str(folder / name) for name in ("X.npy", "labels.csv", "result.csv", "page.html")]
    options = ["--method", "poisson", "--neighbors", "5", "--quiet"]
    assert main(["label", *files[:2], "--out", files[2], "--report", files[3], *options]) == 0
    return (folder / "page.html").as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
def test_a_report_fits_its_window_and_reads_its_dots(browser, report, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(report)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tall = page.eval_on_selector_all("tr", "rows => Math.max(...rows.map(row => row.offsetHeight))")
    assert tall < 150, "names are cut, not broken letter by letter"
    assert page.eval_on_selector_all("svg", "all => all.every(svg => svg.ariaHidden || svg.role && svg.ariaLabel)")
    page.focus(".map")
    page.keyboard.press("ArrowRight")
    first = page.inner_text(".detail")
    page.keyboard.press("ArrowDown")
    assert first
    assert page.inner_text(".detail") not in ("", first)
    page.keyboard.press("Escape")
    assert page.inner_text(".detail") == ""
    page.fill(".find input", "1801: ")
    assert page.inner_text(".find output") == "1 of 1806 drawn points"
    assert "not reached by any label" in page.inner_text(".detail")
    paled = page.eval_on_selector_all(
        ".map use[x]", "all => all.filter(dot => getComputedStyle(dot).opacity < 0.2).length"
    )
    assert paled == 1805
    page.fill(".find input", "")
    dot = page.locator(".map use[x]").nth(700)
    box = dot.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.inner_text(".detail").split(",")[0] == dot.locator("title").text_content().split(",")[0]
    assert errors == []
    context.close()
