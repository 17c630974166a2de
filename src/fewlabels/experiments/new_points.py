"""Points that come after the fit: prediction compared with a fit that includes them."""

from __future__ import annotations

import time

import numpy as np

from fewlabels.errors import FewlabelsError
from fewlabels.estimators import FewLabelClassifier
from fewlabels.experiments.experiment import Experiment, Setting
from fewlabels.experiments.plans import FEW
from fewlabels.progress import track
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = ["NEW_POINTS"]

NEW_SHARE = 7
"""One of so many points is left out of the fit."""

WARM_UP = 100
"""New points that are predicted before the clock starts."""


def _tabulated(setting: Setting) -> tuple[Table, None]:
    """Leave a seventh of the points out, predict them, and compare with a fit that includes them."""
    data = setting.data
    if data.features is None:
        raise FewlabelsError("new points need features; this data set has only neighbours.")
    found: dict[str, list[float]] = {
        "agreement with refitting": [],
        "accuracy": [],
        "accuracy, refitted": [],
        "seconds": [],
    }
    for t in track(setting.draws, "draws"):
        seeds = data.seeds("1", t)
        free = np.setdiff1d(np.arange(data.y.size), seeds.indices)
        new = np.sort(np.random.default_rng(t).choice(free, size=data.y.size // NEW_SHARE, replace=False))
        old = np.setdiff1d(np.arange(data.y.size), new)
        y = np.full(data.y.size, -1)
        y[seeds.indices] = data.y[seeds.indices]
        model = FewLabelClassifier().fit(data.features[old], y[old])
        model.predict(data.features[new[:WARM_UP]])
        start = time.perf_counter()
        predicted = model.predict(data.features[new])
        found["seconds"].append(time.perf_counter() - start)
        refitted = FewLabelClassifier().fit(data.features, y).transduction_[new]
        found["agreement with refitting"].append(100.0 * float(np.mean(predicted == refitted)))
        found["accuracy"].append(100.0 * float(np.mean(predicted == data.y[new])))
        found["accuracy, refitted"].append(100.0 * float(np.mean(refitted == data.y[new])))
    column = f"{data.y.size // NEW_SHARE:,} new points"
    entries = {(row, column): Entry(tuple(values)) for row, values in found.items()}
    notes = [
        "In percent and seconds; one label per class. New points take the mean of their neighbours by edge weight.",
        f"{surroundings()}.",
    ]
    return Table(f"New points: {data.title}", [*found], [column], entries, notes=notes), None


NEW_POINTS = Experiment(name="new-points", title="Points that come after the fit", tabulate=_tabulated, draws=FEW)
