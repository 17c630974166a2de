import numpy as np
from labelling import label, read, write


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
