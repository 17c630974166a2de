import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from labelling import NAMES, label, read, write


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


def test_labels_that_look_like_numbers_are_kept_as_they_are_written(folder):
    write("labels.csv", "row,label", "5,007", "45,-1", "85,1e3", "125,0")
    assert label("features.npy", "labels.csv", "--out", "result.csv") == 0
    assert {row["label"] for row in read("result.csv")} == {"007", "-1", "1e3", "0"}


@pytest.mark.parametrize("mark", ["-1", "nan", "NA", "None"])
def test_other_signs_for_no_label_are_understood_where_nothing_is_blank(folder, mark, capsys):
    assert label("features.npy", "labels.csv", "--out", "expected.csv") == 0
    column = [mark if i not in (5, 45, 85, 125) else NAMES[i // 40] for i in range(160)]
    write("column.csv", "label", *column)
    assert label("features.npy", "column.csv", "--out", "result.csv") == 0
    assert read("result.csv") == read("expected.csv")
    assert f"lines that say {mark.lower()} are taken as unlabelled" in capsys.readouterr().err
