"""Seconds of each stage of a fit, beside the paper's on its graphics card."""

from __future__ import annotations

import time

import numpy as np

from fewlabels.bench import stages
from fewlabels.datasets import load_dataset
from fewlabels.experiments.plans import HOPS, TARGETS
from fewlabels.methods import InterfaceLaplace
from fewlabels.report.tables import Entry, Table
from fewlabels.solvers import mixing_steps

__all__ = ["timing_table"]

PAPER = {"T": 0.05, "interface": 0.0065, "A": 0.4, "lambda": 0.008, "f": 0.0004, "u": 0.06}
OURS = {"hop counts": "interface", "Green's columns": "A", "lambda": "lambda", "term": "f", "inference": "u"}
REPEATS = 7


def timing_table(dataset: str, notes: list[str]) -> Table:
    """Return the table of wall times at one label per class; the median of the repeats is their mean's neighbour."""
    data = load_dataset(dataset)
    graph, seeds = data.graph, data.seeds("1", 0)
    method = InterfaceLaplace()
    if dataset in HOPS:
        method = InterfaceLaplace(hops=HOPS[dataset]["1"], target_mse=TARGETS[dataset])
    runs = {OURS[name]: run for name, run, _ in stages(graph, seeds, method)}
    runs["T"] = lambda: mixing_steps(graph, seeds.indices)
    entries = {}
    for stage in PAPER:
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            runs[stage]()
            times.append(time.perf_counter() - start)
        entries[stage, "seconds"] = Entry(tuple(times))
    total = [entries[stage, "seconds"].values for stage in PAPER if stage != "T"]
    entries["sum without T", "seconds"] = Entry(tuple(np.sum(total, axis=0).tolist()))
    told = (
        {(stage, "seconds"): (seconds, float("nan")) for stage, seconds in PAPER.items()} if dataset == "mnist" else {}
    )
    if told:
        told["sum without T", "seconds"] = (sum(PAPER.values()) - PAPER["T"], float("nan"))
    rows = [*PAPER, "sum without T"]
    more = [
        "Ours on the processor, the paper's on a 3090 Ti. T is needed only by the solvers that do the paper's steps."
    ]
    return Table(f"Seconds of each stage: {data.title}", rows, ["seconds"], entries, more + notes, told, digits=4)
