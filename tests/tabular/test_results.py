import csv
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from labelling import label

from fewlabels import FewlabelsError
from fewlabels.tabular import write_result, write_table


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


@pytest.mark.parametrize(("stream", "said"), [(None, "standard output is closed"), ("full", "could not be written")])
def test_standard_output_that_cannot_be_written_is_told(monkeypatch, stream, said):
    class Full(io.BytesIO):
        def flush(self):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", None if stream is None else SimpleNamespace(buffer=Full()))
    with pytest.raises(FewlabelsError, match=said):
        write_table(Path("-"), {"row": [1], "label": ["a"]})


def test_a_table_has_decimals_with_six_digits_and_everything_else_as_it_is(tmp_path):
    columns = {"id": ["a", 2], "p(x)": np.array([1 / 3, 1.0]), "ok": np.array([True, False])}
    write_table(tmp_path / "t.csv", columns)
    assert (tmp_path / "t.csv").read_text() == "id,p(x),ok\na,0.333333,true\n2,1.000000,false\n"
    write_table(tmp_path / "t.parquet", {**columns, "id": ["a", "b"]})
    assert pq.read_table(tmp_path / "t.parquet")["p(x)"].to_pylist() == [1 / 3, 1.0]
