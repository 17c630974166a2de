"""Scores in blocks -> labels and how sure they are, by labels drawn again, as on one machine.

The mathematics is that of confidence.py. What one machine sorts, nodes by what their label is worth, is told here by
tables of quantiles, exact up to some thousand nodes a block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.confidence import (
    entries,
    in_favour_of,
    joined_rows,
    rows_sampled,
    scale_factors,
    with_confidence,
)
from fewlabels.distributed.answered import as_given, written
from fewlabels.distributed.blocks import Blocks
from fewlabels.distributed.columns import ROWS_AT_ONCE, Columns
from fewlabels.distributed.ranking import ranked_tables, read_tables, sketched
from fewlabels.distributed.right_sides import sums_over
from fewlabels.distributed.scratch import load, save
from fewlabels.distributed.solving import ClusterSolver
from fewlabels.distributed.spreading import Placed, Scores, sources_solved
from fewlabels.distributed.stages import Found, Made, Stages
from fewlabels.drawn import DRAWN_TOL, ranks, times_drawn
from fewlabels.marks import marks_of_draw
from fewlabels.mean_confidence import mean_confidence
from fewlabels.soft import gaps_below_best

__all__ = ["decide"]

Array = NDArray[Any]


@dataclass(frozen=True)
class Given:
    """The labels as every block needs them: at which nodes, and their classes."""

    nodes: NDArray[np.int64]
    codes: NDArray[np.int64]
    component: NDArray[np.int64]

    def within(self, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the places of the labels among some nodes, and their numbers among the labels."""
        here = np.flatnonzero((self.nodes >= start) & (self.nodes < stop))
        return self.nodes[here] - start, here


def decide(
    stages: Stages, solver: ClusterSolver, blocks: Blocks, where: Placed, scores: Scores, parts: NDArray[np.int64],
    offsets: Array, moved: tuple[Array, Array],
) -> Made:  # fmt: skip
    """Write the answer of every block, sorted by the rows of the input; tell where the parts of these begin.

    Parameters
    ----------
    offsets : ndarray, shape (c,)
        What is added to the scores of each class.
    moved : (nodes, codes)
        Nodes that take another class than the one of their highest score, to keep to the class sizes.
    """
    given = Given(where.nodes, where.seeds.codes, where.component)
    c = where.seeds.targets.shape[1]
    groups, places, wanted = np.unique(where.component * c + given.codes, return_inverse=True, return_counts=True)
    count = blocks.count
    labels = stages.run("labels", _labels, count, scores, given, groups, wanted, offsets, *moved)
    if where.nodes.size == blocks.n_points:
        return stages.run("confidence", as_given, count, blocks, labels.folder, parts)
    drawn = _drawn(solver, where, labels, groups, places, wanted)
    told = stages.run("redrawn", _redrawn, count, blocks, scores, drawn, given, labels.folder, offsets, where.sizes)
    scales = _scales(where, told, given, drawn.times)
    sure = stages.run("sure", _sure, count, scores, drawn, given, labels.folder, offsets, scales)
    tables = ranked_tables(sure, where.labelled.count)
    keeps = bool(np.any(offsets))
    return stages.run("confidence", _confidence, count, blocks, scores, given, labels.folder, keeps, tables, parts)


def _codes(scores: Scores, place: int, given: Given, offsets: Array, moved: tuple[Array, Array]) -> Array:
    component, possible, rows = scores.block(place)
    start = scores.graph.starts[place]
    codes = np.where(possible, rows + offsets, -np.inf).argmax(axis=1)
    if np.any(offsets):
        codes = (rows + offsets).argmax(axis=1)
    else:
        codes[component == scores.labelled.count] = scores.prior.argmax()
    here = (moved[0] >= start) & (moved[0] < start + len(rows))
    codes[moved[0][here] - start] = moved[1][here]
    at, which = given.within(start, start + len(rows))
    codes[at] = given.codes[which]
    return np.asarray(codes)


def _labels(
    folder: Path, place: int, scores: Scores, given: Given, groups: Array, wanted: Array, offsets: Array,
    nodes: Array, to: Array,
) -> Found:  # fmt: skip
    """Write the class of each node of a block; tell the nodes that may be drawn again, of each class and component."""
    codes = _codes(scores, place, given, offsets, (nodes, to))
    save(folder / f"codes-{place}.npy", codes.astype(np.int32))
    component = load(scores.labelled.folder / f"component-{place}.npy")[: codes.size]
    marks, start = load(scores.graph.around / f"marks-{place}.npy"), scores.graph.starts[place]
    free = component < scores.labelled.count
    free[given.within(start, start + codes.size)[0]] = False
    group = component * scores.prior.size + codes
    at = np.minimum(np.searchsorted(groups, group), groups.size - 1)
    free &= groups[at] == group
    some = np.flatnonzero(free)
    found: Found = {}
    for draw in range(times_drawn(scores.prior.size)):
        order = some[np.argsort(marks_of_draw(marks[some], draw), kind="stable")]
        first = order[ranks(at[order]) < wanted[at[order]]]
        found[f"nodes-{draw}"], found[f"groups-{draw}"] = first + start, at[first]
        found[f"marks-{draw}"] = marks_of_draw(marks[first], draw)
    return found


