import json
import threading

import numpy as np
import pytest

from fewlabels import FewlabelsError, Graph, LabelingLoop
from fewlabels.web.board import RefusedError
from fewlabels.web.session import Session
from fewlabels.web.snapshot import Snapshot


def body(number, kind="label", **fields):
    return {"id": str(number), "kind": kind} | (fields or {"nodes": [number], "label": "cat"})


def state(session):
    return json.loads(session.state())


def solve(session):
    """Answer as the worker would, at once."""
    change, given = session.wanted()
    loop = LabelingLoop(Graph.from_features(session.points.X), "poisson")
    loop.become(given)
    session.publish(change, Snapshot(session.points.n, loop.answer))


def test_an_action_with_the_same_id_is_not_done_twice_not_even_after_a_restart(open_session):
    session, _ = open_session()
    assert [session.act(body(1)), session.act(body(2)), session.act(body(1))] == [1, 2, 1]
    assert session.act(body(2, nodes=[9], label="dog")) == 2
    session.close()
    again, _ = open_session()
    assert again.act(body(1)) == 1
    assert again.act(body(3)) == 3
    assert again.board.labels() == {1: "cat", 2: "cat", 3: "cat"}


def test_a_refused_action_leaves_no_line(open_session, tmp_path):
    session, _ = open_session({5: "ant"})
    before, told = (tmp_path / "labels.jsonl").read_bytes(), state(session)
    for bad in (
        body(1, "undo", x=1),
        body(2, "rename", old="owl", new="x"),
        {"kind": "undo"},
        body(3, nodes=[999], label="x"),
    ):
        with pytest.raises(FewlabelsError):
            session.act(bad)
    assert (tmp_path / "labels.jsonl").read_bytes() == before
    assert state(session) == told
    with pytest.raises(RefusedError):
        session.act(body(1, "undo", x=1))


def test_undo_goes_back_to_the_labels_that_were_given_at_first_also_after_a_restart(open_session):
    session, _ = open_session({5: "ant"})
    session.act(body(1, nodes=[5], label="bee"))
    session.act(body(2, "rename", old="bee", new="wasp"))
    session.act(body(3, "skip", node=8))
    session.act(body(4, "check", node=9, label="ant"))
    session.act(body(5, "merge", classes=["ant", "wasp"], into="insect"))
    session.close()
    again, _ = open_session({5: "ant"})
    assert again.board.labels() == {5: "insect"}
    for number in range(6, 11):
        again.act(body(number, "undo", x=1))
    assert again.board.labels() == {5: "ant"}
    assert not state(again)["undo"]
    with pytest.raises(RefusedError):
        again.act(body(12, "undo", x=1))


@pytest.mark.parametrize("change", [{"seq": 7}, {"nodes": [999]}, {"kind": "unlabel", "nodes": [3]}, {"id": None}])
def test_a_journal_that_does_not_follow_is_refused_in_a_sentence(open_session, tmp_path, change):
    session, _ = open_session()
    session.act(body(1))
    session.act(body(2))
    session.close()
    path = tmp_path / "labels.jsonl"
    lines = path.read_text().splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | change)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(FewlabelsError, match="line 3 does not follow from those before it"):
        open_session()


def test_the_state_tells_what_is_given_at_once_and_what_follows_when_it_is_known(open_session):
    session, _ = open_session({5: "ant", 45: "bee"})
    before = state(session)
    assert (before["version"], before["stale"], before["stage"]["what"]) == (0, True, "getting ready")
    assert [c["total"] for c in before["classes"]] == [1, 1]
    solve(session)
    after = state(session)
    assert (after["version"], after["stale"]) == (1, False)
    assert sum(c["total"] for c in after["classes"]) == 160
    session.act(body(1, nodes=[85], label="cat"))
    newest = state(session)
    assert newest["stale"]
    assert newest["given"] == [[5, 1], [45, 2], [85, 3]]
    assert [c["total"] for c in newest["classes"]][2] == 1
    assert sum(c["total"] for c in newest["classes"]) == 160
    assert newest["version"] == 2  # the list of classes is another


def test_points_are_shown_with_the_newest_labels_and_the_newest_classes(open_session):
    session, _ = open_session({5: "ant", 45: "bee"})
    solve(session)

    def codes():
        return np.frombuffer(session.packed()[1], dtype="<u2") >> 4

    first = codes()
    assert set(first.tolist()) == {1, 2}
    session.act(body(1, nodes=[5], label="bee"))
    assert codes()[5] == 2
    session.act(body(2, "merge", classes=["bee", "ant"], into="all"))
    assert set(codes().tolist()) == {1}
    session.act(body(3, "undo", x=1))
    session.act(body(4, "undo", x=1))
    assert np.array_equal(codes(), first)


def test_who_listens_hears_of_every_change_until_the_end(open_session):
    session, _ = open_session()
    heard = []
    end = session.listen(lambda: heard.append(state(session)["seq"]))
    session.act(body(1))
    session.staged("finding neighbours", 0.5)
    session.staged("finding neighbours", 0.501)
    end()
    session.act(body(2))
    assert heard == [1, 1]


def test_actions_of_many_threads_are_all_kept_in_one_order(open_session, tmp_path):
    session, _ = open_session()
    seqs = []

    def work(first):
        seqs.extend(session.act(body(row)) for row in range(first, first + 20))

    threads = [threading.Thread(target=work, args=(first,)) for first in range(0, 100, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seqs) == list(range(1, 101))
    lines = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()[1:]]
    assert [line["seq"] for line in lines] == list(range(1, 101))


def test_a_closed_session_takes_no_more_actions(open_session):
    session, _ = open_session()
    session.close()
    with pytest.raises(FewlabelsError):
        session.act(body(1))
    assert isinstance(session, Session)
