import csv
import re

import numpy as np
import pytest
from labelling import label, write

from fewlabels.report.pages import _start


def test_odd_numbers_and_labels_survive_the_report(folder):
    X = np.load("features.npy").astype(np.float32)
    X[7] = 1e20
    np.save("features.npy", X)
    write("labels.csv", "row,label", '5,"a\rb"', "45,bee")
    assert label("features.npy", "labels.csv", "--out", "result.csv", "--report", "page.html") == 0
    with (folder / "result.csv").open(newline="") as file:
        assert len(list(csv.reader(file))) == 161


def test_the_report_is_one_page_that_loads_nothing(folder):
    write("labels.csv", "row,label", "5,<script>alert(1)</script>", "45,b&b", "85,c'c", '125,"d""d"')
    assert label("features.npy", "labels.csv", "--out", "result.csv", "--report", "page.html") == 0
    page = (folder / "page.html").read_text()
    assert page.count("<script") == page.count("</script") == 1, "our own"
    assert "http" not in page
    assert "&lt;script&gt;" in page
    assert page.count(" x='") == 160
    assert page.count(" given'") == 4
    assert "Least certain points" in page
    assert "<p class='lead'>160 points labelled from 4 labels, 4 classes, by auto, 10 neighbours.</p>" in page
    assert re.search(r"<h2>Weighed</h2>.*<ul><li>[\w-]+ \d+% \(\d+% of labels returned", page)


def test_what_is_left_out_is_told(folder):
    rng = np.random.default_rng(0)
    centres = 40 * rng.normal(size=(70, 6))
    np.save("features.npy", np.repeat(centres, 12, axis=0) + rng.normal(size=(840, 6)))
    names = ["word " * 80, "a\u202eb", *(f"name {i}" for i in range(66))]
    write("labels.csv", "row,label", *(f"{12 * i},{name}" for i, name in enumerate(names)))
    assert label("features.npy", "labels.csv", "--out", "result.csv", "--report", "page.html") == 0
    page = (folder / "page.html").read_text()
    assert "The 50 largest of 68 classes are shown; the others hold 216 points." in page
    assert "the 20 least certain of 748 that are reached and were not given" in page
    assert "24 points that no label reaches" in page
    assert ", <bdi>825</bdi> and 14 more</p>" in page
    assert "unreached by any label" in page
    assert "a[U+202E]b" in page
    assert "\u202e" not in page
    assert page.count("word word word word word word word word</bdi>") == 0
    assert (
        "<code>fewlabels label --quiet --force features.npy labels.csv --out result.csv --report page.html</code>"
        in page
    )


@pytest.mark.parametrize(("least", "start"), [(85.0, 70.0), (97.0, 90.0), (50.0, 0.0), (20.0, 0.0), (74.9, 40.0)])
def test_bars_begin_where_differences_show(least, start):
    assert _start(np.array([least, 99.0])) == start
