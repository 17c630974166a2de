"""The two pages: what a labelling found, and the demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.report.figures import confidence_histogram, legend, picture, point_map
from fewlabels.report.html import cards, document, escape, section, table
from fewlabels.report.style import ACCENT, colours

__all__ = ["Accuracy", "DemoResult", "Labelling", "demo_page", "labelling_page"]

LEAST_CERTAIN = 20
BAR_WIDTH = 260


@dataclass(frozen=True, eq=False)
class Labelling:
    """A labelled data set, with the part of it that is drawn."""

    title: str
    method: str
    classes: NDArray[Any]
    codes: NDArray[np.int64]
    confidence: NDArray[np.float64]
    reached: NDArray[np.bool_]
    seeds: NDArray[np.int64]
    ids: Sequence[Any]
    drawn: NDArray[np.int64]
    places: NDArray[np.float64]
    foot: str


@dataclass(frozen=True)
class Accuracy:
    """The accuracy of one method over the draws, in percent."""

    method: str
    mean: float
    deviation: float
    seconds: float


@dataclass(frozen=True, eq=False)
class DemoResult:
    """What the demonstration adds to a labelling: pictures, the truth, and other methods."""

    images: NDArray[np.float64]
    truth: NDArray[np.int64]
    accuracies: Sequence[Accuracy]
    draws: int


def labelling_page(result: Labelling) -> str:
    """Return the page of ``fewlabels label --report``."""
    parts = [
        _facts(result),
        _unreached(result),
        _map(result),
        _shares(result),
        _sureness(result),
        _least_certain(result),
    ]
    return document(result.title, lead=_lead(result), parts=parts, foot=result.foot)


def demo_page(result: Labelling, demo: DemoResult) -> str:
    """Return the page of ``fewlabels demo``."""
    parts = [
        _facts(result),
        _comparison(demo),
        _given(result, demo),
        _map(result),
        _doubtful(result, demo),
        _shares(result),
        _sureness(result),
    ]
    return document(result.title, lead=_lead(result), parts=parts, foot=result.foot)


def _lead(result: Labelling) -> str:
    return (
        f"{result.codes.size:,} points labelled from {result.seeds.size} labels, {result.classes.size} classes, "
        f"by {result.method}."
    )


def _facts(result: Labelling) -> str:
    others = np.setdiff1d(np.arange(result.codes.size), result.seeds)
    sure = np.mean(result.confidence[others] >= 0.9) if others.size else 1.0
    return cards(
        [
            (f"{result.codes.size:,}", "points labelled"),
            (f"{result.seeds.size}", "labels given"),
            (f"{result.classes.size}", "classes"),
            (f"{100 * sure:.0f}%", "of points with confidence of 90% or more"),
        ]
    )


def _unreached(result: Labelling) -> str:
    count = int((~result.reached).sum())
    if not count:
        return ""
    first = ", ".join(escape(str(result.ids[i])) for i in np.flatnonzero(~result.reached)[:10])
    note = "They lie in parts of the graph that have no label at all. Their label and confidence are only the prior."
    return section(f"{count:,} points that no label reaches", note, f"<p>Label one of these to reach more: {first}</p>")


def _map(result: Labelling) -> str:
    palette = colours(result.classes.size)
    names = [str(name) for name in result.classes]
    titles = [
        f"{result.ids[i]}: {names[result.codes[i]]}, "
        + (f"confidence {100 * result.confidence[i]:.0f}%" if result.reached[i] else "not reached by any label")
        for i in result.drawn
    ]
    drawing = point_map(
        result.places,
        codes=result.codes[result.drawn],
        confidence=result.confidence[result.drawn],
        seeds=np.isin(result.drawn, result.seeds),
        reached=result.reached[result.drawn],
        titles=titles,
        palette=palette,
    )
    part = "every point" if result.drawn.size == result.codes.size else f"{result.drawn.size:,} points drawn at random"
    note = (
        f"A map of {part}, coloured by predicted label; paler is less certain, black rings are the labels that "
        "were given. Point at a dot to read it. It is drawn from the graph, for looking at; no label depends on it."
    )
    return section("Map", note, drawing + legend(names, palette))


def _shares(result: Labelling) -> str:
    palette = colours(result.classes.size)
    counts = np.bincount(result.codes[result.reached], minlength=result.classes.size)
    given = np.bincount(result.codes[result.seeds], minlength=result.classes.size)
    rows = []
    for j in np.argsort(-counts, kind="stable")[:50]:
        members = (result.codes == j) & result.reached
        sure = f"{100 * result.confidence[members].mean():.0f}%" if members.any() else ""
        bar = _bar(counts[j] / max(counts.max(), 1), palette[j])
        rows.append([escape(str(result.classes[j])), str(given[j]), sure, f"{counts[j]:,}", bar])
    note = "How many points got each label, and how sure on average; points that no label reaches are left out."
    heads = ["label", "given", "mean confidence", "points", ""]
    return section("Classes", note, table(heads, rows, numbers=(1, 2, 3)))


def _bar(share: float, colour: str) -> str:
    """Return a bar for a cell of a table, as long as the share of its width."""
    return f"<i class='bar' style='width:{BAR_WIDTH * share:.0f}px;background:{colour}'></i>"


def _sureness(result: Labelling) -> str:
    return section("Confidence", "How many points have which confidence.", confidence_histogram(result.confidence))


def _doubts(result: Labelling) -> NDArray[np.int64]:
    open_points = result.reached.copy()
    open_points[result.seeds] = False
    order = np.argsort(np.where(open_points, result.confidence, 2.0), kind="stable")
    return order[open_points[order]][:LEAST_CERTAIN]


def _least_certain(result: Labelling) -> str:
    rows = [
        [escape(str(result.ids[i])), escape(str(result.classes[result.codes[i]])), f"{100 * result.confidence[i]:.0f}%"]
        for i in _doubts(result)
    ]
    note = "The points to look at first."
    return section("Least certain points", note, table(["id", "label", "confidence"], rows, numbers=(2,)))


def _comparison(demo: DemoResult) -> str:
    best = int(np.argmax([accuracy.mean for accuracy in demo.accuracies]))
    rows = [
        [
            escape(a.method),
            f"{a.mean:.1f} ± {a.deviation:.1f}",
            f"{1000 * a.seconds:.0f} ms",
            _bar(a.mean / 100, ACCENT),
        ]
        for a in demo.accuracies
    ]
    note = (
        f"Accuracy in percent on the points that were not labelled: mean and deviation over {demo.draws} random draws "
        "of one label per class, the same draws for every method, and the median time of a fit."
    )
    heads = ["method", "accuracy", "time", ""]
    return section("One label per class", note, table(heads, rows, numbers=(1, 2), best=best))


def _given(result: Labelling, demo: DemoResult) -> str:
    shown = [picture(demo.images[i], escape(str(result.classes[result.codes[i]]))) for i in result.seeds]
    return section(
        "The labels", "All that was known: one image of each digit.", f"<div class='images'>{''.join(shown)}</div>"
    )


def _doubtful(result: Labelling, demo: DemoResult) -> str:
    shown = []
    for i in _doubts(result):
        said, true = str(result.classes[result.codes[i]]), str(result.classes[demo.truth[i]])
        verdict = (
            "<span class='right'>right</span>" if said == true else f"<span class='wrong'>is {escape(true)}</span>"
        )
        shown.append(picture(demo.images[i], f"{escape(said)}, {100 * result.confidence[i]:.0f}%<br>{verdict}"))
    note = "The label, its confidence, and whether it is right."
    return section("Least certain digits", note, f"<div class='images'>{''.join(shown)}</div>")
