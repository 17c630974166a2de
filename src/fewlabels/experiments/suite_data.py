"""The data sets of the suite and those of the paper, with the suite's draws: how each is identified and loaded."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.datasets import DATASETS, Dataset, data_folder, load_dataset
from fewlabels.datasets.suite import draw_as_they_come, load_suite, suite_draw
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.experiment import Setting
from fewlabels.experiments.store import Store
from fewlabels.files import digest
from fewlabels.neighbors import Neighbors, NeighborSearch

__all__ = ["AS_THEY_COME", "Shelf", "SuiteSet", "checked_names", "drawn", "identified", "identified_once"]

AS_THEY_COME = "as-they-come"
N_NEIGHBORS = 10
CUT = {"covtype": 60_000}
"""Sets of which so many random rows are used."""

ALL = "-all"
"""The end of the name under which all rows of such a set are used."""

DRAWS_CUT, DRAWS_ALL = 3, 1
WAIT_SECONDS = 1.0


@dataclass(frozen=True)
class SuiteSet:
    """A data set by name: the checksum of its arrays, so that a result never stands for other data, and its draws."""

    name: str
    checksum: str
    most_draws: int | None = None

    def draws(self, asked: range) -> range:
        """Return those of the draws asked for that the set has."""
        return asked if self.most_draws is None else asked[: self.most_draws]


def checked_names(names: Sequence[str]) -> list[str]:
    """Return the names without repeats, all that are there if none are given; refuse those that are not there."""
    known = _known()
    if unknown := [name for name in names if name not in known]:
        raise FewlabelsError(
            f"data set {unknown[0]!r} is not in {data_folder()}, which has {', '.join(known)}; put it there as "
            "suite/NAME.npz, or set FEWLABELS_DATA to a folder that has it."
        )
    return list(dict.fromkeys(names)) or known


def _known() -> list[str]:
    """Return the sets that are in the data folder: those of the suite, then those of the paper."""
    folder = data_folder()
    suite = sorted(path.stem for path in (folder / "suite").glob("*.npz"))
    whole = [f"{name}{ALL}" for name in suite if name in CUT]
    return [*suite, *whole, *(name for name in DATASETS if _is_here(folder, name))]


def _is_here(folder: Path, name: str) -> bool:
    return name == "digits" or any((folder / f"{name}_{part}.npz").exists() for part in ("features", "knn"))


def identified(names: Sequence[str]) -> list[SuiteSet]:
    """Return the sets of these names, all that are there if none are given."""
    return [_identified(name) for name in checked_names(names)]


@lru_cache(maxsize=1)
def identified_once(setting: Setting) -> list[SuiteSet]:
    """Return the sets that a run asked for; to identify them all of them are read, so it is done once."""
    return identified(setting.request.datasets)


def _identified(name: str) -> SuiteSet:
    X, y, table = _arrays(name)
    arrays = {"X": X, "y": y} if table is None else {"X": X, "y": y, "J": table.indices, "D": table.distances}
    most = DRAWS_CUT if name in CUT else DRAWS_ALL if name.removesuffix(ALL) in CUT else None
    return SuiteSet(name, digest(arrays)[:16], most)


def _arrays(name: str) -> tuple[NDArray[Any], NDArray[np.int64], Neighbors | None]:
    """Return features, classes and, for a set of the paper, its table of neighbours."""
    if name in DATASETS:
        data = load_dataset(name)
        if data.features is None:
            raise FewlabelsError(f"data set {name!r} has only neighbours; put {name}_features.npz beside them.")
        return data.features, data.y, data.neighbors
    X, y = load_suite(name.removesuffix(ALL) if name.removesuffix(ALL) in CUT else name)
    if name in CUT:
        rows = np.sort(np.random.default_rng(0).permutation(y.size)[: CUT[name]])
        X, y = X[rows], y[rows]
    return X, y, None


def drawn(y: NDArray[np.int64], rate: str, t: int) -> NDArray[np.int64]:
    """Return the labelled points of draw t, so many of each class or as they come."""
    try:
        return draw_as_they_come(y, t) if rate == AS_THEY_COME else suite_draw(y, int(rate), t)
    except ValueError as error:
        raise FewlabelsError(f"there are too few points for {rate} labels per class ({error}).") from None


class Shelf:
    """Loads data sets when they are needed and holds the last one; their neighbours are kept beside the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: tuple[SuiteSet, Dataset] | None = None

    def data(self, each: SuiteSet) -> Dataset:
        """Return a set with features, classes and neighbours."""
        if self._held is None or self._held[0] != each:
            self._held = None
            X, y, table = _arrays(each.name)
            self._held = each, Dataset(each.name, y, table or self._neighbors(each, X), X, {})
        return self._held[1]

    def _neighbors(self, each: SuiteSet, X: NDArray[Any]) -> Neighbors:
        """Return the table of an earlier run, or search; one process searches while others wait for it."""
        path = self._store.path.with_name("neighbors") / f"{each.name}-{each.checksum}.npz"
        while not path.exists():
            with self._store.claim(f"neighbors of {each.name} {each.checksum}") as mine:
                if mine:
                    path.parent.mkdir(exist_ok=True)
                    NeighborSearch(X).among_themselves(min(N_NEIGHBORS, len(X) - 1)).save(path)
            if not mine:
                time.sleep(WAIT_SECONDS)
        return Neighbors.load(path)
