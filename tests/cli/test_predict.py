from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from labelling import label, read, write

from fewlabels import FewLabelClassifier
from fewlabels.cli import main


def predict(*arguments):
    return main(["predict", "-q", *arguments])


@pytest.fixture(name="model")
def _model(folder):
    assert label("features.npy", "labels.csv", "-o", "result.csv", "--save", "model.npz", "--method", "poisson") == 0
    return "model.npz"


def test_new_points_get_the_label_that_the_classifier_gives_them(model):
    X = np.load("features.npy")
    new = X[::7] + 0.05
    np.save("new.npy", new)
    assert predict(model, "new.npy", "-o", "new.csv", "--probabilities") == 0
    y = np.full(160, "", dtype="<U3")
    y[[5, 45, 85, 125]] = ["ant", "bee", "cat", "dog"]
    fitted = FewLabelClassifier("poisson").fit(X, y)
    rows = read("new.csv")
    assert [row["label"] for row in rows] == fitted.predict(new).tolist()
    told = [[float(row[f"p({name})"]) for name in fitted.classes_] for row in rows]
    np.testing.assert_allclose(told, fitted.predict_proba(new), atol=1e-6)
    assert {row["reached"] for row in rows} == {"true"}


def test_points_that_were_labelled_keep_their_label_and_one_row_is_enough(model):
    assert predict(model, "features.npy", "-o", "again.csv") == 0
    assert read("again.csv") == read("result.csv")
    for name, lines in (("one.csv", ["0.1,0.2"]), ("named.csv", ["x,y", "0.1,0.2"])):
        write(name, *lines)
        assert predict(model, name, "-o", "new.csv", "--force") == 0
        assert len(read("new.csv")) == 1


def test_columns_are_taken_by_their_name(folder, capsys):
    X = np.load("features.npy")
    write("table.csv", "x,y,row", *[f"{a},{b},{i}" for i, (a, b) in enumerate(X.tolist())])
    assert label("table.csv", "labels.csv", "-o", "result.csv", "--save", "model.npz", "--method", "poisson") == 0
    swapped = {"note": ["a", "b"], "y": X[:2, 1], "x": X[:2, 0]}
    pq.write_table(pa.table(swapped), "new.parquet")
    assert predict("model.npz", "new.parquet", "-o", "new.csv") == 0
    assert [row["label"] for row in read("new.csv")] == [row["label"] for row in read("result.csv")[:2]]
    write("other.csv", "x,z", "1,2", "3,4")
    assert predict("model.npz", "other.csv", "-o", "new.csv", "--force") == 2
    assert "other.csv: has no column 'y'; it has x, z" in capsys.readouterr().err


def test_what_is_no_model_or_does_not_fit_it_is_refused(model, capsys):
    whole = Path(model).read_bytes()
    Path("cut.npz").write_bytes(whole[: len(whole) // 2])
    np.savez("other.npz", X=np.eye(3))
    np.savez("newer.npz", format=np.array("fewlabels model 99"))
    np.save("wide.npy", np.eye(5))
    for arguments, sentence in (
        (["gone.npz", "features.npy"], "gone.npz: no such file; make one by fewlabels label --save"),
        (["cut.npz", "features.npy"], "cut.npz: damaged, truncated"),
        (["other.npz", "features.npy"], "other.npz: is not a model written by fewlabels label --save"),
        (["newer.npz", "features.npy"], "another version of fewlabels"),
        ([model, "wide.npy"], "wide.npy: new rows have 5 features, the data 2"),
    ):
        assert predict(*arguments, "-o", "new.csv") == 2
        said = capsys.readouterr().err
        assert sentence in said
        assert said.count("\n") == 1
        assert not Path("new.csv").exists()
