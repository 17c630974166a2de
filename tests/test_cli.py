import contextlib
import csv
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from gallery import blob_points

from fewlabels.cli import main
from fewlabels.progress import interrupts_kept, shown, track

NAMES = np.array(["ant", "bee", "cat", "dog"])


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    """A folder with 160 points in four blobs, as features.npy, and one label of each, as labels.csv."""
    monkeypatch.chdir(tmp_path)
    X, y = blob_points(noise=0.3)
    np.save("features.npy", X)
    write("labels.csv", "row,label", *[f"{row},{NAMES[y[row]]}" for row in (5, 45, 85, 125)])
    return tmp_path


def write(name, *lines):
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(name):
    return list(csv.DictReader(Path(name).read_text(encoding="utf-8").splitlines()))


def label(*arguments):
    return main(["label", "--quiet", *arguments])


def accuracy(rows):
    return np.mean([row["label"] == name for row, name in zip(rows, np.repeat(NAMES, 40), strict=True)])


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


@pytest.mark.parametrize(
    "kind", ["npy", "npz", "sparse", "csv", "csv with ids", "semicolons", "parquet", "lists", "images"]
)
def test_features_of_every_kind_give_the_same_labels(folder, kind):
    X = np.load("features.npy")
    ids = [f"p{i:03d}" for i in range(160)]
    name = "other.npz"
    match kind:
        case "npy":
            name = "features.npy"
        case "npz":
            np.savez(name, X=X, y=np.zeros(160))
        case "sparse":
            sp.save_npz(name, sp.csr_matrix(X))
        case "csv":
            np.savetxt(name := "other.csv", X, delimiter=",")
        case "csv with ids":
            write(
                name := "other.csv", "id,x,y", *[f"{i},{a!r},{b!r}" for i, (a, b) in zip(ids, X.tolist(), strict=True)]
            )
        case "semicolons":
            write(name := "other.csv", "x;y", *[f"{a!r};{b!r}" for a, b in X.tolist()])
        case "parquet":
            pq.write_table(pa.table({"id": ids, "x": X[:, 0], "y2": X[:, 1]}), name := "other.parquet")
        case "lists":
            pq.write_table(pa.table({"embedding": X.tolist()}), name := "other.parquet")
        case "images":
            np.save(name := "other.npy", X[:, :, None])
    assert label("features.npy", "labels.csv", "--out", "expected.csv") == 0
    assert label(name, "labels.csv", "--out", "result.csv") == 0
    expected, found = read("expected.csv"), read("result.csv")
    assert [row["label"] for row in found] == [row["label"] for row in expected]
    assert found[7]["id"] == ("p007" if kind in ("csv with ids", "parquet") else "7")


def test_labels_of_every_kind_give_the_same_result(folder):
    y = np.repeat(NAMES, 40)
    rows = (5, 45, 85, 125)
    X = np.load("features.npy")
    ids = [f"p{i}" for i in range(160)]
    np.savez("named.npz", X=X, ids=np.array(ids))
    column = ["" if i not in rows else y[i] for i in range(160)]
    write("bare.csv", *[f"{row},{y[row]}" for row in rows])
    write("named.csv", "id,label", *[f"p{row},{y[row]}" for row in rows])
    write("swapped.csv", "label,id", *[f"{y[row]},p{row}" for row in rows])
    write("column.csv", "label", *column)
    write("plain.csv", *column)
    write("wide.csv", "id,note,label", *[f"p{i},x,{cell}" for i, cell in enumerate(column)])
    write("inside.csv", "x,y2,species", *[f"{a!r},{b!r},{c}" for (a, b), c in zip(X.tolist(), column, strict=True)])
    pq.write_table(pa.table({"row": list(rows), "label": [y[row] for row in rows]}), "labels.parquet")
    assert label("features.npy", "labels.csv", "--out", "expected.csv") == 0
    expected = [row["label"] for row in read("expected.csv")]
    for features, labels in (
        ("features.npy", "bare.csv"),
        ("named.npz", "named.csv"),
        ("named.npz", "swapped.csv"),
        ("named.npz", "labels.csv"),
        ("features.npy", "column.csv"),
        ("features.npy", "plain.csv"),
        ("named.npz", "wide.csv"),
        ("inside.csv", "species"),
        ("features.npy", "labels.parquet"),
    ):
        assert label(features, labels, "--out", "result.csv") == 0, labels
        assert [row["label"] for row in read("result.csv")] == expected, labels


