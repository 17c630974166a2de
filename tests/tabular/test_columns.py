import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from labelling import label, read, write

from fewlabels import FewlabelsError
from fewlabels.tabular import Asked, read_features


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
    assert "note: counted.csv: column (index) only counts the rows" in capsys.readouterr().err


def table(path, **columns):
    if path.suffix == ".parquet":
        pq.write_table(pa.table(columns), path)
    else:
        rows = zip(*([str(cell) for cell in cells] for cells in columns.values()), strict=True)
        write(path, ",".join(columns), *[",".join(row) for row in rows])
    return path


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_columns_that_are_asked_for_are_text_and_ids_and_no_features(tmp_path, ending):
    path = table(
        tmp_path / f"table{ending}",
        abstract=["about a", "about b", "about c"],
        x=[1.5, 2.5, 3.5],
        colour=["red", "blue", "red"],
        year=[1999, 2000, 2001],
        paper=[7, 8, 9],
        label=["", "cat", ""],
    )
    found = read_features(path, shown=Asked(id="paper", text="abstract", keep_text=True))
    assert found.X.tolist() == [[1.5, 1999], [2.5, 2000], [3.5, 2001]]
    assert found.names == ["x", "year"]
    assert [str(name) for name in found.ids] == ["7", "8", "9"]
    assert found.text_columns == {"abstract": ["about a", "about b", "about c"], "colour": ["red", "blue", "red"]}
    assert list(found.label_columns) == ["label"]
    numbers = read_features(path, shown=Asked(id="abstract", text="year", keep_text=True))
    assert [str(cell) for cell in numbers.text_columns["year"]] == ["1999", "2000", "2001"]
    assert numbers.X[:, 0].tolist() == [1.5, 2.5, 3.5]


def test_text_that_nobody_asks_for_is_refused_as_before(tmp_path):
    path = table(tmp_path / "table.csv", x=[1.5, 2.5], colour=["red", "blue"])
    with pytest.raises(FewlabelsError, match="column 'colour' holds 'red', which is not a number"):
        read_features(path)
    for asked in (Asked(text="size"), Asked(id="size")):
        with pytest.raises(FewlabelsError, match="has no column 'size'; it has x, colour"):
            read_features(path, shown=asked)
    np.save(tmp_path / "X.npy", np.eye(3))
    with pytest.raises(FewlabelsError, match="has no column 'size', only numbers"):
        read_features(tmp_path / "X.npy", shown=Asked(text="size"))


def test_lists_have_no_names_of_their_own(tmp_path):
    path = table(tmp_path / "table.parquet", z=[[1.0, 2.0], [3.0, 4.0]], size=[7.0, 9.0])
    assert read_features(path).names == ["", "", "size"]
