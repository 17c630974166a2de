"""Every data set of the suite by every method: the default beside the others and what one would do instead."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fewlabels.experiments.confidence import calibration_error
from fewlabels.experiments.experiment import Experiment, Request, Setting
from fewlabels.experiments.jobs import Task
from fewlabels.experiments.labellers import LABELLERS, Labelled
from fewlabels.experiments.planning import kept_rows
from fewlabels.experiments.plans import FEW
from fewlabels.experiments.store import Store, Trial
from fewlabels.experiments.suite_data import AS_THEY_COME, Shelf, SuiteSet, checked_names, drawn, identified_once
from fewlabels.experiments.suite_tables import BALANCED, CALIBRATION, CONFIDENCE, Findings, tables
from fewlabels.green import COLUMNS
from fewlabels.progress import say

__all__ = ["SUITE", "measured"]

NAME = "suite"


def measured(labelled: Labelled, y: NDArray[np.int64], nodes: NDArray[np.int64]) -> tuple[float, dict[str, float]]:
    """Return the accuracy over the points without a label, and what else is measured on them; all in percent.

    Balanced accuracy is the mean over the classes of the share that is found; a class without a label counts as zero.
    """
    others = np.ones(y.size, dtype=bool)
    others[nodes] = False
    truth, right = y[others], (labelled.classes == y)[others]
    sizes = np.bincount(truth)
    found = np.bincount(truth, weights=right)
    more = {BALANCED: 100.0 * float(np.mean(found[sizes > 0] / sizes[sizes > 0]))}
    if labelled.confidence is not None:
        sure = labelled.confidence[others]
        more |= {CALIBRATION: calibration_error(sure, right), CONFIDENCE: 100.0 * float(sure.mean())}
    return 100.0 * float(right.mean()), {name: round(value, 4) for name, value in more.items()}


@dataclass(frozen=True)
class _Place:
    """One labeller on one draw of a data set."""

    each: SuiteSet
    row: str
    rate: str
    t: int

    def trial(self, accuracy: float = 0.0, seconds: float = 0.0, **rest: object) -> Trial:
        """Return a result as the store keeps it."""
        labeller = LABELLERS[self.row]
        which = (self.each.name, self.each.checksum, str(labeller.spec), self.rate, self.t)
        parts = (*which, round(accuracy, 4), round(seconds, 3))
        return Trial(*parts, version=labeller.version, **rest)  # type: ignore[arg-type]

    def task(self, shelf: Shelf, store: Store) -> Task:
        """Return the work to do."""
        wanted = self.trial()
        return Task(wanted.key, lambda: store.has(wanted.key, wanted.version), partial(_run, self, shelf, store))


def _run(place: _Place, shelf: Shelf, store: Store) -> None:
    """Label, measure and store; what a method cannot do, or breaks on, is stored as refused, and the run goes on."""
    data = shelf.data(place.each)
    graph = data.graph
    graph.kept.forget(COLUMNS)  # else the second method of a draw seems faster than it is
    start = time.perf_counter()
    try:
        nodes = drawn(data.y, place.rate, place.t)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            labelled = LABELLERS[place.row].label(data, nodes)
    except Exception as error:
        say(f"{place.row} on {place.each.name} at {place.rate}, draw {place.t}: {error}")
        store.append(place.trial(refused=f"{type(error).__name__}: {error}"))
        return
    seconds = time.perf_counter() - start
    accuracy, more = measured(labelled, data.y, nodes)
    store.append(place.trial(accuracy, seconds, more=more))


def _rows(request: Request) -> list[str]:
    return kept_rows(NAME, list(LABELLERS), request.rows)


def _check(experiment: Experiment, request: Request, dataset: str) -> None:
    """Refuse rows and data sets that there are not."""
    _rows(request)
    checked_names(request.datasets)


def _tasks(setting: Setting) -> Sequence[Task]:
    """Return a task for each trial, data set by data set, draw by draw."""
    shelf = Shelf(setting.store)
    return [
        _Place(each, row, rate, t).task(shelf, setting.store)
        for each in identified_once(setting)
        for t in each.draws(setting.draws)
        for rate in setting.rates
        for row in _rows(setting.request)
    ]


def _findings(setting: Setting) -> Findings:
    """Return the trials that the store has of what was asked for."""
    store, rows = setting.store, _rows(setting.request)
    sets = identified_once(setting)
    found: dict[tuple[str, str, str], dict[int, Trial]] = {}
    refused: dict[str, int] = {}
    older: dict[str, int] = {}
    for each in sets:
        for t in each.draws(setting.draws):
            for rate in setting.rates:
                for row in rows:
                    wanted = _Place(each, row, rate, t).trial()
                    key = wanted.key
                    if key in store.trials:
                        found.setdefault((each.name, rate, row), {})[t] = store.trials[key]
                        older[row] = older.get(row, 0) + (store.trials[key].version != wanted.version)
                    elif key in store.refused:
                        refused[f"{row}: {store.refused[key]}"] = refused.get(f"{row}: {store.refused[key]}", 0) + 1
    return Findings([each.name for each in sets], list(setting.rates), rows, found, refused, older)


TABULATE = tables(_findings)
SUITE = Experiment(
    name=NAME,
    title="Data like users': the default beside every method",
    tabulate=TABULATE.pop(""),
    tasks=_tasks,
    check=_check,
    also=TABULATE,
    draws=FEW,
    rates=("1", "2", "5", AS_THEY_COME),
    named_rates=(AS_THEY_COME,),
    across=True,
    has_rows=True,
)
