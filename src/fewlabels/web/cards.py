"""Cards: what the page shows of some points, view by view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from fewlabels.web.board import RefusedError
from fewlabels.web.checking import wilson
from fewlabels.web.session import Session

__all__ = ["VIEWS", "card", "cards", "check_card", "found"]

VIEWS = ("next", "unsure", "slips", "class")


def card(session: Session, row: int) -> dict[str, Any]:
    """Return the card of one point."""
    with session.lock:
        return _cards(session, [row])[0]


def cards(session: Session, view: str, code: int, offset: int, limit: int, reverse: bool) -> dict[str, Any]:
    """Return some cards of a view, and how many there are."""
    with session.lock:
        snapshot, version, board = session.snapshot, session.version, session.board
        numbers = _numbers(session, code) if view == "class" else frozenset()
        slips = [row for row, number in snapshot.slips.items() if _still(session, row, number)]
        asked = [row for row in session.asked if not board.knows(row)]
    rows: Sequence[int]
    match view:
        case "next":
            rows, total = asked[offset : offset + limit], len(asked)
        case "slips":
            rows, total = slips[offset : offset + limit], len(slips)
        case "unsure":
            known = (int(row) for row in snapshot.unsure if not board.knows(row))
            rows = list(islice(known, offset, offset + limit))
            total = session.n_free() if snapshot.known else 0
        case _:
            order = snapshot.of_classes(numbers)
            order = order[::-1] if reverse else order
            rows, total = order[offset : offset + limit].tolist(), len(order)
    with session.lock:
        return {"version": version, "cards": _cards(session, rows), "total": total}


def found(session: Session, words: str, limit: int) -> dict[str, Any]:
    """Return cards of the points whose id or text contains some words, and how many there are."""
    rows = list(session.points.found(words))
    with session.lock:
        return {"cards": _cards(session, rows[:limit]), "total": len(rows)}


def check_card(session: Session) -> dict[str, Any]:
    """Return the next point to check by, without any guess, and how many of those checked the answer has right."""
    with session.lock:
        board, snapshot = session.board, session.snapshot
        row = session.to_check()
        blank = {"guess": 0, "confidence": None, "given": 0, "instead": 0}
        known = [(number, int(snapshot.classes[row])) for row, number in board.checked.items()]
        right = sum(shown >= 0 and board.now(shown) == number for number, shown in known)
        answered = bool(known) and session.version > 0
        return {
            "card": None if row is None else session.points.face(row) | blank,
            "checked": len(known),
            "right": right,
            "accuracy": right / len(known) if answered else None,
            "interval": list(wilson(right, len(known))) if answered else None,
        }


def _cards(session: Session, rows: Iterable[int]) -> list[dict[str, Any]]:
    board, snapshot, codes = session.board, session.snapshot, session.codes()
    made = []
    for row in rows:
        shown, given = int(snapshot.classes[row]), board.given.get(row)
        guess = int(codes[shown]) if shown >= 0 else 0
        instead = snapshot.slips.get(row)
        made.append(
            session.points.face(row)
            | {
                "guess": guess,
                "confidence": round(float(snapshot.confidence[row]), 4) if guess else None,
                "given": 0 if given is None else int(codes[given]),
                "instead": 0 if instead is None else int(codes[instead]),
            }
        )
    return made


def _numbers(session: Session, code: int) -> frozenset[int]:
    """Return the numbers of all classes that are the one with this code by now."""
    if not 1 <= code <= len(session.board.names):
        raise RefusedError(f"there is no class with code {code}; give one of those in the state.")
    return frozenset((session.codes() == code).nonzero()[0].tolist())


def _still(session: Session, row: int, instead: int) -> bool:
    """Tell whether a label that the rest contradicted is still given and still another."""
    given = session.board.given.get(row)
    return given is not None and session.board.now(instead) not in (None, given)
