import csv
import io

import numpy as np
import pytest

from fewlabels.tabular import read_features, read_labels
from fewlabels.web import exports
from fewlabels.web.board import RefusedError
from fewlabels.web.exports import result, save_result


def rows(data):
    return list(csv.DictReader(io.StringIO(data.decode())))


def test_every_point_has_a_row_and_what_a_person_said_stands(running, client):
    client.act("check", node=0, label="owl")
    client.act("rename", old="ant", new='a,"nt')
    told = rows(result(running.session, "csv"))
    assert [row["id"] for row in told] == [f"p{row}" for row in range(160)]
    assert (told[5]["label"], told[0]["label"], told[0]["confidence"]) == ('a,"nt', "owl", "1.000000")
    assert (
        sum(row["label"] == f for row, f in zip(told, np.repeat(['a,"nt', "bee", "cat", "dog"], 40), strict=True)) > 140
    )


def test_parquet_holds_the_same(running, client):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(io.BytesIO(result(running.session, "parquet")))
    told = rows(result(running.session, "csv"))
    assert table.column("label").to_pylist() == [row["label"] for row in told]


def test_given_labels_can_be_read_again(running, client, tmp_path):
    client.act("label", nodes=[7], label="<b>owl</b>")
    client.act("check", node=9, label="ant")
    (tmp_path / "given.csv").write_bytes(result(running.session, "given"))
    np.savez(tmp_path / "X.npz", X=running.session.points.X, id=np.array(running.session.points.ids))
    given = read_labels(str(tmp_path / "given.csv"), read_features(tmp_path / "X.npz"))
    assert dict(zip(given.rows.tolist(), given.labels.tolist(), strict=True)) == running.session.board.labels()


def test_before_there_is_an_answer_only_given_labels_can_be_taken_away(open_session, tmp_path):
    session, _ = open_session()
    for kind in ("csv", "parquet"):
        with pytest.raises(RefusedError, match="no answer yet"):
            result(session, kind)
    with pytest.raises(RefusedError, match="no answer yet"):
        save_result(session, tmp_path / "result.csv")
    assert not (tmp_path / "result.csv").exists()
    assert result(session, "given") == b"id,label\n"


def test_a_result_appears_whole_or_not_at_all(running, client, tmp_path, monkeypatch):
    out = tmp_path / "result.csv"
    save_result(running.session, out)
    whole = out.read_bytes()
    assert len(rows(whole)) == 160

    def half(file, *_):
        file.write(b"id,label\np0,ant\n")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exports, "write_rows", half)
    said = client.post({}, "/api/save")
    assert said.status_code == 409
    assert "No space left on device" in said.json()["error"]
    assert out.read_bytes() == whole
    assert [path for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
