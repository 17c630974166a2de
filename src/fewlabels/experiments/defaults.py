"""The defaults beside a grid of k and target errors, and what they lose to the best cell of that grid."""

from __future__ import annotations

from fewlabels.datasets import Dataset
from fewlabels.experiments.experiment import Setting
from fewlabels.experiments.paper import LOW_RATES, by_rate
from fewlabels.experiments.planning import heading, planned, setting_plan
from fewlabels.experiments.plans import ODD, Plan, Spec
from fewlabels.experiments.runner import trials_of
from fewlabels.experiments.store import Store
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = ["DEFAULTS", "regret_table"]

DEFAULT, POISSON = "default", "Poisson"
GRID = {
    f"k = {k} and target {goal:g}": Spec("interface-laplace", {"hops": k, "target_mse": goal})
    for k in range(-1, 7)
    for goal in (0.1, 0.2, 0.3, 0.4, 0.6)
}


def _rows(dataset: str, rate: str) -> dict[str, Spec]:
    return {
        DEFAULT: Spec("interface-laplace"),
        "hop rule and target 0.2": Spec("interface-laplace", {"positions": "hops", "target_mse": 0.2}),
        POISSON: Spec("poisson"),
        **GRID,
    }


def regret_table(plan: Plan, store: Store, trials: int, *, data: Dataset) -> Table:
    """Return the accuracy of the default, of the best cell of the grid and of Poisson learning, and the differences.

    The best cell is chosen on the same draws on which it is measured, so the regret is an upper bound.
    """
    draws = plan.draws.among(trials)
    entries: dict[tuple[str, str], Entry] = {}
    best = []
    for column in plan.columns:
        found: dict[str, tuple[float, ...]] = {}
        for cell in plan.cells:
            run = trials_of(store, data, cell.spec, rate=cell.rate, draws=draws)
            values = tuple(trial.accuracy for trial in run)
            if cell.column == column and values and len(values) == len(draws):
                found[cell.row] = values
        means = {row: sum(found[row]) / len(draws) for row in GRID if row in found}
        if DEFAULT not in found or not means:
            continue
        row = max(means, key=lambda each: means[each])
        best.append(f"{column}: {row}")
        entries[DEFAULT, column] = Entry(found[DEFAULT])
        entries["best of the grid", column] = Entry(found[row])
        entries["regret", column] = _differences(found[row], found[DEFAULT])
        if POISSON in found:
            entries[POISSON, column] = Entry(found[POISSON])
            entries["ahead of Poisson", column] = _differences(found[DEFAULT], found[POISSON])
    rows = [DEFAULT, "best of the grid", "regret", POISSON, "ahead of Poisson"]
    notes = [
        f"Best of the grid at {'; '.join(best)}." if best else "No cell has all its odd draws.",
        "Accuracy in percent over the odd draws.",
        f"{surroundings()}.",
    ]
    heads = {column: heading(column) for column in plan.columns}
    return Table(f"Regret of the defaults: {data.title}", rows, plan.columns, entries, notes=notes, heads=heads)


def _differences(a: tuple[float, ...], b: tuple[float, ...]) -> Entry:
    return Entry(tuple(x - y for x, y in zip(a, b, strict=True)))


def _regret(setting: Setting) -> tuple[Table, None]:
    table = regret_table(setting_plan(setting), setting.store, setting.request.trials, data=setting.data)
    return table, None


DEFAULTS = planned(
    "defaults",
    "The default beside a grid of k and target errors",
    rates=LOW_RATES,
    cells=by_rate(_rows),
    also={"regret": _regret},
    draws=ODD,
)