@dataclass(frozen=True)
class DrawnColumns:
    """Sums of Green's columns of labels drawn again, c columns for each draw, and the classes' shares in components."""

    columns: Columns
    shares: tuple[Array, ...]
    weights: Array

    @property
    def times(self) -> int:
        """How often labels were drawn."""
        return len(self.shares)

    def parts(self, place: int, possible: Array) -> Iterator[tuple[slice, list[Array]]]:
        """Yield some rows of a block at a time: the scores of Poisson learning from each draw.

        They are -inf for classes that a node cannot have.
        """
        c = self.weights.size
        for some, component, rows in self.columns.rows(place):
            found = []
            for draw, share in enumerate(self.shares):
                sums = rows[:, draw * c : (draw + 1) * c]
                scores = (sums - sums.sum(axis=1, keepdims=True) * share[component]) * self.weights
                found.append(np.where(possible[some], scores, -np.inf).astype(np.float32))
            yield some, found


def _drawn(
    solver: ClusterSolver, where: Placed, labels: Made, groups: Array, places: Array, wanted: Array
) -> DrawnColumns:
    """Draw as many labels again as were given, several times, and spread them."""
    c, count = where.seeds.targets.shape[1], where.labelled.count
    nodes, columns, component, shares = [], [], [], []
    for draw in range(times_drawn(c)):
        found, at, marks = (np.concatenate(labels.all(f"{name}-{draw}")) for name in ("nodes", "groups", "marks"))
        order = np.argsort(marks, kind="stable")
        order = order[ranks(at[order]) < wanted[at[order]]]
        missing = wanted - np.bincount(at[order], minlength=groups.size)
        spare = ranks(places) < missing[places]
        chosen = np.concatenate([groups[at[order]], groups[places[spare]]])
        nodes.append(np.concatenate([found[order], where.nodes[spare]]))
        columns.append(draw * c + chosen % c)
        component.append(chosen // c)
        counts = np.zeros((count + 1, c))
        np.add.at(counts, (chosen // c, chosen % c), 1.0)
        shares.append(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0))
    at, column = np.concatenate(nodes), np.concatenate(columns)
    values = np.zeros((at.size, len(shares) * c))
    values[np.arange(at.size), column] = 1.0
    solved = sources_solved(solver, where, at, values, DRAWN_TOL, "drawn again", np.concatenate(component))
    return DrawnColumns(solved, tuple(shares), where.seeds.class_weights)


def _free(scores: Scores, place: int, given: Given, component: Array) -> NDArray[np.bool_]:
    free = component < scores.labelled.count
    start = scores.graph.starts[place]
    free[given.within(start, start + component.size)[0]] = False
    return free


def _redrawn(
    folder: Path, place: int, blocks: Blocks, scores: Scores, drawn: DrawnColumns, given: Given, labels: Path,
    offsets: Array, sizes: Array,
) -> Found:  # fmt: skip
    """Tell how many nodes keep their label, what labels come back, sizes of scores, and some scores as a sample."""
    component, possible, rows = scores.block(place)
    rows = rows + offsets
    codes, count = load(labels / f"codes-{place}.npy"), scores.labelled.count
    free, kept = _free(scores, place, given, component), np.zeros(codes.size)
    start, n = scores.graph.starts[place], scores.graph.n_nodes
    at, which = given.within(start, start + codes.size)
    wanted = rows_sampled(rows.shape[1])
    every = max(1, n // wanted)
    numbers = load(blocks.folder / f"rows-{place}.npy")  # of the input: one machine looks at the same ones
    sample = free & ((numbers % every == 0) | (np.append(sizes, 0)[component] < wanted))
    sample[np.flatnonzero(sample)[4 * wanted :]] = False
    votes = np.zeros((at.size, drawn.times), dtype=np.int64)
    squares = np.zeros((1 + drawn.times, count, 2))
    sampled: list[list[Array]] = [[] for _ in range(1 + drawn.times)]
    for some, again in drawn.parts(place, possible):
        here = np.flatnonzero((at >= some.start) & (at < some.stop))
        for number, block in enumerate((rows[some], *again)):
            squares[number] += _squares(block, possible[some], component[some], count)
            sampled[number].append(block[sample[some]])
            if number:
                vote = block.argmax(axis=1)
                kept[some] += (vote == codes[some]) / drawn.times
                votes[here, number - 1] = vote[at[here] - some.start]
    told: Found = {
        "kept": sums_over(component, np.stack([kept * free, free], axis=1), count),
        "which": which,
        "votes": votes,
        "component": component[sample],
    }
    for number in range(1 + drawn.times):
        told[f"sizes-{number}"], told[f"sample-{number}"] = squares[number], np.concatenate(sampled[number])
    return told


def _squares(block: Array, possible: Array, component: Array, count: int) -> Array:
    """Return for each component the sum of squares of scores about each row's mean, and how many there are."""
    counts = possible.sum(axis=1)
    kept = np.where(possible, block, 0.0)
    mean = kept.sum(axis=1) / np.maximum(counts, 1)
    squares = (np.where(possible, kept - mean[:, None], 0.0) ** 2).sum(axis=1)
    return sums_over(component, np.stack([squares, np.where(counts > 1, counts, 0)], axis=1), count)


def _scales(where: Placed, told: Made, given: Given, times: int) -> Array:
    """Return the scale of the scores, and of those of each draw, in every component; shape (1 + draws, components)."""
    count = len(where.possible)
    kept = told.sum("kept")
    share = np.divide(kept[:, 0], kept[:, 1], out=np.ones(count), where=kept[:, 1] > 0)
    which, votes = np.concatenate(told.all("which")), np.concatenate(told.all("votes"))
    right = (votes == given.codes[which, None]).mean(axis=1)
    labels = np.bincount(where.component, minlength=count)
    returned = np.bincount(given.component[which], right, count) / np.maximum(labels, 1)
    wanted = mean_confidence(share, returned, where.possible.sum(axis=1), labels)
    component, scales = np.concatenate(told.all("component")), np.empty((1 + times, count))
    for number in range(1 + times):
        total = told.sum(f"sizes-{number}")
        scale = np.sqrt(np.divide(total[:, 0], total[:, 1], out=np.zeros(count), where=total[:, 1] > 0))
        sample = np.concatenate(told.all(f"sample-{number}"))
        gaps = gaps_below_best(sample, scale[component], where.possible[component])
        scales[number] = scale * scale_factors(gaps, component, wanted)
    return scales


def _sure(
    folder: Path, place: int, scores: Scores, drawn: DrawnColumns, given: Given, labels: Path, offsets: Array,
    scales: Array,
) -> Found:  # fmt: skip
    """Write the distribution of each row of a block and what its label is worth; tell quantiles of both."""
    component, possible, own = scores.block(place)
    codes = load(labels / f"codes-{place}.npy").astype(np.int64)
    scales = np.hstack([scales, np.ones((len(scales), 1))])
    rows, worth, sure = np.empty(own.shape, dtype=np.float32), np.empty(codes.size), np.empty(codes.size)
    for some, blocks in drawn.parts(place, possible):
        mine = scales[:, component[some]]
        again = list(zip(blocks, mine[1:], strict=True))
        found, worth[some] = joined_rows((own[some] + offsets, mine[0]), again, codes[some], possible[some])
        rows[some], sure[some] = found, entries(found, codes[some])
    for name, each in (("rows", rows), ("worth", worth), ("sure", sure)):
        save(folder / f"{name}-{place}.npy", each)
    free = _free(scores, place, given, component)
    return sketched(component[free], worth[free], sure[free], scores.labelled.count)


def _confidence(
    folder: Path, place: int, blocks: Blocks, scores: Scores, given: Given, labels: Path, keeps: bool, tables: Path,
    parts: Array,
) -> Found:  # fmt: skip
    """Write the answer of a block by the rows of the input; tell where each part of these begins, and sure ones."""
    component, possible = scores.possible_in(place)
    codes = load(labels / f"codes-{place}.npy").astype(np.int64)
    rows, worth, sure = (load(tables / f"{name}-{place}.npy") for name in ("rows", "worth", "sure"))
    free, reached = _free(scores, place, given, component), component < scores.labelled.count
    sure, confidence = read_tables(tables, component, worth, sure, free), np.empty(codes.size)
    for start in range(0, codes.size, ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        found = with_confidence(rows[some].astype(np.float64), codes[some], sure[some], possible[some])
        found[~reached[some]] = scores.prior
        if keeps:
            found = in_favour_of(codes[some], found)
        confidence[some] = entries(found, codes[some])
    start = scores.graph.starts[place]
    confidence[given.within(start, start + codes.size)[0]] = 1.0
    return written(folder, place, blocks, codes, confidence, reached, parts)