def test_whole_numbers_stay_whole_numbers_in_parquet(folder):
    pq.write_table(pa.table({"row": [5, 45, 85, 125], "label": [7, 8, 9, 10]}), "labels.parquet")
    assert label("features.npy", "labels.parquet", "--out", "result.parquet") == 0
    table = pq.read_table("result.parquet")
    assert table.column_names == ["id", "label", "confidence", "reached"]
    assert set(table["label"].to_pylist()) == {7, 8, 9, 10}
    assert table["reached"].type == pa.bool_()


def test_labels_that_look_like_numbers_are_kept_as_they_are_written(folder):
    write("labels.csv", "row,label", "5,007", "45,-1", "85,1e3", "125,0")
    assert label("features.npy", "labels.csv", "--out", "result.csv") == 0
    assert {row["label"] for row in read("result.csv")} == {"007", "-1", "1e3", "0"}


def test_a_column_that_counts_the_rows_is_not_a_feature(folder, capsys):
    X = np.load("features.npy")
    assert label("features.npy", "labels.csv", "--out", "expected.csv") == 0
    expected = [row["label"] for row in read("expected.csv")]
    for header in (",x,y", "index,x,y", "sample_id,x,y", "Unnamed: 0,x,y"):
        write("counted.csv", header, *[f"{i},{a!r},{b!r}" for i, (a, b) in enumerate(X.tolist())])
        assert label("counted.csv", "labels.csv", "--out", "result.csv") == 0
        assert [row["label"] for row in read("result.csv")] == expected, header
    write("pandas.csv", "0,1", *[f"{a!r},{b!r}" for a, b in X.tolist()])
    assert label("pandas.csv", "labels.csv", "--out", "result.csv") == 0
    assert [row["label"] for row in read("result.csv")] == expected
    write("both.csv", "name,id,x,y", *[f"k{i},{900 - i},{a!r},{b!r}" for i, (a, b) in enumerate(X.tolist())])
    assert label("both.csv", "labels.csv", "--out", "result.csv") == 0
    assert [row["label"] for row in read("result.csv")] == expected
    assert read("result.csv")[3]["id"] == "897"
    assert "note: counted.csv: the first column (index) only counts the rows" in capsys.readouterr().err


