"""One pool of threads, as many as the cores this process may use, for code that releases the interpreter's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_pay
from fewlabels.errors import FewlabelsError

__all__ = [
    "FEW_ROWS",
    "ROWS_AT_ONCE",
    "cores",
    "even_ranges",
    "in_blocks_of_rows",
    "jobs_limited",
    "one_blas_thread",
    "one_core_each",
    "run_in_threads",
    "side_by_side",
]

_MOST: ContextVar[int | None] = ContextVar("fewlabels_most_threads", default=None)

ROWS_AT_ONCE = 4096
"""Rows of a block of scores that stay in a core's own cache with what is made of them on the way."""

FEW_ROWS = 30_000
"""Rows up to which a core gets work of its own, from beginning to end: a pass over them is over before a second thread
has begun. Beyond, all cores share the rows of every pass."""

_pools: dict[int, ThreadPoolExecutor] = {}
_loaded: set[tuple[object, ...]] = set()
"""Kinds of tasks that have run. The first of a kind runs alone, in the calling thread, since it may compile: an
interrupt there while another thread waits for the compiler's lock would leave that thread waiting for ever."""


def cores() -> int:
    """Return the number of cores this process may use; OMP_NUM_THREADS and :func:`jobs_limited` lower it."""
    most = _MOST.get()
    return _usable() if most is None else min(most, _usable())


@contextmanager
def jobs_limited(n_jobs: int | None) -> Iterator[None]:
    """Use at most so many cores inside the block, as scikit-learn counts them: -1 is all; None changes nothing.

    Examples
    --------
    >>> with jobs_limited(1):
    ...     cores()
    1
    """
    if n_jobs is None:
        yield
        return
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise FewlabelsError(f"n_jobs={n_jobs!r} must be a whole number other than 0; -1 uses all cores.")
    most = int(n_jobs) if n_jobs > 0 else max(1, _usable() + 1 + int(n_jobs))
    token = _MOST.set(most)
    try:
        with _controller().limit(limits=min(most, _usable())):
            yield
    finally:
        _MOST.reset(token)


def _usable() -> int:
    try:
        usable = len(os.sched_getaffinity(0))
    except AttributeError:
        usable = os.cpu_count() or 1
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(usable, int(asked))) if asked.isdigit() else usable


def even_ranges(weights: NDArray[Any], parts: int) -> list[tuple[int, int]]:
    """Cut 0 .. len(weights) into ranges of about equal weight.

    Examples
    --------
    >>> even_ranges(np.array([1, 1, 1, 3]), 2)
    [(0, 3), (3, 4)]
    """
    total = np.concatenate([[0], np.cumsum(weights)])
    cuts = np.searchsorted(total, total[-1] * np.arange(parts + 1) / parts)
    cuts[0], cuts[-1] = 0, len(weights)
    return [(int(a), int(b)) for a, b in pairwise(cuts)]


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Have BLAS use one thread inside the block, for products that already run in several threads of ours.

    The limit is the process's, so the first to come sets it and the last to go lifts it, whatever thread they are in.
    """
    with _BLAS.lock:
        if _BLAS.inside == 0:
            _BLAS.limit = _controller().limit(limits=1, user_api="blas")
            _BLAS.limit.__enter__()
        _BLAS.inside += 1
    try:
        yield
    finally:
        with _BLAS.lock:
            _BLAS.inside -= 1
            if _BLAS.inside == 0:
                _BLAS.limit.__exit__(None, None, None)


class _Limited:
    """How many blocks want BLAS to use one thread now, and the limit that they share."""

    def __init__(self) -> None:
        self.lock, self.inside, self.limit = Lock(), 0, None


_BLAS: Any = _Limited()


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def run_in_threads(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run the tasks on all cores, in this thread and those of the pool; return their results in order.

    Each thread takes the next task when it is free, so a few tasks per core keep all of them busy to the end. A thread
    that has not begun by then is not waited for: it may be one that waits for this one.

    Examples
    --------
    >>> run_in_threads([lambda: 1, lambda: 2])
    [1, 2]
    """
    found: list[Any] = [None] * len(tasks)
    left: deque[tuple[int, Callable[[], Any]]] = deque()
    for place, task in enumerate(tasks):
        if (kind := _kind(task)) in _loaded:
            left.append((place, task))
        else:
            found[place] = task()
            _loaded.add(kind)

    def work() -> None:
        while True:
            try:
                place, task = left.popleft()
            except IndexError:
                return
            found[place] = task()

    others = [_pool().submit(work) for _ in range(min(cores(), len(left)) - 1)]
    try:
        work()
    finally:
        left.clear()
        for other in others:
            if not other.cancel():
                other.result()
    return found


def side_by_side(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run tasks as :func:`run_in_threads` does, each of them on one core, its products by BLAS as well.

    Examples
    --------
    >>> side_by_side([cores, cores])
    [1, 1]
    """
    with one_blas_thread():
        return run_in_threads([partial(_alone, task) for task in tasks])


def _alone(task: Callable[[], Any]) -> Any:
    token = _MOST.set(1)
    try:
        return task()
    finally:
        _MOST.reset(token)


def one_core_each(rows: int, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run tasks about so many rows: side by side where these are few, else one after the other, each on all cores.

    Examples
    --------
    >>> one_core_each(10, [cores, cores])
    [1, 1]
    """
    if rows > FEW_ROWS:
        return [task() for task in tasks]
    by_kernels = kernels_pay(rows)
    return side_by_side([partial(_sized, by_kernels, task) for task in tasks])


def _sized(by_kernels: bool, task: Callable[[], Any]) -> Any:
    """Run a task; with kernels it is of another kind than without, since it may compile them."""
    return task()


def in_blocks_of_rows(rows: int, work: Callable[[slice], object]) -> None:
    """Do some work on all rows, block by block and on all cores: what it makes on the way stays in the cache.

    Examples
    --------
    >>> squares = np.arange(5.0)
    >>> def square(some):
    ...     squares[some] **= 2
    >>> in_blocks_of_rows(5, square)
    >>> squares.tolist()
    [0.0, 1.0, 4.0, 9.0, 16.0]
    """
    run_in_threads([partial(work, slice(start, start + ROWS_AT_ONCE)) for start in range(0, rows, ROWS_AT_ONCE)])


def _kind(task: Callable[[], Any]) -> tuple[object, ...]:
    """Return what a task calls, and with what types: a kernel is compiled for each."""
    if not isinstance(task, partial):
        return (task.__code__,) if hasattr(task, "__code__") else (type(task),)
    name = getattr(task.func, "__qualname__", type(task.func))
    return name, *(_type_of(argument) for argument in task.args)


def _type_of(argument: Any) -> object:
    if isinstance(argument, partial):
        return _kind(argument)
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.writeable, argument.flags.c_contiguous
    return argument if isinstance(argument, (type, bool)) else type(argument)


def _pool() -> ThreadPoolExecutor:
    """Return this process's pool; a forked child has none of its parent's threads and makes its own."""
    here = os.getpid()
    if here not in _pools:
        _pools.clear()
        _pools[here] = ThreadPoolExecutor(max(1, _usable() - 1), thread_name_prefix="fewlabels")
    return _pools[here]
