import csv
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from labelling import write
from paging import COMMAND, page, started

from fewlabels.cli import main


def ended(process):
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_digits_are_labelled_from_nothing_by_answering_what_is_asked(tmp_path):
    truth = pytest.importorskip("sklearn.datasets").load_digits().target
    with page("--demo", "--journal", "demo.jsonl", cwd=tmp_path) as client:
        right, asked = 0.0, 0
        while right <= 0.8:
            asked += 1
            assert asked <= 30, right
            card = client.next()[0]
            client.act("label", nodes=[card["node"]], label=str(truth[card["node"]]))
            state = client.wait()
            names = np.array(["", *(each["name"] for each in state["classes"])])
            codes = np.frombuffer(client.get("/api/points").content, dtype="<u2") >> 4
            right = np.mean(names[codes] == truth.astype(str))
        image = client.get("/api/image/7")
        assert (image.headers["content-type"], state["kind"]) == ("image/png", "image")


def test_killed_after_every_action_nothing_is_lost_and_nothing_doubled(folder):
    expected = {5: "ant", 45: "bee", 85: "cat", 125: "dog"}
    for number in range(30):
        process, client = started("features.npy", "labels.csv", "--method", "poisson", cwd=folder)
        if number:
            assert client.act("label", id=f"action {number - 1}", nodes=[number - 1], label="other") == number
        assert client.act("label", id=f"action {number}", nodes=[number], label=f"name {number % 7}") == number + 1
        ended(process)
        client.close()
        expected[number] = f"name {number % 7}"
    process, client = started("features.npy", "labels.csv", cwd=folder)
    state = client.state()
    names = {each["code"]: each["name"] for each in state["classes"]}
    assert {row: names[code] for row, code in state["given"]} == expected
    assert state["seq"] == 30
    for _ in range(30):
        client.act("undo")
    assert len(client.state()["given"]) == 4
    client.close()
    ended(process)
    assert len((folder / "features.npy.labels.jsonl").read_text().splitlines()) == 61


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("early", [True, False])
def test_it_ends_well_when_it_is_told_to(folder, number, early):
    process, client = started("features.npy", "labels.csv", cwd=folder)
    if not early:
        client.wait()
    client.act("label", nodes=[3], label="ant")
    process.send_signal(number)
    client.close()
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")
    with page("features.npy", "labels.csv", cwd=folder) as again:
        assert [3, 1] in again.state()["given"]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_labels_in_a_row_do_not_fill_the_memory(folder):
    """benchmarks/page_load.py does the same 500 times."""
    process, client = started("features.npy", "--method", "poisson", cwd=folder)
    held = []
    for row in range(120):
        client.act("label", nodes=[row], label=f"blob {row // 40}")
        client.wait()
        told = Path(f"/proc/{process.pid}/status").read_text().split("VmRSS:")[1]
        held.append(int(told.split()[0]))
    client.close()
    ended(process)
    assert held[-1] < 1.1 * held[20]


def test_labels_are_read_and_never_changed(folder):
    before = Path("labels.csv").read_bytes()
    with page("features.npy", "labels.csv", "--out", "result.csv", cwd=folder) as client:
        client.act("label", nodes=[5], label="dog")
        client.wait()
        assert client.post({}, "/api/save").json() == {"saved": "result.csv"}
        assert sorted(path.name for path in folder.glob("*.csv")) == ["labels.csv", "result.csv"]
    rows = list(csv.DictReader(Path("result.csv").read_text().splitlines()))
    assert (len(rows), rows[5]["label"]) == (160, "dog")
    assert Path("labels.csv").read_bytes() == before


