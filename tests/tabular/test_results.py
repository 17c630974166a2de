import csv
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from labelling import label

from fewlabels.tabular import write_result


def test_whole_numbers_stay_whole_numbers_in_parquet(folder):
    pq.write_table(pa.table({"row": [5, 45, 85, 125], "label": [7, 8, 9, 10]}), "labels.parquet")
    assert label("features.npy", "labels.parquet", "--out", "result.parquet") == 0
    table = pq.read_table("result.parquet")
    assert table.column_names == ["id", "label", "confidence", "reached"]
    assert set(table["label"].to_pylist()) == {7, 8, 9, 10}
    assert table["reached"].type == pa.bool_()


def test_without_pyarrow_a_sentence_says_how_to_get_it(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert label("features.npy", "labels.csv", "--out", "result.parquet") == 2
    assert "pip install '.[parquet]'" in capsys.readouterr().err


@pytest.mark.parametrize("ids", [range(5), ["a", "b,c", 'd"', "e", "f\rg"]])
def test_rows_are_written_in_blocks_and_read_back_as_they_were(tmp_path, ids, monkeypatch):
    monkeypatch.setattr("fewlabels.tabular.results.ROWS_AT_ONCE", 2)
    labels = np.array(["cat", "dog", "a cat, or a dog", "cat", "cat"])
    sure, near = np.array([1.0, 0.5, 1 / 3, 0.25, 0.1]), np.array([True, True, True, False, True])
    write_result(tmp_path / "result.csv", ids, labels, sure, near)
    with (tmp_path / "result.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["id", "label", "confidence", "reached"]
    assert [row[0] for row in rows[1:]] == [str(name) for name in ids]
    assert [row[1] for row in rows[1:]] == labels.tolist()
    assert [row[2] for row in rows[1:]] == ["1.000000", "0.500000", "0.333333", "0.250000", "0.100000"]
    assert [row[3] for row in rows[1:]] == ["true", "true", "true", "false", "true"]
