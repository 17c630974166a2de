"""From a plan and its store to a table; nothing is solved here."""

from __future__ import annotations

import datetime
import os
import platform
from importlib.metadata import version

from fewlabels.datasets import base_of, load_dataset
from fewlabels.experiments.plans import Plan
from fewlabels.experiments.published import published
from fewlabels.experiments.runner import trial_key
from fewlabels.experiments.store import Store
from fewlabels.report.tables import Entry, Table

__all__ = ["surroundings", "table_of"]

PACKAGES = ("fewlabels", "numpy", "scipy", "scikit-learn")


def surroundings() -> str:
    """Return the versions, the machine and the date."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return f"{versions}; Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; " + str(
        datetime.date.today()
    )


def table_of(plan: Plan, store: Store, trials: int) -> Table:
    """Return the plan's table over the trials that the store has; what was not run is blank."""
    data = load_dataset(plan.dataset)
    entries = {}
    for cell in plan.cells:
        keys = [trial_key(data, cell.spec, cell.rate, t) for t in plan.draws(trials)]
        found = [store.trials[key] for key in keys if key in store.trials]
        entries[cell.row, cell.column] = Entry(tuple(trial.accuracy for trial in found))
    named = {"unbalanced": "1 and 5 labels in turn", "1": "1 label per class"}
    columns = list(dict.fromkeys(cell.column for cell in plan.cells))
    notes = [
        f"Columns: {', '.join(named.get(c, f'{c} labels per class') for c in columns)}. Accuracy in percent over the "
        "nodes without a label, mean ± deviation over the draws.",
        f"Data {data.checksum[:16]}, {'fixed' if data.draws else 'own'} draws; {surroundings()}.",
        *(f"{cell.row}, {cell.column}: {cell.spec}" for cell in plan.cells if cell.spec.params),
    ]
    rows = list(dict.fromkeys(cell.row for cell in plan.cells))
    beside = published(plan.name, plan.dataset) or published(plan.name, base_of(plan.dataset))
    return Table(f"{plan.title}: {data.title}", rows, columns, entries, notes, beside)
