"""Every row labelled, many classes, and wide features: each beside an ordinary case of the same size."""

from __future__ import annotations

import json
import sys
from functools import partial

import numpy as np

from fewlabels.bench.growth import forget_the_peak, peak_gigabytes
from fewlabels.bench.record import Report
from fewlabels.datasets import load_dataset
from fewlabels.estimators import FewLabelClassifier
from fewlabels.graph import Graph

__all__ = ["extremes", "main"]

ROWS, CLASSES, FEWER = 1200, 300, 30
POINTS, FEATURES = 3000, 20
WIDE = (10_000, 768)


def extremes(report: Report, repeats: int) -> None:
    """Time digits with every row labelled beside ten labels, and 300 classes beside 30 on one graph."""
    digits = load_dataset("digits")
    assert digits.features is not None
    X, y = digits.features[:ROWS], digits.y[:ROWS]
    few = np.full(ROWS, -1)
    first = np.unique(y, return_index=True)[1]
    few[first] = y[first]
    ten = report.add("ours: digits, ten labels", lambda: FewLabelClassifier().fit(X, few), repeats)
    every = report.add(f"ours: digits, all {ROWS:,} rows labelled", lambda: FewLabelClassifier().fit(X, y), repeats)
    report.ratios.append(("every row labelled: this / ten labels, at most", every / ten, "3"))
    X, which = _blobs()
    graph = Graph.from_features(X)
    seconds = []
    for classes in (FEWER, CLASSES):
        truth = which % classes
        given = np.full(POINTS, -1)
        at = np.unique(truth, return_index=True)[1]
        given[at] = truth[at]
        model = FewLabelClassifier(graph="precomputed")
        seconds.append(report.add(f"ours: {classes} classes", partial(model.fit, graph, given), repeats))
    report.ratios.append((f"{CLASSES} classes / {FEWER} on one graph, at most", seconds[1] / seconds[0], "4"))


def _blobs() -> tuple[np.ndarray, np.ndarray]:
    """Return points of as many blobs as there are classes at most, which overlap, and the blob of each."""
    rng = np.random.default_rng(0)
    which = np.arange(POINTS) % CLASSES
    return rng.normal(size=(CLASSES, FEATURES))[which] + rng.normal(size=(POINTS, FEATURES)), which


def main(_: list[str]) -> None:
    """Print how much memory the graph of wide features takes beyond what was held before, as JSON."""
    X = np.random.default_rng(0).standard_normal(WIDE, dtype=np.float32)
    Graph.from_features(X[:500])
    forget_the_peak()
    before = peak_gigabytes()
    Graph.from_features(X)
    sys.stdout.write(json.dumps({"megabytes": 1000 * (peak_gigabytes() - before)}) + "\n")
