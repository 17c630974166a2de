"""The two pages: what a labelling found, and the demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.report.figures import confidence_table, legend, picture, point_map, swatch
from fewlabels.report.html import bar, cards, document, section, table
from fewlabels.report.text import escape, named

__all__ = ["Accuracy", "DemoResult", "Labelling", "demo_page", "labelling_page"]

LEAST_CERTAIN, UNREACHED, CLASSES = 20, 10, 50
"""How many points and classes a page names."""


@dataclass(frozen=True, eq=False)
class Labelling:
    """A labelled data set, with the part of it that is drawn, the command that made it, and what was weighed."""

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
    command: str
    weighed: Sequence[str] = ()


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
        _weighed(result),
    ]
    return document(result.title, lead=_lead(result), parts=parts, command=result.command)


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
    return document(result.title, lead=_lead(result), parts=parts, command=result.command)


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


def _weighed(result: Labelling) -> str:
    if not result.weighed:
        return ""
    note = "What the method made its answer of, with the evidence for each: labels drawn again, and points kept."
    entries = "".join(f"<li>{escape(entry)}</li>" for entry in result.weighed)
    return section("Weighed", note, f"<ul>{entries}</ul>")


def _unreached(result: Labelling) -> str:
    rows = np.flatnonzero(~result.reached)
    if not rows.size:
        return ""
    note = "They lie in parts of the graph that have no label, so their label and confidence are not to be relied on."
    first = ", ".join(named(str(result.ids[i])) for i in rows[:UNREACHED])
    rest = f" and {rows.size - UNREACHED:,} more" if rows.size > UNREACHED else ""
    return section(
        f"{rows.size:,} points that no label reaches", note, f"<p>Label one of these to reach more: {first}{rest}</p>"
    )


def _map(result: Labelling) -> str:
    names = [str(name) for name in result.classes]
    reached = result.reached[result.drawn]
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
        reached=reached,
        titles=titles,
    )
    total = result.codes.size
    part = "every point" if reached.size == total else f"{reached.size:,} of {total:,} points, drawn at random"
    note = (
        f"A map of {part}, by predicted label; the emptier a mark, the less certain; large marks with a ring are the "
        "labels that were given. Point at a dot or tap it to read it, or go from dot to dot with the arrow keys. "
        "The map is for looking at; no label depends on it."
    )
    return section("Map", note, drawing + legend(names, unreached=not reached.all()))


def _shares(result: Labelling) -> str:
    counts = np.bincount(result.codes[result.reached], minlength=result.classes.size)
    given = np.bincount(result.codes[result.seeds], minlength=result.classes.size)
    sums = np.bincount(result.codes[result.reached], result.confidence[result.reached], minlength=result.classes.size)
    order = np.argsort(-counts, kind="stable")
    rows = [
        [
            f"{swatch(j)}{named(str(result.classes[j]))}",
            f"{given[j]:,}",
            f"{100 * sums[j] / counts[j]:.0f}%" if counts[j] else "",
            f"{counts[j]:,}",
            bar(counts[j] / max(counts.max(), 1), f"c{j % 10}"),
        ]
        for j in order[:CLASSES]
    ]
    note = "How many points got each label, and how sure on average; points that no label reaches are left out."
    if order.size > CLASSES:
        rest = counts[order[CLASSES:]].sum()
        note += f" The {CLASSES} largest of {order.size:,} classes are shown; the others hold {rest:,} points."
    heads = ["label", "given", "mean confidence", "points", ""]
    return section("Classes", note, table(heads, rows, numbers=(1, 2, 3), drawn=(4,)))


def _sureness(result: Labelling) -> str:
    return section("Confidence", "How many points have which confidence.", confidence_table(result.confidence))


def _doubts(result: Labelling) -> tuple[NDArray[np.int64], str]:
    """Return the least certain points, and which part they are of how many."""
    open_points = result.reached.copy()
    open_points[result.seeds] = False
    order = np.argsort(np.where(open_points, result.confidence, 2.0), kind="stable")
    doubts = order[open_points[order]][:LEAST_CERTAIN]
    total = int(open_points.sum())
    return doubts, f"the {doubts.size} least certain of {total:,}" if total > doubts.size else f"all {total:,}"


def _least_certain(result: Labelling) -> str:
    doubts, part = _doubts(result)
    rows = [
        [named(str(result.ids[i])), named(str(result.classes[result.codes[i]])), f"{100 * result.confidence[i]:.0f}%"]
        for i in doubts
    ]
    note = f"The points to look at first: {part} that are reached and were not given."
    return section("Least certain points", note, table(["id", "label", "confidence"], rows, numbers=(2,)))


def _comparison(demo: DemoResult) -> str:
    means = np.array([accuracy.mean for accuracy in demo.accuracies])
    start = _start(means)
    rows = [
        [
            escape(a.method),
            f"{a.mean:.1f} ± {a.deviation:.1f}",
            f"{1000 * a.seconds:.0f} ms",
            bar((a.mean - start) / (100 - start)),
        ]
        for a in demo.accuracies
    ]
    note = (
        f"Accuracy in percent on the points that were not labelled: mean and deviation over {demo.draws} random draws "
        "of one label per class, the same draws for every method, and the median time of a fit. "
        f"Bars go from {start:.0f}% to 100%."
    )
    heads = ["method", "accuracy", "time", ""]
    return section(
        "One label per class", note, table(heads, rows, numbers=(1, 2), drawn=(3,), best=int(means.argmax()))
    )


def _start(percents: NDArray[np.float64]) -> float:
    """Return where bars up to a hundred begin so that differences show: twice as far from 100 as the least."""
    return float(max(0.0, 10 * np.floor((2 * percents.min() - 100) / 10)))


def _given(result: Labelling, demo: DemoResult) -> str:
    names = [str(result.classes[result.codes[i]]) for i in result.seeds]
    shown = [picture(demo.images[i], named(name), f"a {name}") for i, name in zip(result.seeds, names, strict=True)]
    return section(
        "The labels", "All that was known: one image of each digit.", f"<div class='images'>{''.join(shown)}</div>"
    )


def _doubtful(result: Labelling, demo: DemoResult) -> str:
    shown = []
    doubts, part = _doubts(result)
    for i in doubts:
        said, true = str(result.classes[result.codes[i]]), str(result.classes[demo.truth[i]])
        verdict = (
            "<span class='right'>right</span>" if said == true else f"<span class='wrong'>is {escape(true)}</span>"
        )
        caption = f"{named(said)}, {100 * result.confidence[i]:.0f}%<br>{verdict}"
        shown.append(picture(demo.images[i], caption, f"a {true}, labelled {said}"))
    note = f"The label, its confidence, and whether it is right: {part} that were not given."
    return section("Least certain digits", note, f"<div class='images'>{''.join(shown)}</div>")
