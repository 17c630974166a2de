"""One number of labels, in a process of its own so that its peak memory is its own.

Run in a process of its own by `fewlabels bench --what labels`; arguments: DATASET LABELS.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from fewlabels.bench.growth import forget_the_peak, peak_gigabytes
from fewlabels.datasets import load_dataset
from fewlabels.labels import Seeds
from fewlabels.methods import InterfaceLaplace

__all__ = ["main"]


def main(arguments: list[str]) -> None:
    """Fit so many labels, the solver prepared before, and print seconds and extra memory as JSON."""
    data, m = load_dataset(arguments[0]), int(arguments[1])
    InterfaceLaplace().spread(data.graph, data.seeds("1", 0))
    nodes = np.random.default_rng(0).choice(data.y.size, size=m, replace=False)
    seeds = Seeds.from_classes(nodes, data.y[nodes])
    forget_the_peak()
    before, start = peak_gigabytes(), time.perf_counter()
    found = InterfaceLaplace().scores(data.graph, seeds).argmax(axis=1)
    seconds = time.perf_counter() - start
    told = {"m": m, "fit": seconds, "gigabytes": peak_gigabytes() - before, "accuracy": float(np.mean(found == data.y))}
    sys.stdout.write(json.dumps(told) + "\n")
