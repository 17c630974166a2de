"""More processes for one plan: each runs the same command on the same store, and takes what no other has."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from threadpoolctl import threadpool_limits

from fewlabels.errors import FewlabelsError
from fewlabels.experiments.store import Store
from fewlabels.progress import say, track
from fewlabels.threads import cores

__all__ = ["Task", "helpers", "work_through"]

POLL_SECONDS = 1.0
THREADS = "OMP_NUM_THREADS"


@dataclass(frozen=True)
class Task:
    """A piece of work: its name, whether its results are in the store, and how to do it.

    Tasks of one name are done one after the other by the same process.
    """

    name: str
    is_done: Callable[[], bool]
    do: Callable[[], None]


def work_through(tasks: Sequence[Task], store: Store, unit: str) -> None:
    """Do what the store lacks and no other process has in hand; return when all of it is there."""
    store.refresh()
    left = [task for task in _joined(tasks) if not task.is_done()]
    for task in track(left, unit, total=len(left)):
        _do_unclaimed(task, store)
    said = False
    while left := [task for task in left if not task.is_done()]:
        for task in left:
            _do_unclaimed(task, store)
        if not all(task.is_done() for task in left):
            if not said:
                say(f"waiting for other processes that claim {len(left)} {unit} ({store.claims})")
                said = True
            time.sleep(POLL_SECONDS)
            store.refresh()
    store.tidy()


def _joined(tasks: Sequence[Task]) -> list[Task]:
    """Return one task for each name, in the order in which the names first come."""
    named: dict[str, list[Task]] = {}
    for task in tasks:
        named.setdefault(task.name, []).append(task)
    return [_one_after_another(name, parts) for name, parts in named.items()]


def _one_after_another(name: str, parts: Sequence[Task]) -> Task:
    def do() -> None:
        for part in parts:
            part.do()

    return Task(name, lambda: all(part.is_done() for part in parts), do)


def _do_unclaimed(task: Task, store: Store) -> None:
    if task.is_done():
        return
    with store.claim(task.name) as mine:
        if mine:
            store.refresh()
            if not task.is_done():
                task.do()


@contextmanager
def helpers(jobs: int, arguments: Sequence[str]) -> Iterator[None]:
    """Run `fewlabels` with these arguments in jobs - 1 more processes while the block runs; the cores are shared out.

    The helpers end by themselves when nothing is left to do, and are ended with the block if it fails.
    """
    if jobs < 1:
        raise FewlabelsError(f"--jobs {jobs} must be at least 1.")
    if jobs == 1:
        yield
        return
    before = os.environ.get(THREADS)
    os.environ[THREADS] = share = str(max(1, cores() // jobs))
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": share}
    command = [sys.executable, "-m", "fewlabels", *arguments]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(jobs - 1):
            started.append(
                subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )
        with threadpool_limits(limits=int(share)):
            yield
    except BaseException:
        for process in started:
            process.terminate()
        raise
    finally:
        for process in started:
            process.wait()
        os.environ.pop(THREADS) if before is None else os.environ.__setitem__(THREADS, before)
