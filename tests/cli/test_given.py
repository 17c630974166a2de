import io
import sys
from pathlib import Path

import pytest
from labelling import accuracy, label, read, write

from fewlabels.cli import main


def standard_input(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_features_and_labels_may_come_from_standard_input(folder, monkeypatch, capsys):
    standard_input(monkeypatch, Path("features.npy").read_bytes())
    assert label("-", "labels.csv", "-o", "a.csv") == 0
    standard_input(monkeypatch, Path("labels.csv").read_bytes())
    assert label("features.npy", "-", "-o", "b.csv") == 0
    assert read("a.csv") == read("b.csv")
    assert accuracy(read("a.csv")) > 0.85
    assert label("-", "-", "-o", "c.csv") == 2
    assert "cannot both come from standard input" in capsys.readouterr().err
    standard_input(monkeypatch, b"x,y\n1,2\n3,oops\n")
    assert label("-", "labels.csv", "-o", "c.csv") == 2
    assert capsys.readouterr().err.startswith("fewlabels: standard input: line 3 (row 1), column 'y' holds 'oops'")


def test_the_result_may_go_to_standard_output_alone(folder, capsysbinary):
    assert main(["label", "features.npy", "labels.csv", "-o", "-", "--method", "laplace"]) == 0
    said = capsysbinary.readouterr()
    lines = said.out.decode().splitlines()
    assert lines[0] == "id,label,confidence,reached"
    assert len(lines) == 161
    assert b"160 points labelled from 4 labels of 4 classes" in said.err
    assert sorted(path.name for path in folder.iterdir()) == ["features.npy", "labels.csv"]


def test_the_id_column_may_be_named(folder):
    write("table.csv", "a,b,code", *[f"{x},{x * x % 7},{900 + x}" for x in range(20)])
    write("given.csv", "id,label", "903,ant", "917,bee")
    assert label("table.csv", "given.csv", "--id", "code", "-o", "result.csv", "--method", "laplace") == 0
    assert [row["id"] for row in read("result.csv")] == [str(900 + x) for x in range(20)]


@pytest.mark.parametrize(
    "option", [("--metric", "l1"), ("--search", "exakt"), ("--method", "poison"), ("--seed", "-1")]
)
def test_settings_are_refused_before_a_file_is_read(folder, option, capsys):
    assert label("gone.npy", "gone.csv", "-o", "result.csv", *option) == 2
    assert "gone" not in capsys.readouterr().err


def test_another_seed_draws_other_labels_again_and_the_same_one_the_same(folder):
    for name, seed in (("a", "0"), ("b", "1"), ("c", "1"), ("d", "2")):
        assert label("features.npy", "labels.csv", "-o", f"{name}.csv", "--seed", seed) == 0
    a, b, c, d = ([row["confidence"] for row in read(f"{name}.csv")] for name in "abcd")
    assert b == c
    assert len({tuple(a), tuple(b), tuple(d)}) == 3
