"""What went wrong in a newcomer's first hour, one test for each."""

import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gallery import blob_points
from labelling import accuracy, label, read, write
from sklearn.model_selection import GridSearchCV

from fewlabels import FewLabelClassifier, OneClassWarning, on_labelled
from fewlabels.cli import main
from fewlabels.progress import shown, track


def refused(capsys, *arguments):
    """Run the command, which refuses; return its one sentence."""
    assert label(*arguments, "-o", "result.csv") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def table(name, header, X, between=",", **more):
    """Write a text file with the rows of X and further columns."""
    rows = zip(*more.values(), strict=True) if more else [()] * len(X)
    write(name, header, *[between.join(map(str, (*x, *others))) for x, others in zip(X.tolist(), rows, strict=True)])


def expected():
    assert label("features.npy", "labels.csv", "-o", "expected.csv") == 0
    return [row["label"] for row in read("expected.csv")]


def test_01_an_interrupt_while_the_report_is_drawn_tells_what_is_written(folder, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("fewlabels.report.flat_map", interrupted)
    command = ["features.npy", "labels.csv", "-o", "result.csv", "--method", "poisson"]
    assert label(*command, "--report", "page.html") == 130
    assert capsys.readouterr().err.endswith(
        "interrupted; result.csv was written before, and nothing else was changed.\n"
    )
    assert len(read("result.csv")) == 160
    monkeypatch.setattr("fewlabels.answer.answer", interrupted)
    assert label(*command) == 130
    assert capsys.readouterr().err.endswith("interrupted; no file was written or changed.\n")


@pytest.mark.parametrize("method", ["auto", "poisson"])
def test_02_labels_of_one_class_tell_nothing_apart(folder, capsys, method):
    write("one.csv", "row,label", "5,ant", "9,ant")
    assert label("features.npy", "one.csv", "-o", "result.csv", "--method", method, "--neighbors", "5") == 0
    said = capsys.readouterr()
    assert "note: all labels are of one class (ant): every point gets it, which tells nothing apart" in said.err
    assert "from 2 labels of 1 class in" in said.out
    assert "It would bet on none of them" in said.out
    sure = [row["confidence"] for row in read("result.csv")]
    assert {place for place, cell in enumerate(sure) if cell != "0.500000"} == {5, 9}
    y = np.where(np.isin(np.arange(160), [5, 9]), "ant", "")
    with pytest.warns(OneClassWarning, match="one class"):
        FewLabelClassifier(method).fit(np.load("features.npy"), y)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_03_a_column_that_counts_rows_is_no_feature_wherever_it_stands(folder, capsys, ending):
    X, wanted = np.load("features.npy"), expected()
    for name in ("row", "n"):
        if ending == "csv":
            table("counted.csv", f"x,y,{name}", X, n=range(160))
        else:
            pq.write_table(pa.table({"x": X[:, 0], "y": X[:, 1], name: np.arange(160)}), "counted.parquet")
        assert label(f"counted.{ending}", "labels.csv", "-o", "result.csv") == 0
        assert [row["label"] for row in read("result.csv")] == wanted
        assert f"note: counted.{ending}: column ({name}) only counts the rows" in capsys.readouterr().err


def test_04_parquet_without_pyarrow_names_what_to_install(folder):
    pq.write_table(pa.table({"x": [1.0, 2.0, 4.0]}), "table.parquet")
    code = "import sys; sys.modules['pyarrow'] = None; from fewlabels.cli import start; start()"
    command = [sys.executable, "-c", code, "label", "table.parquet", "labels.csv", "-q", "-o", "result.csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs pyarrow; install it with: pip install pyarrow, or in a copy of the folder" in done.stderr
    assert "pip install '.[parquet]'" in done.stderr


def test_05_thirty_classes_with_a_label_each_are_no_regression():
    X, truth = blob_points(blobs=30, size=6, noise=0.05)
    y = np.full(truth.size, -1)
    first = np.unique(truth, return_index=True)[1]
    y[first] = truth[first]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        model = FewLabelClassifier("poisson", n_neighbors=20).fit(X, y)
        assert model.score(X[first], truth[first]) == 1.0
        model.add_labels(first + 1, truth[first + 1])


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX interrupt")
def test_06_an_interrupt_in_the_first_second_is_no_traceback(folder):
    code = "import builtins, os, signal, sys\nfrom fewlabels.cli import start\nreal = builtins.__import__\n"
    code += "def load(name, *rest):\n    name == 'argparse' and os.kill(os.getpid(), signal.SIGINT)\n"
    code += "    return real(name, *rest)\nbuiltins.__import__ = load\nstart()\n"
    done = subprocess.run([sys.executable, "-c", code, "demo"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "fewlabels: interrupted; no file was written or changed.\n")
    light = "import sys, fewlabels.cli; print([m for m in ('numpy', 'argparse') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", light], capture_output=True, text=True).stdout == "[]\n"


def test_07_decimal_commas_and_blanks_between_numbers_are_read(folder):
    X, wanted = np.load("features.npy"), expected()
    write("semicolons.csv", "x;y", *[";".join(f"{cell!r}".replace(".", ",") for cell in row) for row in X.tolist()])
    np.savetxt("blanks.txt", X)
    np.savetxt("header.txt", X, header="x y")
    for name in ("semicolons.csv", "blanks.txt", "header.txt"):
        assert label(name, "labels.csv", "-o", "result.csv") == 0
        assert [row["label"] for row in read("result.csv")] == wanted


def test_08_a_folder_or_a_device_is_called_what_it_is(folder, capsys):
    Path("sub").mkdir()
    assert "sub: is a folder; name a file in it" in refused(capsys, "sub", "labels.csv")
    assert "sub: is a folder; name a file in it" in refused(capsys, "features.npy", "sub")
    assert "is not a file but a device" in refused(capsys, os.devnull, "labels.csv")


def test_09_ids_that_stand_twice_are_refused_with_a_remedy(folder, capsys):
    table("twice.csv", "x,y,id", np.load("features.npy"), id=[f"p{i // 2}" for i in range(160)])
    write("given.csv", "id,label", "p0,ant", "p40,bee")
    for labels in ("labels.csv", "given.csv"):
        said = refused(capsys, "twice.csv", labels)
        assert "id 'p0' stands in row 0 and in row 1; make the ids differ, name another column by --id, or drop" in said


def test_10_nan_in_a_table_is_told_by_line_and_column(folder, capsys):
    write("bad.csv", "x,y", "1,2", "", "3,nan", "5,6")
    assert "bad.csv: line 4 (row 1), column 'y' holds 'nan', which is not a finite" in refused(
        capsys, "bad.csv", "labels.csv"
    )
    pq.write_table(pa.table({"x": [1.0, 2.0], "y": [1.0, np.inf]}), "bad.parquet")
    assert "bad.parquet: row 1, column 'y' holds NaN or infinity" in refused(capsys, "bad.parquet", "labels.csv")


def test_11_the_note_on_unreached_points_names_the_id(folder, capsys):
    X, _ = blob_points(blobs=3, size=30, noise=0.05)
    table("named.csv", "x,y,id", X, id=[f"p{i}" for i in range(90)])
    write("given.csv", "id,label", "p5,ant", "p40,bee")
    assert label("named.csv", "given.csv", "-o", "result.csv", "--neighbors", "5", "--method", "poisson") == 0
    assert "a label on the point p60 would reach 30 of them" in capsys.readouterr().err


def test_12_a_text_file_named_npy_is_told_from_an_array(folder, capsys):
    write("text.npy", "1,2", "3,4")
    said = refused(capsys, "text.npy", "labels.csv")
    assert "text.npy: is not an .npy array but text; name it .csv" in said
    assert "pickle" not in said


def test_13_no_bars_in_a_file_and_no_remaining_time_of_a_solve(capsys, monkeypatch):
    with shown():
        assert list(track(range(3), "counting")) == [0, 1, 2]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("fewlabels.progress.LINE_SECONDS", 0.0)
    with shown():
        list(track(range(3), "counting"))
        list(track(iter(range(2)), "solving"))
    assert capsys.readouterr().err == "counting: 0 of 3\ncounting: 1 of 3\ncounting: 2 of 3\nsolving: 0\nsolving: 1\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("fewlabels.progress.QUIET_SECONDS", 0.0)
    with shown():
        for _ in track(iter(range(3)), "solving"):
            time.sleep(0.15)
    bar = capsys.readouterr().err
    assert "solving" in bar
    assert "<" not in bar


def test_14_whole_labels_with_blanks_stay_whole_in_parquet(folder):
    X = np.load("features.npy")
    cells = [float(row // 40) if row in (5, 45, 85, 125) else None for row in range(160)]
    pq.write_table(pa.table({"x": X[:, 0], "y": X[:, 1], "label": cells}), "table.parquet")
    pq.write_table(pa.table({"label": cells}), "given.parquet")
    for files in (("table.parquet", "label"), ("features.npy", "given.parquet")):
        assert label(*files, "-o", "result.csv") == 0
        assert {row["label"] for row in read("result.csv")} == {"0", "1", "2", "3"}


def test_15_settings_are_refused_before_reading_and_too_many_neighbours_are_told(folder, capsys):
    for option in (("--metric", "l1"), ("--search", "exakt")):
        assert "is not known; choose one of" in refused(capsys, "gone.npy", "labels.csv", *option)
    assert label("features.npy", "labels.csv", "-o", "result.csv", "--neighbors", "5000", "--method", "poisson") == 0
    assert "note: --neighbors 5000: every point has only 159 others" in capsys.readouterr().err
    assert label("features.npy", "labels.csv", "-o", "result.csv", "--neighbors", "159", "--method", "poisson") == 0
    assert "--neighbors" not in capsys.readouterr().err


def test_16_accuracy_in_a_search_need_not_count_unlabelled_rows():
    X, truth = blob_points(noise=0.1)
    y = np.where(np.arange(truth.size) % 2 == 0, truth, -1)
    model, grid = FewLabelClassifier("poisson"), {"n_neighbors": [5, 10]}
    assert GridSearchCV(model, grid, cv=2, scoring=on_labelled("accuracy")).fit(X, y).best_score_ > 0.95
    assert GridSearchCV(model, grid, cv=2).fit(X, y).best_score_ > 0.95
    assert GridSearchCV(model, grid, cv=2, scoring="accuracy").fit(X, y).best_score_ < 0.6


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_17_a_pickle_holds_the_features_once_and_what_predict_needs(metric):
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=800)
    X = (rng.normal(size=(800, 300)) + 3 * rng.normal(size=(4, 300))[truth]).astype(np.float32)
    y = np.where(np.arange(800) < 40, truth, -1)
    model = FewLabelClassifier(metric=metric).fit(X.tolist() if metric == "cosine" else X, y)
    held = pickle.dumps(model)
    features = X.size * (8 if metric == "cosine" else 4)
    assert len(held) < features + 800 * 4 * 8 * 2.5 + 20_000
    again = pickle.loads(held)
    np.testing.assert_array_equal(again.predict_proba(X[:50] + 0.1), model.predict_proba(X[:50] + 0.1))
    np.testing.assert_array_equal(again.suggest(3), model.suggest(3))
    np.testing.assert_allclose(again.graph_.degrees, model.graph_.degrees)
    again.add_labels([700], [truth[700]])
    assert again.transduction_[700] == truth[700]
    assert len(pickle.dumps(again)) < 1.02 * len(held)


def test_18_the_line_on_what_was_weighed_is_short(folder, capsys):
    assert label("features.npy", "labels.csv", "-o", "result.csv") == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 130
    assert accuracy(read("result.csv")) > 0.85


def test_19_the_demo_of_the_page_leaves_nothing_in_the_current_folder(folder, monkeypatch):
    from fewlabels.cli.page import _of_the_demo

    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(folder / "cache"))
    journal = _of_the_demo()
    assert journal.parent.is_dir()
    assert folder / "cache" in journal.parents


def test_20_help_and_version_answer_at_once(capsys):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("fewlabels ")
    assert signal.getsignal(signal.SIGINT) is before