@pytest.mark.parametrize("mark", ["-1", "nan", "NA", "None"])
def test_other_signs_for_no_label_are_understood_where_nothing_is_blank(folder, mark, capsys):
    assert label("features.npy", "labels.csv", "--out", "expected.csv") == 0
    column = [mark if i not in (5, 45, 85, 125) else NAMES[i // 40] for i in range(160)]
    write("column.csv", "label", *column)
    assert label("features.npy", "column.csv", "--out", "result.csv") == 0
    assert read("result.csv") == read("expected.csv")
    assert f"lines that say {mark.lower()} are taken as unlabelled" in capsys.readouterr().err


def test_unreached_points_are_marked_and_noted(folder, capsys):
    X, _ = blob_points(blobs=3, size=30, noise=0.05)
    np.save("features.npy", X)
    write("labels.csv", "row,label", "5,ant", "40,bee")
    assert label("features.npy", "labels.csv", "--out", "result.csv", "--neighbors", "5") == 0
    rows = read("result.csv")
    assert {row["reached"] for row in rows[60:]} == {"false"}
    assert {row["confidence"] for row in rows[60:]} == {"0.500000"}
    assert "note: 30 of 90 points lie in 1 part of the graph without any label" in capsys.readouterr().err


def test_a_damaged_sparse_matrix_is_refused(folder, capsys):
    wild = np.r_[np.zeros(39, int), 10**6]
    np.savez("bad.npz", data=np.ones(40), indices=wild, indptr=np.arange(41), shape=np.array([40, 3]))
    assert label("bad.npz", "labels.csv", "--out", "result.csv") == 2
    assert "its sparse matrix is inconsistent" in capsys.readouterr().err


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
    "nan": (["bad.csv", "labels.csv"], ["bad.csv", "1,2", "nan,3"], r"bad.csv: the features of row 1 contain NaN"),
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
    "damaged array": (["bad.npy", "labels.csv"], ["bad.npy", "no array"], r"bad.npy: damaged"),
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


def test_without_pyarrow_a_sentence_says_how_to_get_it(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert label("features.npy", "labels.csv", "--out", "result.parquet") == 2
    assert "pip install 'fewlabels[parquet]'" in capsys.readouterr().err


def test_the_unexpected_is_one_sentence_too(folder, capsys, monkeypatch):
    monkeypatch.setattr("fewlabels.graph.Graph.from_features", lambda *_, **__: 1 / 0)
    assert label("features.npy", "labels.csv", "--out", "result.csv") == 1
    said = capsys.readouterr().err
    assert "unexpected ZeroDivisionError" in said
    assert "Traceback" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX interrupt")
def test_an_interrupt_leaves_no_half_result(folder):
    np.save("features.npy", np.random.default_rng(0).normal(size=(60_000, 64)))
    command = [sys.executable, "-m", "fewlabels", "label", "features.npy", "labels.csv", "--out", "result.csv"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    heard = ""
    while "connecting" not in heard:
        heard += process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted; no file was written or changed" in said
    assert "Traceback" not in said
    assert sorted(p.name for p in folder.iterdir()) == ["features.npy", "labels.csv"]


def test_the_demo_prints_three_methods_and_writes_a_page(tmp_path, capsys):
    start = time.perf_counter()
    page = tmp_path / "page.html"
    assert main(["demo", "--out", str(page)]) == 0
    assert time.perf_counter() - start < 60
    said = capsys.readouterr()
    accuracies = {line.rsplit(None, 3)[0]: float(line.split()[-3]) for line in said.out.splitlines()[1:4]}
    assert list(accuracies) == ["Interface Laplace", "Poisson", "Laplace"]
    assert accuracies["Interface Laplace"] > 85
    assert accuracies["Interface Laplace"] > accuracies["Laplace"]
    assert "draws" in said.err
    text = page.read_text()
    assert text.count("<img") == 30
    assert text.count("<circle") == 1797
    assert "http" not in text


def test_usage_errors_exit_with_two(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["label"])
    assert stop.value.code == 2
    assert "FEATURES" in capsys.readouterr().err


def test_an_interrupt_that_a_library_swallowed_is_not_lost():
    taken = []

    def work():
        with interrupts_kept(), shown():
            for step in track(range(5), "working"):
                taken.append(step)
                with contextlib.suppress(KeyboardInterrupt):
                    signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert taken == [0]


@pytest.mark.skipif(sys.platform == "win32", reason="reads a POSIX exit status")
def test_an_interrupt_inside_source_given_as_text_ends_with_the_code_too(tmp_path):
    (tmp_path / "interrupted.py").write_text(
        "import sys\n"
        "import fewlabels.cli, fewlabels.demo\n"
        "fewlabels.demo.run_demo = lambda *_: exec('raise KeyboardInterrupt')\n"
        "sys.exit(fewlabels.cli.main(['demo', '--quiet']))\n"
    )
    command = [sys.executable, "-m", "interrupted"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "interrupted" in ended.stderr
    assert ended.returncode == 130
