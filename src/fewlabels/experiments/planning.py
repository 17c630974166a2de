"""Experiments that are plans: trials of every cell go into the store, and the table is read from there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fewlabels.datasets import Dataset, base_of, load_dataset
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.experiment import Experiment, Request, Setting, Tabulate
from fewlabels.experiments.jobs import Task
from fewlabels.experiments.plans import EVERY, Cell, Draws, Plan, checked_rates
from fewlabels.experiments.published import published
from fewlabels.experiments.runner import plan_tasks, spec_version, trials_of
from fewlabels.experiments.store import Store, Trial
from fewlabels.report.charts import chart_of
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = ["heading", "kept_rows", "lead_of", "plan_of", "planned", "seconds_table", "setting_plan", "table_of"]

COLUMNS = {"unbalanced": "1 and 5 labels per class in turn", "1": "1 label per class"}


def planned(
    name: str,
    title: str,
    *,
    rates: tuple[str, ...],
    cells: Callable[[str, Sequence[str]], list[Cell]],
    also: Mapping[str, Tabulate] | None = None,
    draws: Draws = EVERY,
    axis: str = "",
) -> Experiment:
    """Return the experiment whose trials are those of some cells."""
    return Experiment(
        name=name,
        title=title,
        tabulate=_tabulated,
        tasks=_tasks,
        check=_check,
        also=also or {},
        draws=draws,
        rates=rates,
        cells=cells,
        axis=axis,
        has_rows=True,
    )


def plan_of(experiment: Experiment, dataset: str, *, rates: Sequence[str] = (), rows: Sequence[str] = ()) -> Plan:
    """Return an experiment's plan on a data set, with other rates or fewer rows if asked for."""
    if experiment.cells is None:
        raise FewlabelsError(f"{experiment.name} is no plan of trials; run it with fewlabels paper {experiment.name}.")
    cells = experiment.cells(dataset, tuple(checked_rates(rates)) or experiment.rates)
    wanted = kept_rows(experiment.name, list(dict.fromkeys(cell.row for cell in cells)), rows)
    kept = tuple(cell for cell in cells if cell.row in wanted)
    return Plan(experiment.name, experiment.title, dataset, kept, experiment.draws)


def kept_rows(experiment: str, known: Sequence[str], rows: Sequence[str]) -> list[str]:
    """Return those of an experiment's rows that were asked for, all if none were; refuse others.

    Examples
    --------
    >>> kept_rows("loss", ["MSE", "CE"], ["ce"])
    ['CE']
    """
    wanted = [next((row for row in known if row.lower() == asked.strip().lower()), asked) for asked in rows]
    if unknown := [row for row in wanted if row not in known]:
        raise FewlabelsError(f"{experiment} has no row {unknown[0]!r}; it has {', '.join(known)}.")
    return [row for row in known if not wanted or row in wanted]


def setting_plan(setting: Setting) -> Plan:
    """Return the plan of a run, as it was asked for."""
    return plan_of(setting.experiment, setting.dataset, rates=setting.request.rates, rows=setting.request.rows)


def table_of(plan: Plan, store: Store, trials: int, *, data: Dataset | None = None) -> Table:
    """Return the plan's table over the trials that the store has; what was not run is blank.

    Nothing is solved here. The data set is loaded if it is not handed over.
    """
    data = data or load_dataset(plan.dataset)
    draws = plan.draws.among(trials)
    run = [(cell, trials_of(store, data, cell.spec, rate=cell.rate, draws=draws)) for cell in plan.cells]
    entries = {(cell.row, cell.column): Entry(tuple(t.accuracy for t in found)) for cell, found in run}
    notes = [
        "Accuracy in percent over the nodes without a label, mean ± deviation over the draws; the best is bold.",
        *_told_by_other_code(run),
        f"Data {data.checksum[:16]}, {'fixed' if data.draws else 'own'} draws; {surroundings()}.",
        *(f"{cell.row}, {cell.column}: {cell.spec}" for cell in plan.cells if cell.spec.params),
    ]
    beside = published(plan.name, plan.dataset) or published(plan.name, base_of(plan.dataset))
    title = f"{plan.title}: {data.title}"
    heads = {column: heading(column) for column in plan.columns}
    return Table(title, plan.rows, plan.columns, entries, notes=notes, published=beside, heads=heads, has_best=True)


