"""Run what a plan still lacks, draw by draw, and put every result into the store as soon as it is there."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewlabels.datasets import Dataset, load_dataset
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.jobs import Task, work_through
from fewlabels.experiments.linear import LinearClassifier
from fewlabels.experiments.plans import LINEAR, SIZES, Plan, Spec
from fewlabels.experiments.store import Store, Trial
from fewlabels.interface import nonzero_laplacian
from fewlabels.labels import Seeds
from fewlabels.methods import METHODS, Method, Spread
from fewlabels.progress import say

__all__ = ["method_of", "run", "trial_key"]

DRAWS_TOGETHER = 4
"""Draws that a method may solve as one block. Blocks are always whole, so that no interruption changes a result."""


SHARED = ("laplace", "interface-laplace")
"""Methods that use the same Green's columns: one process runs them all on a block of draws, and solves columns once."""


@dataclass(frozen=True)
class _Batch:
    """A method on a block of draws of one data set."""

    data: Dataset
    spec: Spec
    rate: str
    draws: range

    def keys(self, trials: int) -> dict[str, int]:
        """Return the store's names of the draws that are wanted."""
        return {trial_key(self.data, self.spec, self.rate, t): t for t in self.draws if t < trials}

    @property
    def family(self) -> str:
        """What the methods that are to run in one process have in common."""
        name = "columns" if self.spec.name in SHARED else str(self.spec)
        return f"{self.data.name} {self.data.checksum[:16]} {name} {self.rate} {self.draws}"


def run(plans: Sequence[Plan], store: Store, trials: int) -> None:
    """Run the trials of the plans that the store lacks.

    Trial t of a cell has draw t, the same for every method. Several processes may run the same plans on one store; each
    takes what no other has, and all return when everything is there.
    """
    data = {name: load_dataset(name) for name in {plan.dataset for plan in plans}}
    batches = dict.fromkeys(
        (plan.dataset, str(cell.spec), cell.rate, block)
        for plan in plans
        for block in _blocks(plan.draws(trials))
        for cell in plan.cells
    )
    specs = {str(cell.spec): cell.spec for plan in plans for cell in plan.cells}
    todo = [_Batch(data[name], specs[spec], rate, block) for name, spec, rate, block in batches]
    families: dict[str, list[_Batch]] = {}
    for batch in todo:
        families.setdefault(batch.family, []).append(batch)

    def task(name: str, batches: Sequence[_Batch]) -> Task:
        return Task(name, lambda: _done(batches, store, trials), lambda: _run_batches(batches, store, trials))

    work_through([task(*family) for family in families.items()], store, "blocks of draws")


def _blocks(draws: range) -> Iterator[range]:
    """Yield the draws in whole blocks; the last may reach beyond them.

    Examples
    --------
    >>> list(_blocks(range(1, 12, 2)))
    [range(1, 9, 2), range(9, 17, 2)]
    """
    far = DRAWS_TOGETHER * draws.step
    for first in range(draws.start, draws.stop, far):
        yield range(first, first + far, draws.step)


def trial_key(data: Dataset, spec: Spec, rate: str, t: int) -> str:
    """Return the name under which the store keeps a trial."""
    return Trial(data.name, data.checksum[:16], str(spec), rate, t, 0.0, 0.0).key


def _done(batches: Sequence[_Batch], store: Store, trials: int) -> bool:
    return all(key in store.trials or key in store.refused for batch in batches for key in batch.keys(trials))


def _run_batches(batches: Sequence[_Batch], store: Store, trials: int) -> None:
    for batch in batches:
        _run_batch(batch, store, trials)


def _run_batch(batch: _Batch, store: Store, trials: int) -> None:
    keys = batch.keys(trials)
    missing = [key for key in keys if key not in store.trials and key not in store.refused]
    if not missing:
        return
    data, method = batch.data, method_of(batch.spec, batch.data)
    together = type(method).spread_many is not Method.spread_many
    draws = batch.draws if together else [keys[key] for key in missing]
    seeds = {t: data.seeds(batch.rate, t, sizes_told=SIZES in batch.spec.params) for t in draws}
    start = time.perf_counter()
    found = _spread_together(method, data, list(seeds.values())) if together else None
    seconds = (time.perf_counter() - start) / len(seeds)
    for place, (t, labelled) in enumerate(seeds.items()):
        key = trial_key(data, batch.spec, batch.rate, t)
        if key not in missing:
            continue
        start = time.perf_counter()
        try:
            if labelled.size == data.y.size:
                raise FewlabelsError("every point is labelled, so there is nothing to measure on.")
            spread = found[place] if found is not None else method.spread(data.graph, labelled)
        except FewlabelsError as error:
            say(f"{batch.spec} at rate {batch.rate}, draw {t}: {error}")
            store.refused.add(key)
            continue
        labels = spread.scores.argmax(axis=1)
        others = np.ones(labels.size, dtype=bool)
        others[labelled.indices] = False
        accuracy = 100.0 * float(np.mean(labels[others] == data.y[others]))
        spent = seconds + time.perf_counter() - start
        trial = Trial(data.name, data.checksum[:16], str(batch.spec), batch.rate, t, round(accuracy, 4), 0.0)
        store.append(replace(trial, seconds=round(spent, 3)))


def _spread_together(method: Method, data: Dataset, problems: list[Seeds]) -> Sequence[Spread] | None:
    """Return the spreads of a block of draws, or None if one of them cannot be done, so that each is tried alone."""
    try:
        return method.spread_many(data.graph, problems)
    except FewlabelsError:
        return None


def method_of(spec: Spec, data: Dataset) -> Method:
    """Return the method that a spec stands for on a data set."""
    if spec.name == LINEAR:
        return LinearClassifier() if data.features is None else LinearClassifier().with_features(data.features)
    if spec.name not in METHODS:
        raise FewlabelsError(f"no method is called {spec.name!r}; choose one of {', '.join(METHODS)}.")
    params: dict[str, Any] = {key: value for key, value in spec.params.items() if key != SIZES}
    if params.get("positions") == "truth":
        params["positions"] = nonzero_laplacian(data.graph, data.y)
    method = METHODS[spec.name](**params)
    return method if data.features is None else method.with_features(data.features)
