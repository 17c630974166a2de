"""Run what a plan still lacks, draw by draw, and put every result into the store as soon as it is there."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.datasets import Dataset, load_dataset
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.experiment import Subject
from fewlabels.experiments.jobs import Task, work_through
from fewlabels.experiments.linear import LinearClassifier
from fewlabels.experiments.plans import DRAW, LINEAR, ROUNDED, SIZES, TRUTH, Plan, Spec
from fewlabels.experiments.store import Store, Trial
from fewlabels.experiments.versions import code_version
from fewlabels.labels import Seeds
from fewlabels.methods import METHODS, Method, Spread
from fewlabels.progress import say
from fewlabels.solvers import keep_slow_modes, takes_t_steps

__all__ = ["accuracy_of", "method_of", "new_trial", "plan_tasks", "run", "spec_version", "trial_key", "trials_of"]

DRAWS_TOGETHER = 4
"""Draws that a method may solve as one block. Blocks are always whole, so that no interruption changes a result."""


RANDOM_STATE = "random_state"
SHARED = ("laplace", "interface-laplace")
"""Methods that use the same Green's columns: one process runs them all on a block of draws, and solves columns once.
All that takes T steps is a family of its own, which counts T once: columns of both would be too many to keep."""


@dataclass(frozen=True)
class _Batch:
    """A method on a block of draws of one data set, of which those below `trials` are wanted."""

    subject: Subject
    spec: Spec
    rate: str
    draws: range
    trials: int

    @property
    def data(self) -> Dataset:
        """The data set."""
        return self.subject.data

    @property
    def keys(self) -> dict[str, int]:
        """The store's names of the draws that are wanted."""
        return {trial_key(self.data, self.spec, self.rate, t): t for t in self.draws if t < self.trials}

    @property
    def family(self) -> str:
        """What the methods that are to run in one process have in common."""
        columns = "columns" if self.spec.name in SHARED else str(self.spec)
        name = "T steps" if _takes_t_steps(self.spec) else columns
        return f"{self.data.name} {self.data.checksum[:16]} {name} {self.rate} {self.draws}"

    def missing(self, store: Store) -> list[str]:
        """Return the keys of the wanted draws that were neither run nor refused."""
        version = spec_version(self.spec)
        return [key for key in self.keys if not store.has(key, version)]

    def task(self, store: Store) -> Task:
        """Return the work to do; the families of all tasks are what processes claim."""
        return Task(self.family, lambda: not self.missing(store), lambda: _run_batch(self, store))


def run(plans: Sequence[Plan], store: Store, trials: int, *, subjects: Mapping[str, Subject] | None = None) -> None:
    """Run the trials of the plans that the store lacks.

    Trial t of a cell has draw t, the same for every method. Several processes may run the same plans on one store; each
    takes what no other has, and all return when everything is there. Data sets are loaded if they are not handed over.
    """
    if subjects is None:
        subjects = {name: Subject(load_dataset(name)) for name in dict.fromkeys(plan.dataset for plan in plans)}
    tasks = [task for plan in plans for task in plan_tasks(plan, subjects[plan.dataset], store, trials=trials)]
    work_through(tasks, store, "blocks of draws")


def plan_tasks(plan: Plan, subject: Subject, store: Store, *, trials: int) -> list[Task]:
    """Return a task for each method of the plan on each block of draws."""
    batches = dict.fromkeys(
        (str(cell.spec), cell.rate, block) for block in _blocks(plan.draws.among(trials)) for cell in plan.cells
    )
    specs = {str(cell.spec): cell.spec for cell in plan.cells}
    return [_Batch(subject, specs[spec], rate, block, trials).task(store) for spec, rate, block in batches]


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


def _takes_t_steps(spec: Spec) -> bool:
    return takes_t_steps(spec.params.get("solver", "auto"))


def trial_key(data: Dataset, spec: Spec, rate: str, t: int) -> str:
    """Return the name under which the store keeps a trial."""
    return new_trial(data, spec, rate=rate, t=t, accuracy=0.0, seconds=0.0).key


def new_trial(data: Dataset, spec: Spec, *, rate: str, t: int, accuracy: float, seconds: float) -> Trial:
    """Return a result as the store keeps it."""
    parts = (data.name, data.checksum[:16], str(spec), rate, t, round(accuracy, 4), round(seconds, 3))
    return Trial(*parts, version=spec_version(spec))


def spec_version(spec: Spec) -> str:
    """Return the version of the code that a spec's trials are made by."""
    return code_version((LinearClassifier if spec.name == LINEAR else _named(spec)).__module__)


def trials_of(store: Store, data: Dataset, spec: Spec, *, rate: str, draws: range) -> list[Trial]:
    """Return the trials that the store has of a method at a rate, in the order of the draws."""
    keys = [trial_key(data, spec, rate, t) for t in draws]
    return [store.trials[key] for key in keys if key in store.trials]


def _run_batch(batch: _Batch, store: Store) -> None:
    keys, missing = batch.keys, batch.missing(store)
    if not missing:
        return
    data = batch.data
    by_draw = batch.spec.params.get(RANDOM_STATE) == DRAW
    method = method_of(batch.spec, data, subject=batch.subject)
    together = type(method).spread_many is not Method.spread_many
    draws = batch.draws if together else [keys[key] for key in missing]
    seeds = {t: data.seeds(batch.rate, t, sizes_told=SIZES in batch.spec.params) for t in draws}
    if _takes_t_steps(batch.spec):
        keep_slow_modes(data.graph)  # many draws are to come, and like the graph they belong to none
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
            if by_draw:
                method.set_params(**{RANDOM_STATE: t})
            spread = found[place] if found is not None else method.spread(data.graph, labelled)
        except FewlabelsError as error:
            say(f"{batch.spec} at rate {batch.rate}, draw {t}: {error}")
            store.refused[key] = str(error)
            continue
        accuracy = accuracy_of(spread.scores.argmax(axis=1), data, labelled)
        spent = seconds + time.perf_counter() - start
        store.append(new_trial(data, batch.spec, rate=batch.rate, t=t, accuracy=accuracy, seconds=spent))


def accuracy_of(labels: NDArray[np.int64], data: Dataset, seeds: Seeds) -> float:
    """Return the accuracy in percent over the nodes without a label."""
    others = np.ones(labels.size, dtype=bool)
    others[seeds.indices] = False
    return 100.0 * float(np.mean(labels[others] == data.y[others]))


def _spread_together(method: Method, data: Dataset, problems: list[Seeds]) -> Sequence[Spread] | None:
    """Return the spreads of a block of draws, or None if one of them cannot be done, so that each is tried alone."""
    try:
        return method.spread_many(data.graph, problems)
    except FewlabelsError:
        return None


def method_of(spec: Spec, data: Dataset, *, subject: Subject | None = None) -> Method:
    """Return the method that a spec stands for on a data set; its subject, if given, keeps the true interface."""
    if spec.name == LINEAR:
        return LinearClassifier() if data.features is None else LinearClassifier().with_features(data.features)
    params: dict[str, Any] = {key: value for key, value in spec.params.items() if key != SIZES and value != DRAW}
    if params.get("positions") in (TRUTH, ROUNDED):
        known = subject or Subject(data)
        params["positions"] = known.true_interface if params["positions"] == TRUTH else known.rounded_interface
    method = _named(spec)(**params)
    return method if data.features is None else method.with_features(data.features)


def _named(spec: Spec) -> type[Method]:
    if spec.name not in METHODS:
        raise FewlabelsError(f"no method is called {spec.name!r}; choose one of {', '.join(METHODS)}.")
    return METHODS[spec.name]
