"""Seconds of each stage of a fit, beside the paper's on its graphics card."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from fewlabels.bench import stages
from fewlabels.experiments.experiment import Experiment, Setting
from fewlabels.experiments.plans import HOPS, TARGETS
from fewlabels.methods import InterfaceLaplace
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table
from fewlabels.solvers import mixing_steps

__all__ = ["TIMING"]

STAGES = {"interface": "hop counts", "A": "Green's columns", "lambda": "lambda", "f": "term", "u": "inference"}
"""The paper's names of the stages, and ours."""

MIXING = "T"
TOTAL = "sum without T"
PUBLISHED = {"mnist": {MIXING: 0.05, "interface": 0.0065, "A": 0.4, "lambda": 0.008, "f": 0.0004, "u": 0.06}}
"""The paper's seconds by data set."""

REPEATS = 7


def _tabulated(setting: Setting) -> tuple[Table, None]:
    """Return the seconds of each stage at one label per class, mean and deviation over seven repeats."""
    data = setting.data
    graph, seeds = data.graph, data.seeds("1", 0)
    method = InterfaceLaplace()
    if data.name in HOPS:
        method = InterfaceLaplace(hops=HOPS[data.name]["1"], target_mse=TARGETS[data.name])
    ours = {name: stage for name, stage, _ in stages(graph, seeds, method)}
    seconds = {MIXING: _seconds(lambda: mixing_steps(graph, seeds.indices))}
    seconds |= {name: _seconds(ours[stage]) for name, stage in STAGES.items()}
    seconds[TOTAL] = tuple(np.sum([seconds[name] for name in STAGES], axis=0).tolist())
    published = dict(PUBLISHED.get(data.name, {}))
    if published:
        published[TOTAL] = sum(published.values()) - published[MIXING]
    notes = [
        "Ours on the processor, the paper's on a 3090 Ti. T is needed only by the solvers that do the paper's steps.",
        f"{surroundings()}.",
    ]
    table = Table(
        f"Seconds of each stage: {data.title}",
        [*seconds],
        ["seconds"],
        {(row, "seconds"): Entry(values) for row, values in seconds.items()},
        notes=notes,
        published={(row, "seconds"): (value, float("nan")) for row, value in published.items()},
        digits=4,
    )
    return table, None


def _seconds(stage: Callable[[], object]) -> tuple[float, ...]:
    """Return the wall times of some repeats."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        stage()
        times.append(time.perf_counter() - start)
    return tuple(times)


TIMING = Experiment(name="timing", title="Wall time of each stage", tabulate=_tabulated)
