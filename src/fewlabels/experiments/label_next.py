"""What to label next: accuracy against the number of labels, by the strategy that chose them."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.active import STRATEGIES
from fewlabels.answer import answer
from fewlabels.datasets import Dataset
from fewlabels.experiments.experiment import Experiment, Setting
from fewlabels.experiments.jobs import Task
from fewlabels.experiments.plans import FEW, Spec
from fewlabels.experiments.runner import accuracies, accuracy_of, new_trial, trial_key
from fewlabels.experiments.store import Store
from fewlabels.experiments.surroundings import surroundings
from fewlabels.labels import Seeds
from fewlabels.methods import InterfaceLaplace
from fewlabels.report.style import GREY, TEN, house_figure
from fewlabels.report.tables import Entry, Table

__all__ = ["LABEL_NEXT"]

NAME = "label-next"
ROUNDS = 4
"""How often as many labels as there are classes are added to one label per class."""


def _sizes(data: Dataset) -> list[int]:
    """Return the numbers of labels at which accuracy is measured."""
    classes = int(data.y.max()) + 1
    return [classes * (1 + r) for r in range(ROUNDS + 1)]


def _spec(strategy: str) -> Spec:
    return Spec(NAME, {"strategy": strategy})


def _tasks(setting: Setting) -> list[Task]:
    """Return a task for each draw and strategy: start from one label per class, and add labels four times."""
    return [
        _task(setting.data, setting.store, strategy=strategy, t=t) for t in setting.draws for strategy in STRATEGIES
    ]


def _task(data: Dataset, store: Store, *, strategy: str, t: int) -> Task:
    keys = [trial_key(data, _spec(strategy), str(size), t) for size in _sizes(data)]
    name = f"{data.name} {data.checksum[:16]} {_spec(strategy)} {t}"
    run = partial(_run, data, store, strategy=strategy, t=t)
    return Task(name, lambda: all(key in store.trials for key in keys), run)


def _run(data: Dataset, store: Store, *, strategy: str, t: int) -> None:
    """Add labels round by round; put all rounds into the store at the end, so that a run is there whole or not."""
    start, method, sizes = time.perf_counter(), InterfaceLaplace(), _sizes(data)
    seeds = _labelled(data, data.seeds("1", t).indices)
    found, trials = answer(data.graph, seeds, method), []
    for round_number, size in enumerate(sizes):
        accuracy = accuracy_of(found.labelled.codes, data, found.seeds)
        seconds = time.perf_counter() - start
        trials.append(new_trial(data, _spec(strategy), rate=str(size), t=t, accuracy=accuracy, seconds=seconds))
        if size < sizes[-1]:
            new = found.suggest(sizes[0], strategy=strategy, random_state=100 * t + round_number)
            more = _labelled(data, np.concatenate([found.seeds.indices, new]))
            found = answer(data.graph, more, method, before=found)
    for trial in trials:
        store.append(trial)


def _labelled(data: Dataset, nodes: NDArray[np.int64]) -> Seeds:
    return Seeds.from_classes(nodes, data.y[nodes], n_classes=int(data.y.max()) + 1, balanced=True)


def _tabulated(setting: Setting) -> tuple[Table, Any]:
    """Return the table and the figure of the runs that the store has."""
    data = setting.data
    columns = [str(size) for size in _sizes(data)]
    entries = {
        (strategy, size): Entry(accuracies(setting.store, data, _spec(strategy), rate=size, draws=setting.draws))
        for strategy in STRATEGIES
        for size in columns
    }
    notes = [
        "Accuracy in percent over the points without a label. Columns: labels in all, asked for in batches.",
        f"{surroundings()}.",
    ]
    table = Table(f"What to label next: {data.title}", [*STRATEGIES], columns, entries, notes=notes)
    return table, _curves(table)


def _curves(table: Table) -> Any:
    """Draw accuracy against the number of labels, a line for each strategy."""
    with house_figure(5.4, 3.6) as figure:
        axes = figure.subplots()
        labels = [int(column) for column in table.columns]
        for row, colour in zip(table.rows, (*TEN[: len(table.rows) - 1], GREY), strict=True):
            axes.plot(
                labels, [table.entry(row, column).mean for column in table.columns], "o-", color=colour, label=row
            )
        axes.set(xlabel="labels", ylabel="accuracy in percent", title=table.title)
        axes.legend()
    return figure


LABEL_NEXT = Experiment(
    name=NAME, title="Accuracy against labels asked for", tabulate=_tabulated, tasks=_tasks, draws=FEW
)
