import json
import threading
import time

import numpy as np
import pytest

from fewlabels import Graph, LabelingLoop
from fewlabels.web import worker as module
from fewlabels.web.worker import ASKED, Worker


@pytest.fixture(name="working")
def _working(open_session):
    """Start a worker on a session, and end it after the test."""
    made = []

    def make(labels=None, journal="labels.jsonl"):
        session, plan = open_session(labels, journal)
        make.last = worker = Worker(session, plan)
        made.append((session, worker))
        worker.start()
        return session

    yield make
    for session, worker in made:
        session.close()
        assert worker.ended(20)


def until(session, true):
    end = time.monotonic() + 60
    while not true(told := json.loads(session.state())):
        assert time.monotonic() < end, told
        time.sleep(0.01)
    return told


def rested(told):
    return not (told["stale"] or told["solving"] or told["stage"])


def label(session, *rows, name="cat"):
    session.act({"id": f"{name} {rows} {session.seq}", "kind": "label", "nodes": list(rows), "label": name})


def test_labels_are_answered_for_as_the_loop_does(working):
    session = working({5: "ant", 45: "bee"})
    until(session, rested)
    label(session, 85, name="cat")
    label(session, 125, name="dog")
    until(session, rested)
    loop = LabelingLoop(Graph.from_features(session.points.X), "poisson")
    loop.label([5, 45, 85, 125], [0, 1, 2, 3])
    assert np.array_equal(session.snapshot.classes, loop.answer.labelled.labels)


def test_before_any_label_and_with_one_class_everything_still_works(working):
    session = working()
    told = until(session, lambda told: rested(told) and len(session.asked) >= ASKED)
    assert (told["version"], told["message"]) == (0, None)
    label(session, 5)
    told = until(session, rested)
    assert told["classes"] == [{"code": 1, "name": "cat", "slot": 0, "given": 1, "total": 160}]
    assert np.isfinite(session.snapshot.confidence).all()
    session.act({"id": "u", "kind": "undo"})
    told = until(session, rested)
    assert (told["classes"], told["given"]) == ([], [])
    assert not np.frombuffer(session.packed()[1], dtype="<u2").any()


def test_several_labels_that_come_during_a_solve_are_answered_for_together(working, monkeypatch):
    gate, targets = threading.Event(), []
    become = LabelingLoop.become

    def slowly(loop, labels):
        targets.append(len(labels))
        if len(targets) == 1:
            gate.wait(30)
        return become(loop, labels)

    monkeypatch.setattr(LabelingLoop, "become", slowly)
    session = working({5: "ant"})
    until(session, lambda told: told["solving"])
    start = time.perf_counter()
    for row in range(40, 60):
        label(session, row, name="bee")
    assert time.perf_counter() - start < 5  # nobody waited for the solve
    gate.set()
    until(session, rested)
    assert targets == [1, 21]


def test_what_is_asked_is_ready_and_leaves_out_what_was_skipped_or_checked(working):
    session = working({5: "ant", 45: "bee"})
    until(session, lambda told: rested(told) and session.asked)
    first, second = session.asked[:2]
    session.act({"id": "s", "kind": "skip", "node": first})
    session.act({"id": "c", "kind": "check", "node": second, "label": "ant"})
    label(session, 85, name="cat")
    before = session.asked
    until(session, lambda told: rested(told) and session.asked != before)
    assert not {first, second, 85} & set(session.asked)
    assert len(session.asked) >= ASKED


def test_what_is_asked_never_runs_out_before_the_points_do(working, monkeypatch):
    monkeypatch.setattr(module, "MOST_LEFT_OUT", 0)
    session = working({5: "ant", 45: "bee"})
    until(session, rested)
    for number in range(158):
        until(session, lambda told: session.n_asked() > 0)
        row = next(row for row in session.asked if not session.board.knows(row))
        session.act({"id": str(number), "kind": "skip", "node": row})
    assert session.n_free() == 0
    until(session, rested)


def test_a_refused_solve_is_told_and_the_page_goes_on(working, monkeypatch):
    session = working({5: "ant", 45: "bee"})
    until(session, rested)
    monkeypatch.setattr(LabelingLoop, "become", lambda *_: 1 / 0)
    label(session, 85)
    told = until(session, lambda told: told["message"])
    assert "unexpected ZeroDivisionError" in told["message"]
    assert told["version"] == 2
    monkeypatch.undo()
    label(session, 86)
    assert until(session, lambda told: rested(told) and not told["message"])["version"] == 3


def test_the_second_start_finds_neighbours_map_and_questions(working, open_session, monkeypatch, tmp_path):
    session = working()
    until(session, lambda told: rested(told) and session.asked and (tmp_path / "labels.jsonl.map.npz").exists())
    asked, places = session.asked, session.map
    session.close()
    monkeypatch.setattr(module, "NeighborSearch", None)
    monkeypatch.setattr(module, "drawing", None)
    again = working()
    until(again, lambda told: rested(told) and again.asked)
    assert again.asked == asked
    assert np.array_equal(again.map, places)


def test_data_without_a_graph_is_told_in_a_sentence(working, monkeypatch):
    def fail(*_, **__):
        raise MemoryError("too much")

    monkeypatch.setattr(module, "NeighborSearch", fail)
    session = working({5: "ant"})
    assert "MemoryError" in until(session, lambda told: told["message"])["message"]
    label(session, 9)
    assert session.seq == 1


def test_a_glance_is_shown_before_the_full_answer(working, monkeypatch):
    session = working({5: "ant", 45: "bee"})
    before = until(session, rested)["version"]
    shown, become = [], LabelingLoop.become

    def full(loop, labels):
        shown.append(session.version)
        return become(loop, labels)

    monkeypatch.setattr(LabelingLoop, "glance", lambda loop, labels: loop.answer)
    monkeypatch.setattr(LabelingLoop, "become", full)
    label(session, 85, name="bee")
    assert until(session, rested)["version"] == before + 2
    assert shown == [before + 1]


def test_a_label_that_comes_after_an_answer_goes_before_what_to_ask_next(working, monkeypatch):
    monkeypatch.setattr(module, "BREATH", 60.0)
    session = working({5: "ant", 45: "bee"})
    until(session, lambda told: rested(told) and len(session.asked) >= ASKED)
    asked = []
    monkeypatch.setattr(LabelingLoop, "suggest", lambda self, n: asked.append(n))
    for row, name in ((85, "cat"), (125, "dog")):
        version = session.version
        label(session, row, name=name)
        until(session, lambda told, version=version: rested(told) and session.version > version)
    assert not asked


def test_a_session_that_is_closed_at_any_moment_ends_its_worker(working, monkeypatch):
    session = working({5: "ant", 45: "bee"})
    until(session, lambda told: rested(told) and len(session.asked) >= ASKED)
    is_set = session.closed.is_set

    def closed_right_after_the_look():
        told = is_set()
        monkeypatch.undo()
        if not told:
            session.close()
        return told

    monkeypatch.setattr(session.closed, "is_set", closed_right_after_the_look)
    session._work.set()
    assert working.last.ended(20)
