"""The board: which points have which label, and how to take every action back.

A class is known by a number that is never used again, so that a rename changes nothing but a name, and answers that
were found before a merge can still be shown after it. An action is first planned, which may be refused and changes
nothing, then made; making it tells what takes it back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from fewlabels.errors import FewlabelsError
from fewlabels.web.actions import Action

__all__ = ["MOST_CLASSES", "Board", "Patch", "RefusedError"]

MOST_CLASSES = 4095

K = TypeVar("K")
V = TypeVar("V")


class RefusedError(FewlabelsError):
    """An action that makes no sense at present; nothing was changed."""


@dataclass
class Patch:
    """New values, by what they are for; None where there is none any more."""

    given: dict[int, int | None] = field(default_factory=dict)
    checked: dict[int, int | None] = field(default_factory=dict)
    skipped: dict[int, bool | None] = field(default_factory=dict)
    names: dict[int, str | None] = field(default_factory=dict)
    merged: dict[int, int | None] = field(default_factory=dict)


class Board:
    """Labels as they stand.

    Attributes
    ----------
    given, checked : dict from row to number of a class
        Labels to learn from, and labels to check by.
    skipped : dict with rows as keys
    names : dict from number of a class to name
    merged : dict from number of a class that is gone to the one it went into
    slots : dict from number of a class to its place among keys and colours
        The lowest that was free when it came; it stays when others go, and after a restart.
    made : int
        How many classes there ever were.
    changes : int
        How often labels to learn from changed.

    Examples
    --------
    >>> board = Board({4: "cat"})
    >>> board.make(Action("1", "label", {"nodes": [7], "label": "dog"}))
    >>> board.labels()
    {4: 'cat', 7: 'dog'}
    >>> board.make(Action("2", "undo", {}))
    >>> board.labels()
    {4: 'cat'}
    """

    def __init__(self, labels: Mapping[int, str] | None = None) -> None:
        self.given: dict[int, int] = {}
        self.checked: dict[int, int] = {}
        self.skipped: dict[int, bool] = {}
        self.names: dict[int, str] = {}
        self.merged: dict[int, int] = {}
        self.slots: dict[int, int] = {}
        self.made = self.changes = 0
        self._numbers: dict[str, int] = {}
        self._back: list[Patch] = []
        labels = labels or {}
        self._put(Patch(names=dict(enumerate(sorted(set(labels.values()))))))
        self._put(Patch(given={row: self._numbers[name] for row, name in labels.items()}))

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return bool(self._back)

    @property
    def classes(self) -> list[int]:
        """The numbers of the classes, in the order in which they came."""
        return sorted(self.names)

    def labels(self) -> dict[int, str]:
        """Return the names of the labels to learn from, by row."""
        return {row: self.names[number] for row, number in self.given.items()}

    def now(self, number: int) -> int | None:
        """Return what became of a class: its own number, that of the class it was merged into, or None."""
        while number in self.merged:
            number = self.merged[number]
        return number if number in self.names else None

    def has_label(self, row: int) -> bool:
        """Tell whether a point has a label, to learn from or to check by."""
        return row in self.given or row in self.checked

    def knows(self, row: int) -> bool:
        """Tell whether a point was labelled, checked or skipped, and so is not asked about."""
        return self.has_label(row) or row in self.skipped

    def make(self, action: Action) -> None:
        """Do an action, or refuse it and change nothing."""
        self.put(self.planned(action))

    def planned(self, action: Action) -> Patch | None:
        """Return what an action would change, None for taking the last one back; change nothing."""
        of = action.fields
        match action.kind:
            case "undo":
                if not self._back:
                    raise RefusedError("there is nothing to take back.")
                return None
            case "label":
                return self._label(of["nodes"], of["label"])
            case "unlabel":
                return self._unlabel(of["nodes"])
            case "skip":
                return Patch(skipped={of["node"]: True})
            case "check":
                return self._check(of["node"], of["label"])
            case "rename":
                return self._rename(of["old"], of["new"])
            case "merge":
                return self._merge(of["classes"], of["into"])
            case _:
                return self._new_class(of["name"])

    def put(self, planned: Patch | None) -> None:
        """Make what was planned."""
        if planned is None:
            self._put(self._back.pop())
        else:
            self._back.append(self._put(planned))

    def _put(self, patch: Patch) -> Patch:
        """Set new values and return the old ones."""
        before = Patch(
            given=_set(self.given, patch.given),
            checked=_set(self.checked, patch.checked),
            skipped=_set(self.skipped, patch.skipped),
            names=_set(self.names, patch.names),
            merged=_set(self.merged, patch.merged),
        )
        self.changes += bool(patch.given)
        if patch.names:
            self._numbers = {name: number for number, name in self.names.items()}
            self.made = max(self.made, *(number + 1 for number in patch.names))
            self._place()
        return before

    def _place(self) -> None:
        """Give every new class a slot; what took that of one that is gone is taken back before the class itself is."""
        taken = {self.slots[number] for number in self.names if number in self.slots}
        free = (slot for slot in count() if slot not in taken)
        for number in self.classes:
            if number not in self.slots:
                self.slots[number] = next(free)

    def _with_class(self, name: str) -> tuple[int, Patch]:
        """Return the number of a class, and what makes it if there is none of that name."""
        if name in self._numbers:
            return self._numbers[name], Patch()
        if len(self.names) >= MOST_CLASSES:
            raise RefusedError(f"there are {MOST_CLASSES:,} classes, as many as there can be; merge some first.")
        _check_new(name)
        return self.made, Patch(names={self.made: name})

    def _label(self, rows: list[int], name: str) -> Patch:
        learnt_from = [row for row in rows if row not in self.checked]
        if not learnt_from:
            raise RefusedError(f"row {rows[0]} is kept for checking, and not learnt from; label another one.")
        number, patch = self._with_class(name)
        patch.given = dict.fromkeys(learnt_from, number)
        return patch

    def _unlabel(self, rows: list[int]) -> Patch:
        without = [row for row in rows if row not in self.given]
        if without:
            raise RefusedError(f"row {without[0]} has no label that could be taken back.")
        return Patch(given=dict.fromkeys(rows))

    def _check(self, row: int, name: str) -> Patch:
        if row in self.given:
            raise RefusedError(f"row {row} has a label that is learnt from; check another one.")
        number, patch = self._with_class(name)
        patch.checked = {row: number}
        return patch

    def _rename(self, old: str, new: str) -> Patch:
        number = self._known(old)
        if new in self._numbers:
            raise RefusedError(f"there is a class {new!r} already; merge the two to make them one.")
        _check_new(new)
        return Patch(names={number: new})

    def _merge(self, classes: list[str], into: str) -> Patch:
        numbers = [self._known(name) for name in classes]
        if into not in self._numbers:
            _check_new(into)
        target = self._numbers.get(into, numbers[0])
        gone = [number for number in numbers if number != target]
        return Patch(
            given=_where(self.given, gone, target),
            checked=_where(self.checked, gone, target),
            names={target: into, **dict.fromkeys(gone)},
            merged=dict.fromkeys(gone, target),
        )

    def _new_class(self, name: str) -> Patch:
        if name in self._numbers:
            raise RefusedError(f"there is a class {name!r} already.")
        return self._with_class(name)[1]

    def _known(self, name: str) -> int:
        if name not in self._numbers:
            raise RefusedError(f"there is no class {name!r}; name one of those on the page.")
        return self._numbers[name]


def _check_new(name: str) -> None:
    """Refuse what nobody can read in the name of a new class; those that labels brought along stay as they are."""
    if any(unicodedata.category(character) == "Cc" for character in name):
        raise RefusedError("the name of a class must have no line breaks or other control characters; write it anew.")


def _set(values: dict[K, V], new: Mapping[K, V | None]) -> dict[K, V | None]:
    """Set or remove values and return the old ones, in the order that brings them back as they were."""
    before: dict[K, V | None] = {}
    for key, value in new.items():
        before[key] = values.get(key)
        if value is None:
            values.pop(key, None)
        else:
            values[key] = value
    return before


def _where(values: Mapping[int, int], gone: Iterable[int], target: int) -> dict[int, int | None]:
    those = set(gone)
    return {row: target for row, number in values.items() if number in those}
