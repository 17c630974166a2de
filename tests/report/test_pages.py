import csv

import numpy as np
from labelling import label, write


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
    assert "<script" not in page
    assert "http" not in page
    assert "&lt;script&gt;" in page
    assert page.count("<circle") == 160
    assert page.count("stroke-width='2.4'") == 4
    assert "Least certain points" in page
