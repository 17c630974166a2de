from pathlib import Path

import numpy as np
import pytest
from labelling import label, read, write

from fewlabels import FewLabelClassifier
from fewlabels.cli import main


def suggest(*arguments):
    return main(["suggest", "-q", *arguments])


def test_what_to_label_next_is_a_file_that_can_be_filled_in(folder):
    assert suggest("features.npy", "labels.csv", "-n", "6", "-o", "ask.csv") == 0
    rows = read("ask.csv")
    assert list(rows[0]) == ["row", "label", "guess", "confidence"]
    y = np.full(160, "", dtype="<U3")
    y[[5, 45, 85, 125]] = ["ant", "bee", "cat", "dog"]
    model = FewLabelClassifier().fit(np.load("features.npy"), y)
    assert [int(row["row"]) for row in rows] == model.suggest(6).tolist()
    assert [row["guess"] for row in rows] == model.transduction_[model.suggest(6)].tolist()
    filled = [f"{row['row']},{row['guess']},{row['guess']},{row['confidence']}" for row in rows]
    given = Path("labels.csv").read_text().splitlines()
    write("more.csv", *given, *filled)
    assert label("features.npy", "more.csv", "-o", "result.csv") == 0
    assert [read("result.csv")[int(row["row"])]["label"] for row in rows] == [row["guess"] for row in rows]


def test_it_works_before_there_is_any_label_and_with_ids(folder):
    X = np.load("features.npy")
    write("table.csv", "id,x,y", *[f"p{i},{a},{b}" for i, (a, b) in enumerate(X.tolist())])
    assert suggest("table.csv", "-n", "3", "-o", "ask.csv") == 0
    rows = read("ask.csv")
    assert list(rows[0]) == ["id", "label"]
    assert len({row["id"] for row in rows}) == 3
    assert all(row["id"].startswith("p") for row in rows)
    assert suggest("table.csv", "-n", "3", "-o", "other.csv", "--strategy", "random", "--seed", "4") == 0
    assert read("other.csv") != rows


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["features.npy", "labels.csv", "-n", "0"], "0 points to suggest; give a whole number of at least 1"),
        (["features.npy", "labels.csv", "--strategy", "mixd"], "did you mean mixed?"),
        (["features.npy", "gone.csv"], "gone.csv: no such file"),
    ],
)
def test_bad_requests_end_in_one_sentence(folder, arguments, sentence, capsys):
    assert suggest(*arguments, "-o", "ask.csv") == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert not Path("ask.csv").exists()
