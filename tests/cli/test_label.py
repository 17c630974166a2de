import os
import re

import numpy as np
import pytest
from gallery import blob_points
from labelling import accuracy, label, read, write

from fewlabels.cli import main


def test_label_writes_a_row_per_point(folder, capsys):
    assert main(["label", "features.npy", "labels.csv", "--out", "result.csv"]) == 0
    rows = read("result.csv")
    assert list(rows[0]) == ["id", "label", "confidence", "reached"]
    assert [row["id"] for row in rows] == [str(i) for i in range(160)]
    assert accuracy(rows) > 0.85
    assert all(0.25 <= float(row["confidence"]) <= 1 and row["reached"] == "true" for row in rows)
    said = capsys.readouterr()
    assert said.out.startswith("160 points labelled from 4 labels of 4 classes")
    assert "connecting 160 points" in said.err
    assert sorted(p.name for p in folder.iterdir()) == ["features.npy", "labels.csv", "result.csv"]


def test_unreached_points_are_marked_and_noted(folder, capsys):
    X, _ = blob_points(blobs=3, size=30, noise=0.05)
    np.save("features.npy", X)
    write("labels.csv", "row,label", "5,ant", "40,bee")
    for options, got in ((("--method", "poisson"), "got the prior"), ((), "were judged by their features alone")):
        assert label("features.npy", "labels.csv", "--out", "result.csv", "--neighbors", "5", *options) == 0
        rows = read("result.csv")
        assert {row["reached"] for row in rows[60:]} == {"false"}
        assert ({row["confidence"] for row in rows[60:]} == {"0.500000"}) == bool(options)
        said = f"note: 30 of 90 points lie in 1 part of the graph without any label and {got}"
        assert said in capsys.readouterr().err


def test_what_was_weighed_is_told_in_one_line(folder, capsys):
    assert label("features.npy", "labels.csv", "--out", "result.csv") == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Weighed: ")]
    assert len(told) == 1
    assert "interface-laplace" in told[0]
    assert "%; 2 more." in told[0]
    assert len(told[0]) <= 120
    assert label("features.npy", "labels.csv", "--out", "result.csv", "--method", "poisson") == 0
    assert "Weighed" not in capsys.readouterr().out


def test_columns_in_different_units_are_noted(folder, capsys):
    from sklearn.datasets import load_wine

    wine = load_wine()
    scaled = (wine.data - wine.data.mean(axis=0)) / wine.data.std(axis=0)
    write("labels.csv", "row,label", "5,ant", "70,bee", "150,cow")
    for X, noted in ((wine.data, True), (scaled, False)):
        np.save("wine.npy", X)
        assert label("wine.npy", "labels.csv", "--out", "result.csv", "--force") == 0
        assert ("note: column 12 is 388 times as spread" in capsys.readouterr().err) == noted


def test_methods_metrics_and_searches_are_options(folder):
    for options in (
        ("--method", "poisson"),
        ("--method", "laplace"),
        ("--metric", "cosine"),
        ("--search", "approximate"),
        ("--neighbors", "15"),
    ):
        assert label("features.npy", "labels.csv", "--out", "result.csv", *options) == 0
        assert accuracy(read("result.csv")) > 0.8


