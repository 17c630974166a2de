"""A labelling session: actions go into the journal at once, answers come from the worker when they are ready.

Nothing here waits for a solve. The lock is held for as long as it takes to put a line on disk.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.web.actions import Action, parsed
from fewlabels.web.board import Board
from fewlabels.web.checking import random_order
from fewlabels.web.journal import Journal
from fewlabels.web.points import Points
from fewlabels.web.snapshot import Snapshot

__all__ = ["Session"]


class Session:
    """What the page shows and what was done on it.

    Parameters
    ----------
    points : Points
    labels : dict from row to name
        Labels that were there before; never changed where they came from.
    journal : Journal
    checksum : str
        Of the features, in hexadecimal: the random order of checking belongs to the data.
    out : str, optional
        The name of the file that results are saved to.
    """

    def __init__(
        self, points: Points, labels: dict[int, str], journal: Journal, checksum: str, out: str | None = None
    ) -> None:
        self.points, self.out = points, out
        self.board = Board(labels)
        self.lock = threading.RLock()
        self.closed = threading.Event()
        self.snapshot, self.version = Snapshot(points.n), 0
        self.asked: list[int] = []
        self.map: NDArray[np.float32] | None = None
        self._map_version, self._stage, self._message = 0, ("getting ready", 0.0), ""
        self._ready = self._solving = False
        self._journal, self._order = journal, random_order(points.n, checksum)
        self._seen: dict[str, int] = {}
        self._solved = self._sent = 0
        self._listeners: list[Callable[[], None]] = []
        self._state: bytes | None = None
        self._packed: tuple[tuple[int, int], bytes] | None = None
        self._work = threading.Event()
        self._replay()

    # what people do

    def act(self, body: object) -> int:
        """Do an action and return its number, after it is on disk; one that was done already is not done twice."""
        action = parsed(body, self.points.n)
        with self.lock:
            if action.id in self._seen:
                return self._seen[action.id]
            planned = self.board.planned(action)
            self._journal.append({"seq": len(self._seen) + 1, **action.line()})
            self._seen[action.id] = len(self._seen) + 1
            names = dict(self.board.names)
            self.board.put(planned)
            if self.version and names != self.board.names:
                self.version += 1
            seq = self._seen[action.id]
        self._work.set()
        self.changed()
        return seq

    def state(self) -> bytes:
        """Return the state as JSON."""
        with self.lock:
            if self._state is None:
                self._state = json.dumps(self._told(), ensure_ascii=False, separators=(",", ":")).encode()
            return self._state

    def packed(self) -> tuple[int, bytes]:
        """Return the version and two bytes a point."""
        with self.lock:
            key, snapshot = (self.version, len(self._seen)), self.snapshot
            if self._packed is not None and self._packed[0] == key:
                return key[0], self._packed[1]
            codes, given = self.codes(), dict(self.board.given)
        data = snapshot.packed(codes, given)
        with self.lock:
            self._packed = (key, data)
        return key[0], data

    def codes(self) -> NDArray[np.int64]:
        """Return the place in the list of the page, from 1, of every class that ever was; zero where it is gone."""
        place: dict[int | None, int] = {number: code for code, number in enumerate(self.board.classes, start=1)}
        return np.array([place.get(self.board.now(number), 0) for number in range(self.board.made)] or [0])

    def unseen(self, count: int) -> list[int]:
        """Return points that nobody has dealt with, in the random order of the data; fewer where few are left."""
        with self.lock:
            return list(islice((row for row in map(int, self._order) if not self.board.knows(row)), count))

    def to_check(self) -> int | None:
        """Return the next point to check by, in the random order of the data, None where all have a label.

        Those that were skipped are among them: without the hard ones, the accuracy would be too good.
        """
        with self.lock:
            return next((row for row in map(int, self._order) if not self.board.has_label(row)), None)

    # what the worker does

    def wanted(self) -> tuple[int, dict[int, int]]:
        """Return which change of the labels is the last, and the labels to answer for, as numbers of classes."""
        with self.lock:
            return self.board.changes, dict(self.board.given)

    def left_out(self) -> set[int]:
        """Return the points that are not to be asked about."""
        with self.lock:
            return {*self.board.skipped, *self.board.checked, *self.board.given}

    def n_asked(self) -> int:
        """Return how many points are ready to be asked about."""
        with self.lock:
            return sum(not self.board.knows(row) for row in self.asked)

    def n_free(self) -> int:
        """Return how many points could be asked about."""
        return self.points.n - len(self.left_out())

    @property
    def seq(self) -> int:
        """How many actions there were."""
        return len(self._seen)

    def wait(self, seconds: float | None = None) -> None:
        """Wait until there is something to do, or the session is closed."""
        self._work.wait(seconds)
        self._work.clear()

    def solving(self) -> None:
        """Say that an answer is being worked out."""
        self._solving = True
        self.changed()

    def show(self, snapshot: Snapshot) -> None:
        """Show a first answer, while a better one is being worked out."""
        with self.lock:
            self.snapshot, self.version = snapshot, self.version + 1
        self.changed()

    def publish(self, change: int, snapshot: Snapshot | None, message: str = "") -> None:
        """Show an answer, or say why there is none for these labels."""
        with self.lock:
            self._solving, self._solved, self._message = False, change, message
            if snapshot is not None and (self.version or snapshot.known):
                self.snapshot, self.version = snapshot, self.version + 1
        self.changed()

    def ask(self, rows: Sequence[int]) -> None:
        """Say what to label next."""
        with self.lock:
            self.asked = list(rows)
        self.changed()

    def staged(self, what: str, done: float) -> None:
        """Say how far the work before the first answer is."""
        before, self._stage = self._stage, (what, done)
        if before[0] != what or abs(done - before[1]) >= 0.01 or done < before[1]:
            self.changed()

    def ready(self) -> None:
        """Say that the graph is there."""
        self._ready = True
        self.changed()

    def placed(self, where: NDArray[np.float32]) -> None:
        """Show a better map."""
        with self.lock:
            self.map, self._map_version = where, self._map_version + 1
        self.changed()

    @property
    def map_version(self) -> int:
        """How many maps were shown."""
        return self._map_version

    def tell(self, message: str) -> None:
        """Show a sentence."""
        self._message = message
        self.changed()

    # who listens

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a function, from any thread, at every change; return what ends that."""
        with self.lock:
            self._listeners.append(listener)

        def end() -> None:
            with self.lock:
                self._listeners.remove(listener)

        return end

    def changed(self) -> None:
        """Tell those who listen."""
        with self.lock:
            self._state = None
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def close(self) -> None:
        """End the session: everything is on disk already."""
        with self.lock:
            self.closed.set()
            self._journal.close()
        self._work.set()
        self.changed()

    def _told(self) -> dict[str, Any]:
        board, codes = self.board, self.codes()
        rows = np.fromiter(board.given, dtype=np.int64, count=len(board.given))
        labels = codes[np.fromiter(board.given.values(), dtype=np.int64, count=len(board.given))]
        shown, counts = self.snapshot.classes[rows], self.snapshot.counts
        given = np.bincount(labels, minlength=len(board.names) + 1)
        total = given - np.bincount(codes[shown[shown >= 0]], minlength=given.size)
        np.add.at(total, codes[: counts.size], counts)
        stage = None if self._ready and self.map is not None else {"what": self._stage[0], "done": self._stage[1]}
        return {
            "version": self.version,
            "seq": len(self._seen),
            "n": self.points.n,
            "title": self.points.title,
            "kind": self.points.kind,
            "classes": [
                {
                    "code": code,
                    "name": board.names[number],
                    "slot": board.slots[number],
                    "given": int(given[code]),
                    "total": int(total[code]),
                }
                for code, number in enumerate(board.classes, start=1)
            ],
            "given": np.column_stack([rows, labels]).tolist(),
            "checked": list(board.checked),
            "solving": self._solving,
            "stale": self._solved != board.changes,
            "stage": stage,
            "map": self._map_version,
            "undo": board.can_undo,
            "out": self.out,
            "message": self._message or None,
        }

    def _replay(self) -> None:
        """Do again what the journal says."""
        for number, entry in enumerate(self._journal.entries, start=1):
            try:
                if entry.get("seq") != number:
                    raise FewlabelsError("a line is missing")
                action: Action = parsed(entry, self.points.n)
                self.board.make(action)
            except FewlabelsError as error:
                said = str(error).rstrip(".")
                raise FewlabelsError(
                    f"{self._journal.path}: line {number + 1} does not follow from those before it ({said}); restore "
                    "the file from a copy, or choose another (journal=, --journal)."
                ) from None
            self._seen[action.id] = number
        self._journal.entries.clear()
