import sys

import pyarrow as pa
import pyarrow.parquet as pq
from labelling import label


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
    assert "pip install 'fewlabels[parquet]'" in capsys.readouterr().err
