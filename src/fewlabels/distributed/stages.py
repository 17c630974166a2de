"""Stages: a function for every block, run on the workers; what it made is kept and not made twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.scratch import key_of, moved, save_named
from fewlabels.errors import FewlabelsError
from fewlabels.extras import optional
from fewlabels.files import load_arrays
from fewlabels.progress import say, track

__all__ = ["Found", "Made", "Stages", "Told"]

Found = dict[str, NDArray[Any]]
"""What a block tells whoever asked for it: a few small arrays by name."""

Work = Callable[..., Found]

TOLD_FROM = 1.0
"""Seconds from which on what a stage took is told."""


@dataclass
class Told:
    """What a stage took: seconds, bytes of blocks read and written, and blocks made, or rounds of tasks of a solve."""

    name: str
    seconds: float = 0.0
    made: int = 0
    read: int = 0
    written: int = 0

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.seconds:.1f} s, {self.read / 1e6:,.0f} MB read, {self.written / 1e6:,.0f} MB written"
        )


@dataclass(frozen=True)
class Made:
    """The folder of a stage, and what its blocks told."""

    folder: Path
    told: list[Found]

    def all(self, name: str) -> list[NDArray[Any]]:
        """Return what every block told under a name."""
        return [found[name] for found in self.told]

    def sum(self, name: str) -> NDArray[Any]:
        """Return the sum of what the blocks told under a name."""
        return np.asarray(np.sum(self.all(name), axis=0))

    def numbers(self, name: str) -> NDArray[np.int64]:
        """Return one whole number of every block."""
        return np.array([int(found[name]) for found in self.told], dtype=np.int64)


@dataclass
class Stages:
    """Runs stages on the workers of a cluster, their blocks in one folder."""

    client: Any
    scratch: Path
    told: list[Told] = field(default_factory=list)
    rows: int | None = None
    """Rows of all blocks together, once they are known."""

    _unsaid: Told | None = None

    def __post_init__(self) -> None:
        _make(self.scratch)

    def run(self, name: str, work: Work, count: int, *arguments: Any) -> Made:
        """Return what `work(folder, place, *arguments)` made for every place below `count`; what is there is kept."""
        folder = self.scratch / key_of(name, count, *arguments)

        def begin(place: int) -> Any:
            key = f"{folder.name}-{place}-{uuid4().hex}"
            return self.client.submit(_made, work, folder, place, arguments, key=key, pure=False)

        return self._run(name, folder, count, begin)

    def run_delayed(self, name: str, work: Work, parts: Sequence[Any], token: str) -> Made:
        """Return what `work(folder, place, part)` made of parts that dask has yet to compute, known by their token."""
        folder = self.scratch / key_of(name, len(parts), token)
        dask = optional("dask", extra="dask", what="a cluster")

        def begin(place: int) -> Any:
            return self.client.compute(dask.delayed(_made, pure=False)(work, folder, place, (parts[place],)))

        return self._run(name, folder, len(parts), begin)

    def _run(self, name: str, folder: Path, count: int, begin: Callable[[int], Any]) -> Made:
        _make(folder)
        told = self._stage(name)
        begun = time.perf_counter()
        found: dict[int, Found] = {}
        for place in range(count):
            if (known := _kept(folder, place)) is not None:
                found[place] = known
        missing = [place for place in range(count) if place not in found]
        if missing:
            futures = {begin(place): place for place in missing}
            for future, (result, counts) in self.results(futures, name):
                found[futures[future]] = result
                told.made, told.read, told.written = told.made + 1, told.read + counts[0], told.written + counts[1]
        told.seconds += time.perf_counter() - begun
        return Made(folder, [found[place] for place in range(count)])

    def results(self, futures: Any, what: str, *, quiet: bool = False) -> Any:
        """Yield each future with its result as it comes, and let go of it; what ended a worker is one sentence."""
        distributed = optional("distributed", extra="dask", what="a cluster")
        scheduler = optional("distributed.scheduler", extra="dask", what="a cluster")
        deserted = getattr(scheduler, "NoWorkerError", distributed.KilledWorker)  # older versions wait for ever
        coming = distributed.as_completed(list(futures), with_results=True, loop=self.client.loop)
        try:
            for future, result in coming if quiet else track(coming, what, total=len(futures), rows=self.rows):
                yield future, result
                future.release()
        except distributed.KilledWorker as error:
            raise FewlabelsError(
                f"{what}: workers ended again and again at one block ({error.task}); give them more memory or use more "
                "blocks, and run the same again, it goes on where it stopped."
            ) from None
        except deserted:
            raise FewlabelsError(
                f"{what}: all workers have ended and none came back; run the same again, it goes on where it stopped."
            ) from None
        finally:
            coming.clear()

    def _stage(self, name: str) -> Told:
        for told in self.told:
            if told.name == name:
                break
        else:
            told = Told(name)
            self.told.append(told)
        if told is not self._unsaid:
            self.say_last()
            self._unsaid = told
        return told

    def say_last(self) -> None:
        """Tell what the stage before took, if it took long enough to be waited for."""
        if self._unsaid is not None and self._unsaid.seconds >= TOLD_FROM:
            say(str(self._unsaid))
        self._unsaid = None

    def note(self, name: str, seconds: float, made: int, counts: Sequence[int]) -> None:
        """Add to what a stage took."""
        told = self._stage(name)
        told.seconds, told.made = told.seconds + seconds, told.made + made
        told.read, told.written = told.read + counts[0], told.written + counts[1]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FewlabelsError(
            f"{folder.parent}: cannot be written ({error.strerror}); choose another --scratch folder."
        ) from None


def _kept(folder: Path, place: int) -> Found | None:
    path = folder / f"{place}.npz"
    return load_arrays(path, "a block that is done") if path.exists() else None


def _made(work: Work, folder: Path, place: int, arguments: tuple[Any, ...]) -> tuple[Found, tuple[int, int]]:
    """Make a block on a worker, unless it is there; what it tells is written last."""
    _make(folder)
    known = _kept(folder, place)
    if known is not None:
        return known, (0, 0)
    before = moved.read, moved.written
    found = {name: np.asarray(each) for name, each in work(folder, place, *arguments).items()}
    save_named(folder / f"{place}.npz", found)
    return found, (moved.read - before[0], moved.written - before[1])
