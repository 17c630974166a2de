"""What a person does on the page: actions as they come over the wire, checked before anything else sees them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fewlabels.errors import FewlabelsError

__all__ = ["Action", "MalformedError", "parsed"]

MOST_CHARACTERS, MOST_OF_ID = 10_000, 100
"""Of the name of a class, and of the number that a client gives an action."""

FIELDS: dict[str, tuple[str, ...]] = {
    "label": ("nodes", "label"),
    "unlabel": ("nodes",),
    "skip": ("node",),
    "rename": ("old", "new"),
    "merge": ("classes", "into"),
    "class": ("name",),
    "undo": (),
    "check": ("node", "label"),
}
"""What each kind of action needs beside its id."""


class MalformedError(FewlabelsError):
    """A request that no page of ours would send."""


@dataclass(frozen=True)
class Action:
    """One action: who it is, of which kind, and what it needs; rows are checked, names are trimmed."""

    id: str
    kind: str
    fields: Mapping[str, Any]

    def line(self) -> dict[str, Any]:
        """Return the action as a line of the journal."""
        return {"id": self.id, "kind": self.kind, **self.fields}


def parsed(body: object, n_points: int) -> Action:
    """Return the action that a decoded JSON body stands for.

    Examples
    --------
    >>> parsed({"id": "a", "kind": "label", "nodes": [3], "label": " cat "}, 5).fields
    {'nodes': [3], 'label': 'cat'}
    """
    if not isinstance(body, dict):
        raise MalformedError("an action must be a JSON object with an id and a kind.")
    kind, number = body.get("kind"), body.get("id")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise MalformedError(f"an action is one of {', '.join(FIELDS)}; give one of them as its kind.")
    if not isinstance(number, str) or not 0 < len(number) <= MOST_OF_ID or not number.isprintable():
        raise MalformedError(f"an action needs an id of its own, a text of at most {MOST_OF_ID} characters.")
    missing = [name for name in FIELDS[kind] if name not in body]
    if missing:
        raise MalformedError(f"the action {kind} needs {missing[0]}.")
    return Action(number, kind, {name: _CHECKS[name](body[name], n_points) for name in FIELDS[kind]})


def _rows(value: object, n_points: int) -> list[int]:
    if not isinstance(value, list) or not value:
        raise MalformedError("nodes must be a list of row numbers, at least one.")
    rows = [_row(each, n_points) for each in value]
    if len(set(rows)) < len(rows):
        raise MalformedError("nodes must be different row numbers.")
    return rows


def _row(value: object, n_points: int) -> int:
    if type(value) is not int or not 0 <= value < n_points:
        raise MalformedError(f"a node must be a row number from 0 to {n_points - 1}.")
    return value


def _names(value: object, n_points: int) -> list[str]:
    if not isinstance(value, list) or not value:
        raise MalformedError("classes must be a list of names, at least one.")
    return list(dict.fromkeys(_name(each, n_points) for each in value))


def _name(value: object, _: int) -> str:
    name = value.strip() if isinstance(value, str) else ""
    if not 0 < len(name) <= MOST_CHARACTERS:
        raise MalformedError(f"the name of a class must be a text of 1 to {MOST_CHARACTERS:,} characters.")
    if any(unicodedata.category(character) == "Cs" for character in name):
        raise MalformedError("the name of a class has half a character in it; write it anew.")
    return name


_CHECKS: dict[str, Any] = {
    "nodes": _rows,
    "node": _row,
    "classes": _names,
    "label": _name,
    "old": _name,
    "new": _name,
    "into": _name,
    "name": _name,
}