BAD = {
    "no features": (["gone.npy", "labels.csv"], [], r"gone.npy: no such file"),
    "no labels": (["features.npy", "gone.csv"], [], r"gone.csv: no such file; give labels as a .csv"),
    "odd ending": (["labels.xls", "labels.csv"], ["labels.xls", "x"], r"labels.xls: .xls ending is not known"),
    "text in features": (
        ["bad.csv", "labels.csv"],
        ["bad.csv", "x,y2", "1,2", "3,oops"],
        r"bad.csv: line 3 \(row 1\), column 'y2' holds 'oops', which is not a number; fill it in or drop the row",
    ),
    "empty cell": (
        ["bad.csv", "labels.csv"],
        ["bad.csv", "1,2", "3,"],
        r"line 2 \(row 1\), column 'column 2' is empty",
    ),
    "short line": (["bad.csv", "labels.csv"], ["bad.csv", "1,2", "3,4", "5"], r"line 3 \(row 2\) has 1 cells, not 2"),
    "text column": (["bad.csv", "labels.csv"], ["bad.csv", "x,city", "1,Rome", "2,Oslo"], r"'city' holds 'Rome'"),
    "one row": (["bad.csv", "labels.csv"], ["bad.csv", "1,2"], r"fewer than two rows"),
    "misspelt column": (
        ["bad.csv", "Kind"],
        ["bad.csv", "x,kind", "1,ant", "2,"],
        r"Kind: no such file, and bad.csv has no column of that name; it has x, kind",
    ),
    "no key": (
        ["features.npy", "bad.csv"],
        ["bad.csv", "file,class,who", "3,ant,me"],
        r"no column is named row or id",
    ),
    "objects": (["bad.npy", "labels.csv"], "objects", r"holds Python objects, not numbers; save X.astype"),
    "null key": (
        ["features.npy", "bad.csv"],
        ["bad.csv", "row,label", "3,ant", ",bee"],
        r"line 3 has a label but no row",
    ),
    "extra cell": (["bad.csv", "labels.csv"], ["bad.csv", "1,2", "3,4", "5,6,7"], r"line 3 has 3 cells, not 2"),
    "open quote": (
        ["features.npy", "bad.csv"],
        ["bad.csv", "row,label", '3,"ant', "4,bee"],
        r"line \d is not readable",
    ),
    "missing first": (
        ["bad.csv", "labels.csv"],
        ["bad.csv", ",1", "2,3"],
        r"line 1 \(row 0\), column 'column 1' is empty",
    ),
    "nan": (
        ["bad.csv", "labels.csv"],
        ["bad.csv", "1,2", "nan,3"],
        r"line 2 .* holds 'nan', which is not a finite",
    ),
    "row too large": (
        ["features.npy", "bad.csv"],
        ["bad.csv", "row,label", "160,ant"],
        r"bad.csv: line 2: row 160 is not",
    ),
    "negative row": (
        ["features.npy", "bad.csv"],
        ["bad.csv", "row,label", "-3,ant"],
        r"row -3 is not in .* rows 0 to 159",
    ),
    "not a row": (["features.npy", "bad.csv"], ["bad.csv", "row,label", "p3,ant"], r"'p3' is not a row number"),
    "contradiction": (
        ["features.npy", "bad.csv"],
        ["bad.csv", "row,label", "3,ant", "3,bee"],
        r"line 3 labels '3' as 'bee', but line 2 says 'ant'; keep one",
    ),
    "blank labels": (["features.npy", "bad.csv"], ["bad.csv", "row,label", "3,"], r"bad.csv: has no labels"),
    "empty labels": (["features.npy", "bad.csv"], ["bad.csv"], r"bad.csv: is empty"),
    "wrong length": (
        ["features.npy", "bad.csv"],
        ["bad.csv", "label", "ant", "bee"],
        r"column of 2 labels for 160 points",
    ),
    "no label column": (["features.npy", "bad.csv"], ["bad.csv", "id,a,b", "1,2,3"], r"no column is named label"),
    "no header": (["features.npy", "bad.csv"], ["bad.csv", "1,2,3"], r"3 columns and no header"),
    "not text": (["features.npy", "bad.csv"], None, r"bad.csv: .* save it as UTF-8"),
    "damaged array": (
        ["bad.npy", "labels.csv"],
        ["bad.npy", "no array"],
        r"but text; name it .csv",
    ),
    "damaged archive": (["bad.npz", "labels.csv"], ["bad.npz", "no archive"], r"bad.npz: damaged"),
    "damaged parquet": (["bad.parquet", "labels.csv"], ["bad.parquet", "no table"], r"bad.parquet: not a readable"),
    "method": (["features.npy", "labels.csv", "--method", "magic"], [], r"method='magic' is not known; choose one of"),
    "metric": (["features.npy", "labels.csv", "--metric", "l1"], [], r"choose one of euclidean, cosine"),
    "neighbours": (["features.npy", "labels.csv", "--neighbors", "0"], [], r"at least one neighbour"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_ends_in_one_sentence_and_leaves_the_result_alone(folder, case, capsys):
    arguments, lines, sentence = BAD[case]
    if lines is None:
        (folder / "bad.csv").write_bytes(b"row,label\n3,\xff\xfe\xfa\n")
    elif lines == "objects":
        np.save("bad.npy", np.array([[1, "a"], [2, None]], dtype=object))
    elif lines:
        write(*lines)
    write("result.csv", "precious")
    assert label(*arguments, "--out", "result.csv") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("fewlabels: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    assert re.search(sentence, said.err), said.err
    assert (folder / "result.csv").read_text() == "precious\n"
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("result.txt", "the name must end in .csv or .parquet"),
        ("gone/result.csv", "the folder gone does not exist"),
        ("labels.csv", "is one of the inputs"),
    ],
)
def test_bad_destinations_are_refused_before_any_work(folder, out, sentence, capsys):
    before = (folder / "labels.csv").read_text()
    assert label("features.npy", "labels.csv", "--out", out) == 2
    assert sentence in capsys.readouterr().err
    assert (folder / "labels.csv").read_text() == before


def test_a_folder_that_cannot_be_written_keeps_the_old_result(folder, capsys, monkeypatch):
    write("result.csv", "precious")
    real = os.fsync

    def full(descriptor):
        real(descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert label("features.npy", "labels.csv", "--out", "result.csv") == 2
    assert "No space left on device); nothing was changed" in capsys.readouterr().err
    assert (folder / "result.csv").read_text() == "precious\n"
    assert not list(folder.glob(".*"))
