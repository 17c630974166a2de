"""--cluster at the command line: what goes in and out, and what is refused."""

import numpy as np
import pytest
from trials import TINY, results, table

from fewlabels.cli import main
from fewlabels.cli.cluster import workers_help

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two tables with ids, and labels by id."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 60)
    X = np.eye(3)[y] * 6 + rng.normal(size=(180, 3))
    order = rng.permutation(180)
    X, y = X[order], y[order]
    for part, some in enumerate((slice(0, 100), slice(100, 180))):
        rows = [f"p{i},{a:.6f},{b:.6f},{c:.6f}" for i, (a, b, c) in zip(range(180)[some], X[some], strict=True)]
        (tmp_path / f"x-{part}.csv").write_text("id,a,b,c\n" + "\n".join(rows) + "\n")
    given = [np.flatnonzero(y == j)[k] for j in range(3) for k in (0, 1)]
    (tmp_path / "labels.csv").write_text("id,label\n" + "".join(f"p{row},class {y[row]}\n" for row in given))
    (tmp_path / "truth.txt").write_text("\n".join(map(str, y)))
    return tmp_path


def _label(*more):
    return main(["label", "x-*.csv", "labels.csv", "--out", "result.parquet", "--quiet", *more])


def test_files_of_a_pattern_are_labelled_with_their_ids(folder, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert _label("--cluster", "local:1", "--memory", "1GB", "--neighbors", "8") == 0
    assert "180 points labelled from 6 labels of 3 classes" in capsys.readouterr().out
    table = parquet.read_table(folder / "result.parquet").to_pydict()
    assert table["id"] == [f"p{row}" for row in range(180)]
    truth = [f"class {label}" for label in (folder / "truth.txt").read_text().split()]
    assert np.mean(np.array(table["label"]) == truth) > 0.95
    assert min(table["confidence"]) > 0.2
    assert all(table["reached"])
    assert not (folder / "result.parquet.scratch").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "add --cluster local:2"),
        (["--memory", "1GB"], "--memory is for workers"),
        (["--cluster", "local:1", "--save", "model.npz"], "--save is not offered"),
        (["--cluster", "elsewhere"], "is not known"),
        (["--cluster", "local:1", "--method", "mbo"], "not offered on a cluster"),
        (["--cluster", "local:1", "--refine", "mbo"], "--refine is not offered"),
        (["--cluster", "local:1", "--report", "page.html"], "--report is not offered"),
        (["--cluster", "local:1", "--memory", "a lot"], "is not a size"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(folder, capsys, more, said):
    assert _label(*more) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (folder / "result.parquet").exists()


def test_labels_of_one_class_are_refused_and_leave_nothing(folder, capsys):
    (folder / "labels.csv").write_text("id,label\np0,only\np1,only\n")
    assert _label("--cluster", "local:1") == 2
    assert "all labels are of one class" in capsys.readouterr().err
    assert not (folder / "result.parquet.scratch").exists()


def test_points_that_are_all_equal_are_labelled(folder):
    np.save("same.npy", np.ones((50, 3)))
    (folder / "two.csv").write_text("row,label\n0,a\n1,b\n")
    assert main(["label", "same.npy", "two.csv", "--out", "same.csv", "--quiet", "--cluster", "local:2"]) == 0
    lines = (folder / "same.csv").read_text().splitlines()
    assert lines[1:3] == ["0,a,1.000000,true", "1,b,1.000000,true"]
    assert len(lines) == 51


@pytest.mark.usefixtures("no_data")
def test_trials_of_the_laboratory_are_run_by_workers_into_the_same_store(tmp_path):
    alone, helped = tmp_path / "alone", tmp_path / "helped"
    assert main([*TINY, "--out", str(alone)]) == 0
    with workers_help("local:1", helped, [*TINY, "--out", str(helped), "--only-trials"]):
        pass  # this process runs none of them
    assert results(helped / "trials.jsonl") == results(alone / "trials.jsonl")
    assert main([*TINY, "--out", str(helped), "--cluster", "local:1"]) == 0
    assert table(helped / "trials.jsonl") == table(alone / "trials.jsonl")
