"""What the defaults lose to the best of a grid that is chosen by looking at the truth."""

from __future__ import annotations

from fewlabels.datasets import load_dataset
from fewlabels.experiments.plans import DEFAULT, GRID_ROW, Plan
from fewlabels.experiments.runner import trial_key
from fewlabels.experiments.store import Store
from fewlabels.report.tables import Entry, Table

__all__ = ["regret_table"]

POISSON = "Poisson"


def regret_table(plan: Plan, store: Store, trials: int, notes: list[str]) -> Table:
    """Return default, best of the grid and Poisson over the odd draws; the even ones were there to choose the rule by.

    The best cell is chosen on the very draws it is judged by, so that the regret is an upper bound.
    """
    data = load_dataset(plan.dataset)
    columns = list(dict.fromkeys(cell.column for cell in plan.cells))
    entries: dict[tuple[str, str], Entry] = {}
    best = []
    for column in columns:
        found: dict[str, tuple[float, ...]] = {}
        for cell in plan.cells:
            keys = [trial_key(data, cell.spec, cell.rate, t) for t in plan.draws(trials)]
            if cell.column == column and keys and all(key in store.trials for key in keys):
                found[cell.row] = tuple(store.trials[key].accuracy for key in keys)
        means = {row: sum(values) / len(values) for row, values in found.items() if row.startswith(GRID_ROW)}
        if DEFAULT not in found or not means:
            continue
        row = max(means, key=lambda each: means[each])
        best.append(f"{column}: {row}")
        entries[DEFAULT, column] = Entry(found[DEFAULT])
        entries["best of the grid", column] = Entry(found[row])
        entries["regret", column] = _less(found[row], found[DEFAULT])
        if POISSON in found:
            entries[POISSON, column] = Entry(found[POISSON])
            entries["ahead of Poisson", column] = _less(found[DEFAULT], found[POISSON])
    rows = [DEFAULT, "best of the grid", "regret", POISSON, "ahead of Poisson"]
    more = [
        f"Best of the grid at {'; '.join(best)}." if best else "No cell has all its odd draws.",
        "Accuracy in percent over the odd draws; columns are labels per class.",
    ]
    return Table(f"Regret of the defaults: {data.title}", rows, columns, entries, more + notes)


def _less(a: tuple[float, ...], b: tuple[float, ...]) -> Entry:
    return Entry(tuple(x - y for x, y in zip(a, b, strict=True)))
