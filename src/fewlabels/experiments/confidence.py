"""Confidence compared with accuracy: calibration error, and the accuracy of the most confident points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.answer import answer
from fewlabels.datasets import Dataset
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.experiment import Experiment, Setting
from fewlabels.experiments.planning import heading
from fewlabels.experiments.plans import FEW
from fewlabels.methods import InterfaceLaplace
from fewlabels.progress import track
from fewlabels.report.style import GREY, TEN, house_figure
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = ["CONFIDENCE", "calibration_error"]

BINS = 15
CURVE_BINS = 10
BET = 0.9
LEAST_SHARE = 0.002
"""A bin with a smaller share of the points is left out of the curve."""


def calibration_error(confidence: NDArray[np.floating[Any]], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error in points: |confidence - accuracy| over 15 bins, weighed by their counts.

    Examples
    --------
    >>> calibration_error(np.array([0.9, 0.9]), np.array([True, False]))
    40.0
    """
    gaps = np.bincount(_bins(confidence, BINS), weights=confidence - right, minlength=BINS)
    return round(float(100.0 * np.abs(gaps).sum() / confidence.size), 10)


def _bins(confidence: NDArray[np.floating[Any]], count: int) -> NDArray[np.int64]:
    """Return the bin of equal width that each value lies in."""
    return np.minimum((confidence * count).astype(np.int64), count - 1)


def _tabulated(setting: Setting) -> tuple[Table, Any]:
    """Fit the default method on some draws and compare confidence with accuracy."""
    data = setting.data
    found: dict[tuple[str, str], list[float]] = {}
    curves: dict[str, list[NDArray[np.float64]]] = {}
    for rate in setting.rates:
        for t in track(setting.draws, f"draws of {rate} per class"):
            measured, curve = _measured(data, rate, t)
            for row, value in measured.items():
                if np.isfinite(value):
                    found.setdefault((row, rate), []).append(float(value))
            curves.setdefault(rate, []).append(curve)
    rows = list(dict.fromkeys(row for row, _ in found))
    entries = {place: Entry(tuple(values)) for place, values in found.items()}
    notes = [
        "In percent. Bets are points of at least 90% confidence.",
        f"{surroundings()}.",
    ]
    heads = {rate: heading(rate) for rate in setting.rates}
    table = Table(f"Confidence: {data.title}", rows, list(setting.rates), entries, notes=notes, heads=heads)
    return table, _reliability_diagram(curves, data.title)


def _measured(data: Dataset, rate: str, t: int) -> tuple[dict[str, float], NDArray[np.float64]]:
    """Return the rows of one draw, and for each bin its count, sum of confidence and number of right labels."""
    seeds = data.seeds(rate, t)
    if seeds.size == data.y.size or seeds.targets.shape[1] < 2:
        raise FewlabelsError("confidence is measured on points without a label, of two classes or more.")
    found = answer(data.graph, seeds, InterfaceLaplace())
    decision = found.labelled
    others = np.setdiff1d(np.arange(data.y.size), seeds.indices)
    right, sure = (decision.codes == data.y)[others], decision.confidence[others]
    top = np.partition(found.spread.scores, -2, axis=1)[others, -2:]
    bets = sure >= BET
    measured = {
        "accuracy": 100.0 * right.mean(),
        "mean confidence": 100.0 * sure.mean(),
        "calibration error": calibration_error(sure, right),
        **_accuracy_of_first(right, {"confidence": sure, "margin": top[:, 1] - top[:, 0]}),
        "bets, share": 100.0 * bets.mean(),
        "bets, accuracy": 100.0 * right[bets].mean() if bets.any() else float("nan"),
    }
    at = _bins(sure, CURVE_BINS)
    sums = [np.bincount(at, weights=w, minlength=CURVE_BINS) for w in (np.ones(sure.size), sure, right)]
    return measured, np.array(sums)


def _accuracy_of_first(right: NDArray[np.bool_], by: Mapping[str, NDArray[np.float64]]) -> dict[str, float]:
    """Return the accuracy of the first half and nine tenths, the most certain first, by each measure of certainty."""
    return {
        f"accuracy of the first {share:.0%} by {name}": 100.0
        * float(right[np.argsort(-value, kind="stable")[: int(share * right.size)]].mean())
        for share in (0.5, 0.9)
        for name, value in by.items()
    }


def _reliability_diagram(curves: Mapping[str, Sequence[NDArray[np.float64]]], title: str) -> Any:
    """Draw accuracy against confidence, a line for each label rate."""
    with house_figure(4.6, 4.2) as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color=GREY, lw=1)
        for (rate, parts), colour in zip(curves.items(), TEN, strict=False):
            count, sure, right = np.sum(parts, axis=0)
            some = count > LEAST_SHARE * count.sum()
            axes.plot(sure[some] / count[some], right[some] / count[some], "o-", color=colour, label=rate)
        axes.set(xlabel="confidence", ylabel="accuracy", title=f"{title}: is it as right as it is sure?")
        axes.legend(title="labels per class")
    return figure


CONFIDENCE = Experiment(
    name="confidence",
    title="Is it as right as it is sure?",
    tabulate=_tabulated,
    draws=FEW,
    rates=("1", "5"),
)