def test_two_pages_on_one_journal_and_other_data_are_refused_in_a_sentence(folder):
    with page("features.npy", cwd=folder):
        second = subprocess.run([*COMMAND, "features.npy"], cwd=folder, capture_output=True, text=True, timeout=60)
        assert (second.returncode, second.stdout) == (2, "")
        assert "another page has this journal open" in second.stderr
    np.save("features.npy", np.load("features.npy") + 1)
    other = subprocess.run([*COMMAND, "features.npy"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert other.returncode == 2
    assert "belongs to other features" in other.stderr
    assert len(other.stderr.splitlines()) == 1
    with page("features.npy", "--journal", "second.jsonl", cwd=folder) as client:
        assert client.state()["seq"] == 0


def test_text_ids_and_columns_of_a_table_are_shown(folder):
    X = np.load("features.npy")
    lines = [f"{2 * i},t{i} <b>,red,{a},{b},paper {i}" for i, (a, b) in enumerate(X.tolist())]
    write("table.csv", "number,abstract,colour,width,height,paper", *lines)
    with page("table.csv", "--text", "abstract", "--id", "paper", cwd=folder) as client:
        card = client.json("/api/point/3")
        assert (card["id"], card["text"], client.state()["kind"]) == ("paper 3", "t3 <b>", "text")
        assert [name for name, _ in card["columns"]] == ["colour", "number", "width", "height"]
        assert client.json("/api/search", q="PAPER 15")["total"] == 11


BAD = {
    "no features": ([], "give FEATURES to label, or --demo"),
    "features and the demo": (["features.npy", "--demo"], "give FEATURES to label, or --demo"),
    "no such file": (["none.npy"], "no such file"),
    "no such folder": (["features.npy", "--images", "none"], "no such folder"),
    "no such text": (["features.npy", "--text", "abstract"], "has no column 'abstract'"),
    "a result that is no table": (["features.npy", "--out", "result.txt"], "must end in .csv or .parquet"),
    "a result over an input": (["features.npy", "labels.csv", "--out", "labels.csv"], "is one of the inputs"),
    "no such method": (["features.npy", "--method", "magic"], "magic"),
    "a port that is none": (["features.npy", "--port", "99999"], "choose another --port"),
    "an address that is not ours": (["features.npy", "--host", "192.0.2.1"], "choose another --port or --host"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_ends_in_one_sentence(folder, capsys, name):
    arguments, said = BAD[name]
    before = sorted(folder.iterdir())
    assert main(["page", "--quiet", "--no-browser", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err.splitlines()[-1]
    assert sorted(folder.iterdir()) == before


def test_without_the_extra_it_says_how_to_get_it(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["page", "--quiet", "features.npy"]) == 2
    assert capsys.readouterr().err.endswith("pip install '.[page]'\n")


def test_another_address_is_warned_about(folder):
    process, client = started("features.npy", "--host", "127.0.0.2", cwd=folder)
    assert client.origin.startswith("http://127.0.0.2:")
    client.close()
    process.send_signal(signal.SIGTERM)
    assert "whoever reaches that address and has the token can read the data" in process.communicate(timeout=30)[1]
    assert process.returncode == 0


def test_the_result_is_written_when_the_page_ends(folder):
    process, client = started("features.npy", "labels.csv", "--out", "result.csv", cwd=folder)
    client.act("label", nodes=[3], label="ant")
    client.wait()
    process.send_signal(signal.SIGTERM)
    client.close()
    assert (process.communicate(timeout=30)[1], process.returncode) == ("", 0)
    with (folder / "result.csv").open() as file:
        told = list(csv.DictReader(file))
    assert len(told) == 160
    assert told[3]["label"] == "ant"


def test_a_result_that_would_destroy_the_journal_is_refused(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["page", "features.npy", "--journal", "x/../j.csv", "--out", "j.csv", "--no-browser"]) != 0
    assert "is the journal" in capsys.readouterr().err
    assert not (folder / "j.csv").exists()


def test_a_page_comes_back_at_the_port_it_had(folder):
    process, client = started("features.npy", "labels.csv", cwd=folder)
    origin = client.origin
    ended(process)
    client.close()
    with page("features.npy", "labels.csv", cwd=folder) as again:
        assert again.origin == origin
        assert again.token != client.token
