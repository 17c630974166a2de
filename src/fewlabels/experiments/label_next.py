"""What to label next, measured: accuracy against the number of labels asked for, by each strategy."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from fewlabels.datasets import Dataset, load_dataset
from fewlabels.decision import decide
from fewlabels.experiments.jobs import Task, work_through
from fewlabels.experiments.plans import Spec
from fewlabels.experiments.runner import trial_key
from fewlabels.experiments.store import Store, Trial
from fewlabels.labels import Seeds
from fewlabels.methods import InterfaceLaplace
from fewlabels.report.tables import Entry, Table
from fewlabels.suggestion import STRATEGIES, suggested

__all__ = ["ask", "asked_table"]

ROUNDS = 4


def ask(dataset: str, runs: int, store: Store) -> None:
    """Run what the store lacks: from one label per class, ask for as many again, four times, by each strategy."""
    data = load_dataset(dataset)
    tasks = [_task(data, strategy, t, store) for t in range(runs) for strategy in STRATEGIES]
    work_through(tasks, store, "runs of asking")


def asked_table(dataset: str, runs: int, store: Store, notes: Sequence[str]) -> tuple[Table, Any]:
    """Return table and picture of the runs that the store has."""
    data = load_dataset(dataset)
    columns = [str(size) for size in _sizes(data)]
    entries = {}
    for strategy in STRATEGIES:
        for column in columns:
            keys = [trial_key(data, _spec(strategy), column, t) for t in range(runs)]
            found = [store.trials[key].accuracy for key in keys if key in store.trials]
            entries[strategy, column] = Entry(tuple(found))
    more = ["Accuracy in percent over the points without a label. Columns: labels in all, asked for in batches."]
    table = Table(f"What to label next: {data.title}", [*STRATEGIES], columns, entries, [*more, *notes])
    return table, _lines(table)


def _sizes(data: Dataset) -> list[int]:
    """Return the numbers of labels at which accuracy is told."""
    classes = int(data.y.max()) + 1
    return [classes * (1 + r) for r in range(ROUNDS + 1)]


def _spec(strategy: str) -> Spec:
    return Spec("label-next", {"strategy": strategy})


def _task(data: Dataset, strategy: str, t: int, store: Store) -> Task:
    keys = [trial_key(data, _spec(strategy), str(size), t) for size in _sizes(data)]
    name = f"{data.name} {data.checksum[:16]} {_spec(strategy)} {t}"
    return Task(name, lambda: all(key in store.trials for key in keys), partial(_run, data, strategy, t, store))


def _run(data: Dataset, strategy: str, t: int, store: Store) -> None:
    nodes, start = data.seeds("1", t).indices, time.perf_counter()
    method, classes = InterfaceLaplace(), int(data.y.max()) + 1
    seeds = Seeds.from_classes(nodes, data.y[nodes], n_classes=classes, balanced=True)
    spread = method.spread(data.graph, seeds)
    told = []
    for size in _sizes(data):
        decision = decide(spread.scores, data.graph, seeds)
        others = np.setdiff1d(np.arange(data.y.size), seeds.indices)
        accuracy = round(100.0 * float(np.mean(decision.codes[others] == data.y[others])), 4)
        spent = round(time.perf_counter() - start, 3)
        told.append(Trial(data.name, data.checksum[:16], str(_spec(strategy)), str(size), t, accuracy, spent))
        if size < _sizes(data)[-1]:
            new = suggested(data.graph, seeds, decision, classes, strategy, random_state=100 * t + len(told) - 1)
            nodes = np.concatenate([seeds.indices, new])
            more = Seeds.from_classes(nodes, data.y[nodes], n_classes=classes, balanced=True)
            spread, seeds = method.spread_again(data.graph, more, spread, seeds), more
    for trial in told:
        store.append(trial)


def _lines(table: Table) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.4, 3.6), layout="constrained")
    axes = figure.subplots()
    labels = [int(column) for column in table.columns]
    for row, colour in zip(table.rows, ("#2456b3", "#e07b00", "#5f6b7a"), strict=True):
        means = [table.entry(row, column).mean for column in table.columns]
        axes.plot(labels, means, "o-", color=colour, ms=4, label=row)
    axes.set_xlabel("labels")
    axes.set_ylabel("accuracy in percent")
    axes.set_title(table.title, fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return figure
