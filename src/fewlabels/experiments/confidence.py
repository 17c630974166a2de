"""What people ask of a labelling tool, measured: trust in its confidence, and new points."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.datasets import load_dataset
from fewlabels.decision import decide
from fewlabels.errors import FewlabelsError
from fewlabels.estimators import FewLabelClassifier
from fewlabels.methods import InterfaceLaplace
from fewlabels.progress import track
from fewlabels.report.tables import Entry, Table

__all__ = ["calibration_error", "confidence", "new_points"]

BINS = 15
NEW_SHARE = 7


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error in points: |confidence - accuracy| over 15 bins, weighed by their counts.

    Examples
    --------
    >>> calibration_error(np.array([0.9, 0.9]), np.array([True, False]))
    40.0
    """
    at = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
    gaps = np.bincount(at, weights=confidence - right, minlength=BINS)
    return round(float(100.0 * np.abs(gaps).sum() / confidence.size), 10)


def confidence(dataset: str, trials: int, rates: Sequence[str], notes: list[str]) -> tuple[Table, Any]:
    """Fit the default method on some draws and compare confidence with accuracy; return table and picture."""
    data = load_dataset(dataset)
    found: dict[tuple[str, str], list[float]] = {}
    curves: dict[str, list[NDArray[np.float64]]] = {}
    for rate in rates:
        for t in track(range(trials), f"draws of {rate} per class"):
            seeds = data.seeds(rate, t)
            if seeds.size == data.y.size or seeds.targets.shape[1] < 2:
                raise FewlabelsError("confidence is measured on points without a label, of two classes or more.")
            scores = InterfaceLaplace().scores(data.graph, seeds)
            decision = decide(scores, data.graph, seeds)
            others = np.setdiff1d(np.arange(data.y.size), seeds.indices)
            right, sure = (decision.codes == data.y)[others], decision.confidence[others]
            top = np.partition(scores, -2, axis=1)[others, -2:]
            told = {
                "accuracy": 100.0 * right.mean(),
                "mean confidence": 100.0 * sure.mean(),
                "calibration error": calibration_error(sure, right),
                **_most(right, {"confidence": sure, "margin": top[:, 1] - top[:, 0]}),
                "bets, share": 100.0 * (sure >= 0.9).mean(),
                "bets, accuracy": 100.0 * right[sure >= 0.9].mean() if (sure >= 0.9).any() else float("nan"),
            }
            for row, value in told.items():
                if np.isfinite(value):
                    found.setdefault((row, rate), []).append(float(value))
            at = np.minimum((sure * 10).astype(np.int64), 9)
            sums = [np.bincount(at, weights=w, minlength=10) for w in (np.ones(sure.size), sure, right)]
            curves.setdefault(rate, []).append(np.array(sums))
    rows = list(dict.fromkeys(row for row, _ in found))
    entries = {place: Entry(tuple(values)) for place, values in found.items()}
    more = ["In percent. Columns: labels per class. Bets are points of at least 90% confidence."]
    table = Table(f"Confidence: {data.title}", rows, list(rates), entries, more + notes)
    return table, _reliability(curves, data.title)


def _most(right: NDArray[np.bool_], by: dict[str, NDArray[np.float64]]) -> dict[str, float]:
    """Return the accuracy of the most certain half and nine tenths, by each measure of certainty."""
    return {
        f"accuracy of the first {share:.0%} by {name}": 100.0
        * float(right[np.argsort(-value, kind="stable")[: int(share * right.size)]].mean())
        for share in (0.5, 0.9)
        for name, value in by.items()
    }


def _reliability(curves: dict[str, list[NDArray[np.float64]]], title: str) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="#9aa5b1", lw=1)
    for (rate, parts), colour in zip(curves.items(), ("#2456b3", "#e07b00", "#2a8f4f", "#c62839"), strict=False):
        count, sure, right = np.sum(parts, axis=0)
        some = count > 0.002 * count.sum()
        axes.plot(sure[some] / count[some], right[some] / count[some], "o-", color=colour, ms=4, label=rate)
    axes.set_xlabel("confidence")
    axes.set_ylabel("accuracy")
    axes.set_title(f"{title}: is it as right as it is sure?", fontsize=10)
    axes.legend(title="labels per class", frameon=False, fontsize=8, title_fontsize=8)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def new_points(dataset: str, trials: int, notes: list[str]) -> Table:
    """Leave a seventh of the points out, predict them, and compare with a fit that includes them."""
    data = load_dataset(dataset)
    if data.features is None:
        raise FewlabelsError("new points need features; this data set has only neighbours.")
    found: dict[str, list[float]] = {
        "agreement with refitting": [],
        "accuracy": [],
        "accuracy, refitted": [],
        "seconds": [],
    }
    for t in track(range(trials), "draws"):
        seeds = data.seeds("1", t)
        free = np.setdiff1d(np.arange(data.y.size), seeds.indices)
        new = np.sort(np.random.default_rng(t).choice(free, size=data.y.size // NEW_SHARE, replace=False))
        old = np.setdiff1d(np.arange(data.y.size), new)
        y = np.full(data.y.size, -1)
        y[seeds.indices] = data.y[seeds.indices]
        model = FewLabelClassifier().fit(data.features[old], y[old])
        model.predict(data.features[new[:100]])
        start = time.perf_counter()
        predicted = model.predict(data.features[new])
        found["seconds"].append(time.perf_counter() - start)
        again = FewLabelClassifier().fit(data.features, y).transduction_[new]
        found["agreement with refitting"].append(100.0 * float(np.mean(predicted == again)))
        found["accuracy"].append(100.0 * float(np.mean(predicted == data.y[new])))
        found["accuracy, refitted"].append(100.0 * float(np.mean(again == data.y[new])))
    column = f"{data.y.size // NEW_SHARE:,} new points"
    entries = {(row, column): Entry(tuple(values)) for row, values in found.items()}
    more = ["In percent and seconds; one label per class. New points take the mean of their neighbours by edge weight."]
    return Table(f"New points: {data.title}", [*found], [column], entries, more + notes)
