"""What to label next: accuracy of the default against the number of labels, by the strategy that chose them.

From one label per class, as many again are added four times. Runs over the suite and the sets of the paper.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.active import STRATEGIES
from fewlabels.answer import answer
from fewlabels.errors import FewlabelsWarning
from fewlabels.experiments.experiment import Experiment, Request, Setting
from fewlabels.experiments.jobs import Task
from fewlabels.experiments.labellers import DEFAULT_MODULES, default_method
from fewlabels.experiments.planning import kept_rows
from fewlabels.experiments.plans import FEW, Spec
from fewlabels.experiments.store import Store, Trial
from fewlabels.experiments.suite_data import Shelf, SuiteSet, checked_names, drawn, identified_once
from fewlabels.experiments.versions import code_version
from fewlabels.labels import Seeds
from fewlabels.methods import DEFAULT_METHOD
from fewlabels.report.style import GREY, TEN, house_figure
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = ["LABEL_NEXT"]

NAME = "label-next"
ROUNDS = ("1", "2", "3", "4", "5")
"""Labels for every class in the mean."""


def _trial(each: SuiteSet, strategy: str, part: str, t: int, accuracy: float = 0.0, seconds: float = 0.0) -> Trial:
    spec = str(Spec(NAME, {"strategy": strategy, "method": DEFAULT_METHOD}))
    parts = (each.name, each.checksum, spec, part, t, round(accuracy, 4), round(seconds, 3))
    return Trial(*parts, version=code_version(*DEFAULT_MODULES))


def _tasks(setting: Setting) -> Sequence[Task]:
    """Return a task for each data set, draw and strategy."""
    shelf = Shelf(setting.store)
    return [
        _task(each, shelf, setting.store, strategy, t)
        for each in identified_once(setting)
        for t in each.draws(setting.draws)
        for strategy in _rows(setting.request)
    ]


def _task(each: SuiteSet, shelf: Shelf, store: Store, strategy: str, t: int) -> Task:
    wanted = [_trial(each, strategy, part, t) for part in ROUNDS]
    name = f"{each.name} {each.checksum} {NAME} {strategy} {t}"

    def is_done() -> bool:
        return all(store.has(trial.key, trial.version) for trial in wanted)

    return Task(name, is_done, partial(_run, each, shelf, store, strategy, t))


def _run(each: SuiteSet, shelf: Shelf, store: Store, strategy: str, t: int) -> None:
    """Add labels round by round; put all rounds into the store at the end, so that a run is there whole or not."""
    data, start, trials = shelf.data(each), time.perf_counter(), []
    method, classes = default_method(data), int(data.y.max()) + 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewlabelsWarning)
        found = answer(data.graph, _labelled(data.y, drawn(data.y, "1", t)), method)
        for place, part in enumerate(ROUNDS):
            if place:
                new = found.suggest(classes, strategy=strategy, random_state=100 * t + place)
                more = _labelled(data.y, np.concatenate([found.seeds.indices, new]))
                found = answer(data.graph, more, method, before=found)
            others = np.ones(data.y.size, dtype=bool)
            others[found.seeds.indices] = False
            accuracy = 100.0 * float(np.mean((found.labelled.labels == data.y)[others]))
            trials.append(_trial(each, strategy, part, t, accuracy, time.perf_counter() - start))
    for trial in trials:
        store.append(trial)


def _labelled(y: NDArray[np.int64], nodes: NDArray[np.int64]) -> Seeds:
    return Seeds.from_classes(nodes, y[nodes], balanced=True)


def _rows(request: Request) -> list[str]:
    return kept_rows(NAME, list(STRATEGIES), request.rows)


def _check(experiment: Experiment, request: Request, dataset: str) -> None:
    """Refuse strategies and data sets that there are not."""
    _rows(request)
    checked_names(request.datasets)


def _tabulated(setting: Setting) -> tuple[Table, Any]:
    """Return the table, a row for each data set and strategy, and the figure of the runs that the store has."""
    trials, rows = setting.store.trials, {}
    for each in identified_once(setting):
        for strategy in _rows(setting.request):
            keys = [[_trial(each, strategy, part, t).key for t in each.draws(setting.draws)] for part in ROUNDS]
            values = [tuple(trials[key].accuracy for key in part if key in trials) for part in keys]
            if values[0]:
                rows[each.name, strategy] = values
    names = [f"{name}, {strategy}" for name, strategy in rows]
    entries = {
        (name, part): Entry(values)
        for name, parts in zip(names, rows.values(), strict=True)
        for part, values in zip(ROUNDS, parts, strict=True)
    }
    notes = [
        "Accuracy in percent over the points without a label. Columns: labels for every class in the mean; the first "
        "are one of each class, the others are asked for in batches, or drawn at random.",
        f"{surroundings()}.",
    ]
    return Table("What to label next", names, list(ROUNDS), entries, notes=notes), _curves(rows)


def _curves(rows: dict[tuple[str, str], list[tuple[float, ...]]]) -> Any:
    """Draw accuracy against the number of labels, a panel for each data set and a line for each strategy."""
    sets = list(dict.fromkeys(name for name, _ in rows))
    if not sets:
        return None
    wide = min(4, len(sets))
    high = -(-len(sets) // wide)
    colours = dict(zip(STRATEGIES, (*TEN[: len(STRATEGIES) - 1], GREY), strict=True))
    with house_figure(2.4 * wide + 0.6, 1.9 * high + 0.8) as figure:
        panels = figure.subplots(high, wide, squeeze=False, sharex=True).ravel()
        marks: dict[str, Any] = {}
        for axes, name in zip(panels, sets, strict=False):
            for strategy, colour in colours.items():
                if (name, strategy) in rows:
                    means = [float(np.mean(values)) for values in rows[name, strategy]]
                    marks[strategy] = axes.plot(range(1, len(means) + 1), means, "o-", color=colour, ms=3)[0]
            axes.set_title(name, fontsize=9)
        for axes in panels[len(sets) :]:
            axes.set_visible(False)
        figure.supxlabel("labels for every class in the mean", fontsize=9)
        figure.supylabel("accuracy in percent", fontsize=9)
        figure.legend(list(marks.values()), list(marks), loc="outside upper center", ncols=len(marks))
    return figure


LABEL_NEXT = Experiment(
    name=NAME,
    title="Accuracy against labels asked for",
    tabulate=_tabulated,
    tasks=_tasks,
    check=_check,
    draws=FEW,
    across=True,
    has_rows=True,
)