def seconds_table(setting: Setting) -> tuple[Table, None]:
    """Return what the trials of a plan took, as far as the store has them."""
    plan, draws = setting_plan(setting), setting.draws
    entries = {}
    for cell in plan.cells:
        trials = trials_of(setting.store, setting.data, cell.spec, rate=cell.rate, draws=draws)
        entries[cell.row, cell.column] = Entry(tuple(trial.seconds for trial in trials))
    notes = ["Seconds of a fit on a known graph, mean ± deviation over the draws.", f"{surroundings()}."]
    heads = {column: heading(column) for column in plan.columns}
    title = f"{plan.title}, seconds: {setting.data.title}"
    return Table(title, plan.rows, plan.columns, entries, notes=notes, heads=heads), None


def lead_of(row: str) -> Tabulate:
    """Return what tabulates by how much a row of a plan is ahead of each other that was asked for, draw by draw."""

    def tabulated(setting: Setting) -> tuple[Table, None]:
        plan = setting_plan(setting)
        whole = plan_of(setting.experiment, setting.dataset, rates=setting.request.rates)
        others = [each for each in plan.rows if each != row]
        run = [
            (cell, trials_of(setting.store, setting.data, cell.spec, rate=cell.rate, draws=setting.draws))
            for cell in whole.cells
            if cell.row in (row, *others)
        ]
        found = {(cell.row, cell.column): {trial.draw: trial.accuracy for trial in trials} for cell, trials in run}
        entries = {}
        for other, column in ((other, column) for other in others for column in plan.columns):
            ours, theirs = found[row, column], found[other, column]
            entries[other, column] = Entry(tuple(ours[t] - theirs[t] for t in ours if t in theirs))
        notes = [
            f"Accuracy of {row} less that of each other row, mean ± deviation over the draws that both have.",
            "The deviation of the mean is this deviation divided by the root of the number of draws.",
            *_told_by_other_code(run),
            f"{surroundings()}.",
        ]
        heads = {column: heading(column) for column in plan.columns}
        title = f"{plan.title}, lead of {row}: {setting.data.title}"
        return Table(title, others, plan.columns, entries, notes=notes, heads=heads), None

    return tabulated


def heading(column: str) -> str:
    """Return what stands above a column: a label rate in words, anything else as it is.

    Examples
    --------
    >>> heading("1"), heading("5"), heading("k = 3")
    ('1 label per class', '5 labels per class', 'k = 3')
    """
    return COLUMNS.get(column, f"{column} labels per class" if column.isdecimal() else column)


def _told_by_other_code(trials: Sequence[tuple[Cell, Sequence[Trial]]]) -> list[str]:
    """Say which cells have trials that were made by other code than that at hand."""
    told = []
    for cell, found in trials:
        versions = Counter(trial.version or "unknown" for trial in found if trial.version != spec_version(cell.spec))
        if versions:
            which = ", ".join(f"{count} of {len(found)} by {version}" for version, count in sorted(versions.items()))
            told.append(f"{cell.row}, {cell.column}: {which}")
    return [f"Made by other code than this ({'; '.join(told)}); --redo-older runs them again."] if told else []


def _check(experiment: Experiment, request: Request, dataset: str) -> None:
    """Refuse rates and rows that the plan does not have."""
    plan_of(experiment, dataset, rates=request.rates, rows=request.rows)


def _tasks(setting: Setting) -> list[Task]:
    return plan_tasks(setting_plan(setting), setting.subject, setting.store, trials=setting.request.trials)


def _tabulated(setting: Setting) -> tuple[Table, Any]:
    table = table_of(setting_plan(setting), setting.store, setting.request.trials, data=setting.data)
    return table, chart_of(table, what="accuracy in percent", axis=setting.experiment.axis)
