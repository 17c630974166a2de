"""The labelling loop: one label added to a fitted model, and what to label next, beside a textbook fit."""

from __future__ import annotations

import time

import numpy as np

from fewlabels.bench.record import Report
from fewlabels.bench.textbook import textbook_labels
from fewlabels.datasets import Dataset
from fewlabels.estimators import FewLabelClassifier

__all__ = ["loop"]


def loop(report: Report, data: Dataset, repeats: int) -> None:
    """Time `add_labels` of one label, with labels and confidence of all points, and `suggest(5)` after it."""
    graph, seeds = data.graph, data.seeds("1", 0)
    given = np.full(data.y.size, -1)
    given[seeds.indices] = data.y[seeds.indices]
    model = FewLabelClassifier(graph="precomputed").fit(graph, given)
    report.add(
        "ours: fit and decide, the solver prepared",
        lambda: FewLabelClassifier(graph="precomputed").fit(graph, given),
        repeats,
    )
    added, asked = [], []
    for row in np.random.default_rng(0).permutation(np.flatnonzero(given < 0))[:repeats]:
        start = time.perf_counter()
        model.add_labels([row], [data.y[row]])
        added.append(time.perf_counter() - start)
        given[row] = data.y[row]
        start = time.perf_counter()
        model.suggest(5)
        asked.append(time.perf_counter() - start)
    report.record("ours: add_labels of one label", added)
    report.record("ours: suggest(5) after it", asked)
    fresh = FewLabelClassifier(graph="precomputed").fit(graph, given).transduction_
    agreement = 100.0 * float(np.mean(fresh == model.transduction_))
    book = report.add(
        "textbook: one fit",
        lambda: textbook_labels(graph.weights, seeds.indices, seeds.codes, 4, 0.2),
        max(1, repeats // 2),
    )
    told = f"(labels as a fresh fit on {agreement:.2f}%)"
    report.ratios.append((f"textbook fit / add_labels of one label {told}", book / float(np.median(added)), "20"))
    report.ratios.append(("textbook fit / suggest(5)", book / float(np.median(asked)), "20"))
