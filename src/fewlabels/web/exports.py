"""Results of a session: a label for every point, or the given labels alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import IO, Any

import numpy as np

from fewlabels.files import replacing
from fewlabels.tabular import write_rows
from fewlabels.web.board import Board, RefusedError
from fewlabels.web.session import Session

__all__ = ["result", "result_into", "save_result"]


def save_result(session: Session, path: Any) -> None:
    """Write the result, whole or not at all."""
    _need_an_answer(session)
    with replacing(path) as file:
        result_into(file, session, path.suffix.lower())


def result(session: Session, kind: str) -> bytes:
    """Return the result as the bytes of a file: "csv", "parquet", or "given" for the given labels alone."""
    file = io.BytesIO()
    if kind == "given":
        _given_into(file, session)
    else:
        _need_an_answer(session)
        result_into(file, session, f".{kind}")
    return file.getvalue()


def result_into(file: IO[bytes], session: Session, ending: str) -> None:
    """Write one row per point; a label that a person gave, to learn from or to check by, stands as it was given."""
    with session.lock:
        board, snapshot, points = session.board, session.snapshot, session.points
        said = {**board.given, **board.checked}
        names = [*(_name(board, number) for number in range(board.made)), ""]
    classes, confidence = snapshot.classes.copy(), snapshot.confidence.astype(np.float64)
    reached = snapshot.reached.copy()
    rows = np.fromiter(said, dtype=np.int64, count=len(said))
    classes[rows], confidence[rows] = np.fromiter(said.values(), dtype=np.int64, count=len(said)), 1.0
    reached[rows] = True
    ids: Sequence[Any] = range(points.n) if points.ids is None else points.ids
    write_rows(file, ending, ids, np.array(names, dtype=object)[classes], confidence, reached)


def _need_an_answer(session: Session) -> None:
    if session.version == 0:
        raise RefusedError("there is no answer yet; label some points, and wait until the map is coloured.")


def _name(board: Board, number: int) -> str:
    now = board.now(number)
    return "" if now is None else board.names[now]


def _given_into(file: IO[bytes], session: Session) -> None:
    with session.lock:
        labels, points = session.board.labels(), session.points
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    odd = any("\r" in str(cell) for cell in points.ids or ())
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL)
    writer.writerow(["row" if points.ids is None else "id", "label"])
    writer.writerows((row if points.ids is None else points.ids[row], labels[row]) for row in sorted(labels))
    text.flush()
    text.detach()
