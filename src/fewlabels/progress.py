"""Progress of long work: silent in a library, a bar at the command line.

The core calls :func:`track` around its loops. Nothing is shown until a door
(the command line, or ``verbose=True``) opens :func:`shown`; then any loop that
lasts over a second gets a bar on standard error, or a line now and then where that
is not a terminal but a file.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

__all__ = ["heard_by", "interrupts_kept", "say", "shown", "track", "was_interrupted"]

T = TypeVar("T")

_SHOWN: ContextVar[bool] = ContextVar("fewlabels_progress_shown", default=False)

Listener = Callable[[str, float], None]
"""Is told what is being done, and which share of it is."""

_HEARD: ContextVar[Listener | None] = ContextVar("fewlabels_progress_heard", default=None)

QUIET_SECONDS = 1.0

LINE_SECONDS = 30.0
"""Between two lines about one loop, where standard error is a file."""


@contextmanager
def shown(visible: bool = True) -> Iterator[None]:
    """Show the progress of everything that runs inside the block."""
    token = _SHOWN.set(visible)
    try:
        yield
    finally:
        _SHOWN.reset(token)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Tell a listener how far the loops inside the block are.

    Examples
    --------
    >>> with heard_by(lambda what, done: print(what, done)):
    ...     _ = list(track("ab", "counting"))
    counting 0.0
    counting 0.5
    """
    token = _HEARD.set(listener)
    try:
        yield
    finally:
        _HEARD.reset(token)


def track(items: Iterable[T], what: str, total: int | None = None, *, rows: int | None = None) -> Iterator[T]:
    """Iterate over `items`, with a bar named `what` once a second has passed.

    Loops that end when they have converged pass an iterator, whose length nobody knows. With `rows`, every item stands
    for as many of so many rows, and these are what is shown.

    Examples
    --------
    >>> list(track([1, 2, 3], "counting"))
    [1, 2, 3]
    """
    listener = _HEARD.get()
    total = len(items) if total is None and isinstance(items, Sized) else total
    if listener is not None:
        yield from _told(items, what, total, listener)
        return
    if not _SHOWN.get():
        yield from items
        return
    for item in _with_bar(items, what, total, rows) if _draws_bars() else _with_lines(items, what, total, rows):
        _raise_kept_interrupt()
        yield item


def _draws_bars() -> bool:
    """Tell whether a line on standard error can be written over: at a terminal, or in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _with_bar(items: Iterable[T], what: str, total: int | None, rows: int | None) -> Iterable[T]:
    from tqdm import tqdm

    scale = {"unit": " rows", "unit_scale": rows / total} if rows and total else {}
    bar: Iterable[T] = tqdm(items, desc=what, total=total, delay=QUIET_SECONDS, leave=False, file=sys.stderr, **scale)
    return bar


def _with_lines(items: Iterable[T], what: str, total: int | None, rows: int | None) -> Iterator[T]:
    last = time.monotonic()
    for place, item in enumerate(items):
        if time.monotonic() - last >= LINE_SECONDS:
            if rows and total:
                say(f"{what}: {rows * place // total:,} of {rows:,} rows")
            else:
                say(f"{what}: {place:,}{f' of {total:,}' if total else ''}")
            last = time.monotonic()
        yield item


def _told(items: Iterable[T], what: str, total: int | None, listener: Listener) -> Iterator[T]:
    for place, item in enumerate(items):
        listener(what, place / total if total else 0.0)
        yield item


def say(sentence: str) -> None:
    """Print one line about the stage that begins, on standard error, where progress is shown."""
    _raise_kept_interrupt()
    if _SHOWN.get():
        sys.stderr.write(sentence + "\n")
        sys.stderr.flush()


_interrupted = threading.Event()


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Remember an interrupt inside the block: one that a library swallowed is raised again at the next step."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def note(*_: object) -> None:
        _interrupted.set()
        raise KeyboardInterrupt

    _interrupted.clear()
    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        _interrupted.clear()
        signal.signal(signal.SIGINT, before)
        _forget_interrupted_source()


def _forget_interrupted_source() -> None:
    """Let the process end with its own exit code.

    Python remembers an interrupt that passed through source it was given as text (compilers do that), ends by
    signal though it was caught, and forgets it when the next such text has run.
    """
    exec("")


def was_interrupted() -> bool:
    """Tell whether there was an interrupt that nobody has heard of yet: a library made another error of it."""
    return _interrupted.is_set()


def _raise_kept_interrupt() -> None:
    if _interrupted.is_set():
        _interrupted.clear()
        raise KeyboardInterrupt
