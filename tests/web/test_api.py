import http.client
import json
import threading
import time

import httpx
import numpy as np
import pytest


def test_the_whole_contract_in_one_walk(client):
    state = client.state()
    assert set(state) == {
        "version", "seq", "n", "title", "kind", "classes", "given", "checked",
        "solving", "stale", "stage", "map", "undo", "out", "message",
    }  # fmt: skip
    assert (state["n"], state["title"], state["kind"], state["out"]) == (160, "blobs", "image", "result.csv")
    places = client.get("/api/map")
    assert int(places.headers["x-map"]) >= 1
    where = np.frombuffer(places.content, dtype="<f4").reshape(160, 2)
    assert (abs(where) <= 1).all()
    points = client.get("/api/points")
    assert (len(points.content), points.headers["x-version"]) == (320, str(state["version"]))
    cards = client.json("/api/cards", view="next", limit=3)
    assert len(cards["cards"]) <= 3
    assert set(client.json("/api/point/7")) == {
        "node", "id", "guess", "confidence", "given", "text", "columns", "image", "instead",
    }  # fmt: skip
    above = client.json("/api/confidence")["above"]
    assert [round(entry[0], 2) for entry in above] == [round(i / 100, 2) for i in range(100)]
    assert above[0][1] == 156
    assert set(client.json("/api/check")) == {"card", "checked", "right", "accuracy", "interval"}
    assert client.json("/api/search", q="p1", limit=2)["total"] == 71
    assert client.json("/api/search", q=" ")["total"] == 0


def test_an_image_has_the_type_that_its_bytes_tell(visitor):
    said = visitor.get("/api/image/0")
    assert (said.status_code, said.headers["content-type"]) == (200, "image/png")
    assert said.content.startswith(b"\x89PNG")


def without_map(client):
    """Return the state but for the map, which may still get better."""
    return client.state() | {"map": 0}


def exactly(client, path):
    """Ask for a path that no client tidies up on the way."""
    plain = http.client.HTTPConnection(client.origin.removeprefix("http://"), timeout=30)
    cookie = "; ".join(f"{name}={value}" for name, value in client.http.cookies.items())
    plain.request("GET", path, headers={"Cookie": cookie})
    said = plain.getresponse()
    told = said.status, said.read()
    plain.close()
    return told


ROWS = [
    "160",
    "999999999999999999999",
    "-1",
    "1.0",
    "1e2",
    "0x1",
    "",
    "..",
    "%2e%2e%2fsecret",
    "%D9%A3",
    "p0.png",
    "0/../1",
]


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("what", ["image", "point"])
def test_rows_that_are_none_are_not_there(visitor, what, row):
    status, said = exactly(visitor, f"/api/{what}/{row}")
    assert status == 404
    assert json.loads(said)["error"].endswith(".")


@pytest.mark.parametrize("row", [1, 2, 3, 50])
def test_links_out_svg_and_missing_files_are_not_shown(visitor, row):
    assert visitor.get(f"/api/image/{row}").status_code == 404


@pytest.mark.parametrize(
    "name", ["../api.py", "..%2fapi.py", "%2e%2e/api.py", "index.html", "nothing.js", "", "/etc/passwd"]
)
def test_only_listed_files_are_served(visitor, name):
    assert exactly(visitor, f"/static/{name}")[0] == 404


@pytest.mark.parametrize(
    "query", ["view=all", "offset=-1", "limit=x", "view=class&class=99", "view=class", "limit=1e3"]
)
def test_odd_questions_are_refused(visitor, query):
    assert visitor.get(f"/api/cards?{query}").status_code in (400, 409)


BODIES = {
    "no JSON": b"{'id': 1}",
    "nothing": b"",
    "a torn object": b'{"id": "1", "kind": "label"',
    "not UTF-8": b'{"id": "\xff"}',
    "a deep nest": b"[" * 100_000,
    "a list": b"[]",
    "a huge number": b'{"id":"1","kind":"label","nodes":[' + b"9" * 5000 + b'],"label":"x"}',
    "not a number": b'{"id":"1","kind":"label","nodes":[NaN],"label":"x"}',
    "out of range": b'{"id":"1","kind":"label","nodes":[160],"label":"x"}',
    "negative": b'{"id":"1","kind":"label","nodes":[-1],"label":"x"}',
    "a float": b'{"id":"1","kind":"label","nodes":[1.5],"label":"x"}',
    "a long label": b'{"id":"1","kind":"label","nodes":[1],"label":"' + b"x" * 100_000 + b'"}',
    "half a character": b'{"id":"1","kind":"label","nodes":[1],"label":"\\ud800"}',
}


@pytest.mark.parametrize("name", BODIES)
def test_bad_bodies_are_refused_and_change_nothing(visitor, ground, name):
    before = without_map(visitor), (ground / "labels.jsonl").read_bytes()
    said = visitor.http.post(
        "/api/actions", content=BODIES[name], headers=visitor.headers | {"Content-Type": "application/json"}
    )
    assert said.status_code == 400
    assert said.json()["error"].endswith(".")
    assert (without_map(visitor), (ground / "labels.jsonl").read_bytes()) == before


def test_a_refused_action_is_a_conflict(visitor):
    said = visitor.post({"id": "1", "kind": "rename", "old": "owl", "new": "x"})
    assert (said.status_code, said.json()["error"]) == (409, "there is no class 'owl'; name one of those on the page.")


def test_hostile_names_come_back_as_text(client):
    name = "<img src=x onerror=alert(1)>\u202e" + "x" * 5000
    client.act("label", nodes=[3], label=name)
    assert client.state()["classes"][-1]["name"] == name
    said = client.get("/api/state")
    assert said.headers["content-type"] == "application/json"


def test_three_hundred_classes_are_shown(client):
    for number in range(300):
        client.act("class", name=f"class {number}")
    client.act("label", nodes=[9], label="class 299")
    state = client.wait()
    assert len(state["classes"]) == 304
    assert np.frombuffer(client.get("/api/points").content, dtype="<u2")[9] == 304 << 4 | 15


def test_events_tell_every_state_and_end_with_the_page(client, running):
    told = []

    def read():
        with (
            httpx.Client(base_url=client.origin, cookies=client.http.cookies, timeout=30) as other,
            other.stream("GET", "/api/events") as stream,
        ):
            assert stream.headers["content-type"].startswith("text/event-stream")
            told.extend(json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))

    thread = threading.Thread(target=read)
    thread.start()
    while not told:
        time.sleep(0.01)
    client.act("label", nodes=[3], label="owl")
    client.wait()
    running.close()
    thread.join(20)
    assert not thread.is_alive()
    assert told[0]["seq"] == 0
    assert told[-1]["seq"] == 1
    assert [each["version"] for each in told] == sorted(each["version"] for each in told)


def test_saving_and_exporting(client, tmp_path):
    said = client.post({}, "/api/save")
    assert said.json() == {"saved": "result.csv"}
    export = client.get("/api/export/csv")
    assert export.content == (tmp_path / "result.csv").read_bytes()
    assert export.headers["content-disposition"] == 'attachment; filename="result.csv"'
    assert client.get("/api/export/given").text.splitlines()[0] == "id,label"
    assert client.get("/api/export/exe").status_code == 404


def test_a_full_disk_is_told_and_nothing_is_changed(client, running, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    before = without_map(client)
    monkeypatch.setattr("fewlabels.web.journal.os.fsync", fail)
    said = client.post({"id": "1", "kind": "skip", "node": 3})
    assert said.status_code == 507
    assert "No space left on device" in said.json()["error"]
    monkeypatch.undo()
    assert without_map(client) == before
