"""The worker: a thread that makes the graph, then answers for the newest labels, then thinks of what to ask next.

Labels that come while it solves are answered for together. A second thread draws the map meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fewlabels.atlas import drawing
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.loop import LabelingLoop
from fewlabels.methods import Method
from fewlabels.neighbors import NeighborSearch
from fewlabels.progress import heard_by
from fewlabels.web.memory import give_back
from fewlabels.web.session import Session
from fewlabels.web.snapshot import Snapshot
from fewlabels.web.store import Store

__all__ = ["Neighbourhood", "Plan", "Worker"]

ASKED = 16
"""Points that are ready to be asked about, so that no key waits."""

FEWEST_READY = 8
"""With fewer, what to ask next comes before the next answer."""

MOST_LEFT_OUT = 200
"""Skipped points that are asked for in excess, since they would be suggested again."""


BETWEEN_MAPS = 1.0
"""Seconds from one map that is shown to the next."""

BREATH = 0.25
"""Seconds between an answer and thinking of what to ask next: the window draws, and a label that comes goes first."""

PATIENCE = 1.0
"""Seconds that the map waits for an answer that is being worked out, before it goes on."""


@dataclass(frozen=True)
class Neighbourhood:
    """How points are connected."""

    n_neighbors: int = 10
    metric: str = "euclidean"
    search: str = "auto"
    weights: str = "gaussian"


@dataclass(frozen=True, eq=False)
class Plan:
    """How the graph is made, or one that is there already, and the method that answers."""

    X: Any
    method: Method
    store: Store
    near: Neighbourhood
    graph: Graph | None = None


class Worker:
    """The threads behind a session."""

    def __init__(self, session: Session, plan: Plan) -> None:
        self._session, self._plan = session, plan
        self._idle = threading.Event()
        self._threads = [threading.Thread(target=self._run, name="fewlabels-page", daemon=True)]

    def start(self) -> None:
        """Begin."""
        self._threads[0].start()

    def ended(self, seconds: float) -> bool:
        """Wait until the threads have ended, at most so long for each; tell whether they have."""
        for thread in list(self._threads):
            thread.join(seconds)
        return not any(thread.is_alive() for thread in self._threads)

    def _run(self) -> None:
        try:
            graph = self._graph()
            self._show_map(graph)
            self._go_on(LabelingLoop(graph, self._plan.method))
        except _ClosedError:
            return
        except Exception as error:
            self._session.tell(_sentence(error))
        finally:
            self._idle.set()

    def _go_on(self, loop: LabelingLoop) -> None:
        """Answer and ask until the session is closed."""
        session = self._session
        session.ready()
        first = self._plan.store.asked(session.points.n)
        session.ask(first)
        answered, asked, seq = -1, 0 if first else -1, 0
        while True:
            session.wait(0.0)  # what is wanted is looked at next: only what comes later is news
            if session.closed.is_set():
                return
            change, given = session.wanted()
            short = session.n_asked() < FEWEST_READY
            if change != answered and not (short and answered > asked):
                self._answer(loop, change, given)
                answered = change
                if not short:
                    session.wait(BREATH)
            elif asked != answered or (short and session.seq != seq):
                seq, asked = session.seq, answered
                self._ask(loop)
            else:
                self._idle.set()
                give_back()
                session.wait()
                self._idle.clear()

    def _graph(self) -> Graph:
        plan, how, session = self._plan, self._plan.near, self._session
        if plan.graph is not None:
            return plan.graph
        near = plan.store.neighbors()
        if near is None:
            session.staged("finding neighbours", 0.0)
            with heard_by(self._heard):
                near = NeighborSearch(plan.X, metric=how.metric, search=how.search).among_themselves(how.n_neighbors)
            plan.store.keep_neighbors(near)
        session.staged("connecting the points", 0.0)
        return Graph.from_neighbors(near, weights=how.weights)

    def _heard(self, what: str, done: float) -> None:
        if self._session.closed.is_set():
            raise _ClosedError
        self._session.staged(what, done)

    def _show_map(self, graph: Graph) -> None:
        """Show the map that is kept, or begin to draw one."""
        where = self._plan.store.map(graph)
        if where is not None:
            self._session.placed(where)
            return
        self._session.staged("drawing the map", 0.0)
        self._threads.append(threading.Thread(target=self._draw, args=(graph,), name="fewlabels-map", daemon=True))
        self._threads[-1].start()

    def _draw(self, graph: Graph) -> None:
        """Show maps that get better, and keep the last; answers go first."""
        where, shown = None, 0.0
        try:
            for where in drawing(graph):
                if self._session.closed.is_set():
                    return
                if not shown or time.monotonic() - shown >= BETWEEN_MAPS:
                    self._session.placed(where)
                    shown = time.monotonic()
                self._idle.wait(PATIENCE)
        except Exception as error:
            self._session.tell(_sentence(error))
        if where is not None:
            self._session.placed(where)
            self._plan.store.keep_map(graph, where)

    def _answer(self, loop: LabelingLoop, change: int, given: dict[int, int]) -> None:
        if not given and not loop.labels:
            self._session.publish(change, None)
            return
        self._session.solving()
        first, _ = self._tried(lambda: loop.glance(given) if given != loop.labels else None)
        if first is not None:
            self._session.show(Snapshot(self._session.points.n, first))
        snapshot, said = self._tried(lambda: self._solved(loop, given))
        self._session.publish(change, snapshot, said)

    def _solved(self, loop: LabelingLoop, given: dict[int, int]) -> Snapshot:
        if given != loop.labels:
            loop.become(given)
        return Snapshot(self._session.points.n, loop.answer)

    def _ask(self, loop: LabelingLoop) -> None:
        left_out = self._session.left_out()
        beside = min(len(left_out - loop.labels.keys()), MOST_LEFT_OUT)
        rows, said = self._tried(lambda: loop.suggest(ASKED + beside).tolist())
        ready = [row for row in rows or [] if row not in left_out]
        if len(ready) < ASKED:
            ready += [row for row in self._session.unseen(2 * ASKED) if row not in ready][: ASKED - len(ready)]
        self._session.ask(ready)
        self._plan.store.keep_asked(ready)
        if said:
            self._session.tell(said)

    @staticmethod
    def _tried(work: Callable[[], Any]) -> tuple[Any, str]:
        """Return what some work gives, or None and a sentence about what went wrong: the page goes on."""
        try:
            return work(), ""
        except Exception as error:
            return None, _sentence(error)


class _ClosedError(Exception):
    """The page was closed while the graph was being made."""


def _sentence(error: Exception) -> str:
    if isinstance(error, FewlabelsError):
        return str(error)
    return f"unexpected {type(error).__name__}: {error}; the labels are kept, start the page again."
