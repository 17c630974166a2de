import copy
import random

import pytest

from fewlabels.web import board as module
from fewlabels.web.actions import Action
from fewlabels.web.board import Board, RefusedError


def do(board, kind, **fields):
    board.make(Action("x", kind, fields))


def seen(board):
    named = {name: sorted(rows) for name, rows in _rows(board).items()}
    return named, dict(board.skipped), {row: board.names[n] for row, n in board.checked.items()}


def _rows(board):
    rows = {name: [] for name in board.names.values()}
    for row, name in board.labels().items():
        rows[name].append(row)
    return rows


def test_labels_classes_and_skips_stand_where_they_were_put():
    board = Board({3: "cat"})
    do(board, "label", nodes=[1, 2], label="dog")
    do(board, "label", nodes=[2], label="cat")
    do(board, "skip", node=7)
    do(board, "class", name="owl")
    do(board, "unlabel", nodes=[3])
    assert seen(board) == ({"cat": [2], "dog": [1], "owl": []}, {7: True}, {})
    assert [board.names[number] for number in board.classes] == ["cat", "dog", "owl"]
    assert board.knows(7)
    assert not board.knows(3)


def test_a_rename_changes_a_name_alone_and_a_merge_leads_old_numbers_on():
    board = Board({0: "a", 1: "b", 2: "c"})
    a, b, c = board.classes
    do(board, "rename", old="a", new="A")
    assert board.changes == 1
    do(board, "merge", classes=["A", "b"], into="ab")
    assert board.labels() == {0: "ab", 1: "ab", 2: "c"}
    assert [board.now(number) for number in (a, b, c)] == [a, a, c]
    do(board, "merge", classes=["ab"], into="c")
    assert [board.now(number) for number in (a, b, c)] == [c, c, c]
    do(board, "undo")
    do(board, "undo")
    assert [board.now(number) for number in (a, b, c)] == [a, b, c]
    assert board.labels() == {0: "A", 1: "b", 2: "c"}


def test_a_number_is_never_used_again():
    board = Board()
    do(board, "label", nodes=[0], label="cat")
    do(board, "undo")
    do(board, "label", nodes=[0], label="dog")
    assert board.now(0) is None
    assert board.classes == [1]


def test_every_action_of_a_long_random_day_is_taken_back_one_by_one():
    rng, board, past = random.Random(0), Board({0: "a", 1: "b"}), []
    while len(past) < 400:
        names = [*board.names.values(), f"new {len(past)}"]
        name, other, rows = rng.choice(names), rng.choice(names), rng.sample(range(30), 3)
        kind, fields = rng.choice(
            [
                ("label", {"nodes": rows, "label": name}),
                ("unlabel", {"nodes": rows[:1]}),
                ("skip", {"node": rows[0]}),
                ("check", {"node": rows[0], "label": name}),
                ("rename", {"old": name, "new": other}),
                ("merge", {"classes": [name, other], "into": rng.choice(names)}),
                ("class", {"name": name}),
            ]
        )
        before = copy.deepcopy(seen(board))
        try:
            do(board, kind, **fields)
            past.append(before)
        except RefusedError:
            assert seen(board) == before
    for before in reversed(past):
        do(board, "undo")
        assert seen(board) == before
    assert not board.can_undo


REFUSED = [
    ("undo", {}, "nothing to take back"),
    ("unlabel", {"nodes": [9]}, "row 9 has no label"),
    ("rename", {"old": "owl", "new": "x"}, "no class 'owl'"),
    ("rename", {"old": "a", "new": "b"}, "merge the two"),
    ("merge", {"classes": ["a", "owl"], "into": "x"}, "no class 'owl'"),
    ("class", {"name": "a"}, "already"),
    ("check", {"node": 0, "label": "a"}, "learnt from"),
]


@pytest.mark.parametrize(("kind", "fields", "said"), REFUSED)
def test_what_makes_no_sense_is_refused_and_changes_nothing(kind, fields, said):
    board = Board({0: "a", 1: "b"})
    before = seen(board)
    with pytest.raises(RefusedError, match=said):
        do(board, kind, **fields)
    assert seen(board) == before
    assert not board.can_undo


def test_points_to_check_by_are_never_learnt_from():
    board = Board({0: "a"})
    do(board, "check", node=4, label="b")
    do(board, "label", nodes=[3, 4], label="a")
    assert board.labels() == {0: "a", 3: "a"}
    with pytest.raises(RefusedError, match="kept for checking"):
        do(board, "label", nodes=[4], label="a")


def test_more_classes_than_two_bytes_hold_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_CLASSES", 2)
    board = Board({0: "a", 1: "b"})
    with pytest.raises(RefusedError, match="as many as there can be"):
        do(board, "label", nodes=[2], label="c")
    do(board, "label", nodes=[2], label="a")


def test_a_class_keeps_its_slot_when_others_go_and_a_new_one_takes_the_lowest_that_is_free():
    board = Board({0: "a", 1: "b", 2: "c"})

    def slots():
        return {board.names[number]: board.slots[number] for number in board.classes}

    assert slots() == {"a": 0, "b": 1, "c": 2}
    do(board, "merge", classes=["b"], into="a")
    assert slots() == {"a": 0, "c": 2}
    do(board, "rename", old="c", new="d")
    do(board, "label", nodes=[4], label="e")
    assert slots() == {"a": 0, "d": 2, "e": 1}
    for _ in range(3):
        do(board, "undo")
    assert slots() == {"a": 0, "b": 1, "c": 2}


def test_names_that_nobody_can_read_are_refused_unless_the_labels_brought_them_along():
    board = Board({0: "a\tb", 1: "c"})
    do(board, "label", nodes=[2], label="a\tb")
    do(board, "rename", old="a\tb", new="a b")
    do(board, "undo")
    for kind, fields in (
        ("label", {"nodes": [3], "label": "x\ny"}),
        ("class", {"name": "x\ty"}),
        ("rename", {"old": "c", "new": "x\x01"}),
        ("merge", {"classes": ["c"], "into": "x\ny"}),
    ):
        with pytest.raises(RefusedError, match="control characters"):
            do(board, kind, **fields)
    do(board, "merge", classes=["a\tb"], into="c")
    assert board.labels() == {0: "c", 1: "c", 2: "c"}
