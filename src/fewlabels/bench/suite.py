"""Every set of the suite from its features: ours beside scikit-learn's LabelSpreading, in one run."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np

from fewlabels.bench.record import Report
from fewlabels.datasets import Dataset
from fewlabels.datasets.suite import load_suite, suite_draw, suite_names
from fewlabels.errors import FewlabelsWarning
from fewlabels.estimators import FewLabelClassifier
from fewlabels.methods import InterfaceLaplace
from fewlabels.solvers import Auto

__all__ = ["suite"]

MOST_POINTS = 60_000
"""Larger sets are cut to so many random points: LabelSpreading would take minutes."""

LARGE = 50_000
"""From so many points on, more is asked for."""

PER_CLASS = 5
CONVERGED = 1e-8


def suite(report: Report, data: Dataset, repeats: int) -> None:
    """Time the default classifier, LabelSpreading with equal neighbours and Interface Laplace alone.

    There are five labels per class. The ratios are ours over theirs, and ours over one method alone: what weighing
    several costs. The labels of Interface Laplace learning are compared with those of converged solves.
    """
    from sklearn.semi_supervised import LabelSpreading

    for name in suite_names():
        X, y = load_suite(name)
        some = np.sort(np.random.default_rng(0).permutation(y.size)[:MOST_POINTS])
        X, y = X[some], y[some]
        nodes = suite_draw(y, PER_CLASS, t=1)
        given = np.full(y.size, -1)
        given[nodes] = y[nodes]
        ours, theirs = FewLabelClassifier(), LabelSpreading(kernel="knn", n_neighbors=10, n_jobs=2)
        alone = FewLabelClassifier("interface-laplace")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewlabelsWarning)
            warnings.simplefilter("ignore", RuntimeWarning)
            mine = report.add(f"ours, from features: {name}", partial(ours.fit, X, given), repeats)
            other = report.add(f"LabelSpreading: {name}", partial(theirs.fit, X, given), repeats)
            one = report.add(f"Interface Laplace alone: {name}", partial(alone.fit, X, given), repeats)
            agreement = _agreement(ours)
        wanted, slower = ("3", "2.5") if y.size < LARGE else ("1", "1.5")
        note = f"{name}, {y.size:,} points: ours / LabelSpreading (labels as converged on {agreement:.2f}%), at most"
        report.ratios.append((note, mine / other, wanted))
        report.ratios.append((f"{name}: ours / Interface Laplace alone, at most", mine / one, slower))


def _agreement(model: FewLabelClassifier) -> float:
    """Return the percentage of nodes with the label that converged solves of Interface Laplace learning give them."""
    graph, seeds = model.graph_, model._answer.seeds
    usual, exact = (
        method.scores(graph, seeds) for method in (InterfaceLaplace(), InterfaceLaplace(solver=Auto(CONVERGED)))
    )
    return 100.0 * float(np.mean(usual.argmax(axis=1) == exact.argmax(axis=1)))
