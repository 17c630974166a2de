import pytest

from fewlabels.web.actions import MOST_CHARACTERS, MalformedError, parsed

LABEL = {"id": "1", "kind": "label", "nodes": [0], "label": "cat"}


def test_every_kind_is_taken_with_what_it_needs_and_nothing_else():
    bodies = [
        LABEL,
        {"id": "2", "kind": "unlabel", "nodes": [0, 4]},
        {"id": "3", "kind": "skip", "node": 4},
        {"id": "4", "kind": "rename", "old": "cat", "new": "dog"},
        {"id": "5", "kind": "merge", "classes": ["a", "b"], "into": "c"},
        {"id": "6", "kind": "class", "name": "owl"},
        {"id": "7", "kind": "undo"},
        {"id": "8", "kind": "check", "node": 1, "label": "cat"},
    ]
    for body in bodies:
        assert parsed(body | {"seq": 9, "html": "<b>"}, 5).line() == body


def test_names_are_trimmed_and_may_be_hostile_text():
    for name in ("<img src=x onerror=alert(1)>", "\u202eright to left", "x" * MOST_CHARACTERS, "='a'!A1", "-1"):
        assert parsed(LABEL | {"label": f"  {name} "}, 5).fields["label"] == name


BAD = {
    "no object": [1],
    "nothing": None,
    "no kind": {"id": "1"},
    "unknown kind": LABEL | {"kind": "delete"},
    "kind that is no text": LABEL | {"kind": ["label"]},
    "no id": {"kind": "undo"},
    "id that is a number": LABEL | {"id": 7},
    "long id": LABEL | {"id": "x" * 101},
    "empty id": LABEL | {"id": ""},
    "id with a line break": LABEL | {"id": "a\nb"},
    "no nodes": {"id": "1", "kind": "label", "label": "cat"},
    "nodes that are no list": LABEL | {"nodes": 3},
    "empty nodes": LABEL | {"nodes": []},
    "node out of range": LABEL | {"nodes": [5]},
    "negative node": LABEL | {"nodes": [-1]},
    "node that is a float": LABEL | {"nodes": [1.0]},
    "node that is true": LABEL | {"nodes": [True]},
    "node that is text": LABEL | {"nodes": ["1"]},
    "node twice": LABEL | {"nodes": [1, 1]},
    "huge node": LABEL | {"nodes": [10**30]},
    "empty label": LABEL | {"label": "  "},
    "label that is a number": LABEL | {"label": 3},
    "long label": LABEL | {"label": "x" * 100_000},
    "half a character": LABEL | {"label": "\ud800"},
    "no classes": {"id": "1", "kind": "merge", "classes": [], "into": "x"},
    "classes that are text": {"id": "1", "kind": "merge", "classes": "ab", "into": "x"},
}


@pytest.mark.parametrize("name", BAD)
def test_what_no_page_would_send_is_refused(name):
    with pytest.raises(MalformedError, match=r"\.$"):
        parsed(BAD[name], 5)
