"""What one answer says, as the page shows it: it never changes, so requests read it while the next is worked out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fewlabels.answer import Answer

__all__ = ["Snapshot"]

LEVELS = 15
"""Steps of confidence that two bytes leave room for."""

STEPS = 100
"""Thresholds of confidence that are counted."""


class Snapshot:
    """A class, by number, and a confidence for every point.

    Attributes
    ----------
    classes : ndarray of int, shape (n,)
        -1 where nothing is known.
    confidence : ndarray of float, shape (n,)
    reached : ndarray of bool, shape (n,)
    slips : dict from row to number of a class
        Given labels that the rest would get wrong, and what it says instead; the likeliest first.
    known : bool
        Whether there are labels at all.
    """

    def __init__(self, n_points: int, answer: Answer | None = None) -> None:
        self.classes = np.full(n_points, -1, dtype=np.int32)
        self.confidence = np.zeros(n_points, dtype=np.float32)
        self.reached = np.zeros(n_points, dtype=bool)
        self.slips: dict[int, int] = {}
        self.known = answer is not None
        self._given = np.zeros(0, dtype=np.int64)
        self._in_order: dict[tuple[int, ...], NDArray[np.int64]] = {}
        if answer is not None:
            decision, names = answer.labelled, answer.seeds.classes
            assert names is not None
            self.classes = names[decision.codes].astype(np.int32)
            self.confidence = decision.confidence.astype(np.float32)
            self.reached = decision.reached
            self._given = answer.seeds.indices
            rows, codes = answer.contradicted()
            self.slips = dict(zip(rows.tolist(), names[codes].tolist(), strict=True))

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many points each class has, by number."""
        return np.bincount(self.classes[self.classes >= 0])

    @cached_property
    def unsure(self) -> NDArray[np.int64]:
        """The points without a given label, the least sure first; none where nothing is known."""
        free = self._free()
        return free[np.argsort(self.confidence[free], kind="stable")]

    @cached_property
    def above(self) -> list[tuple[float, int, float]]:
        """Thresholds of confidence, the points without a given label that reach them, and their mean confidence."""
        sure = np.sort(self.confidence[self._free()].astype(np.float64))
        total = np.concatenate([[0.0], np.cumsum(sure)])
        thresholds = np.arange(STEPS) / STEPS
        below = np.searchsorted(sure, thresholds)
        number = sure.size - below
        share = (total[-1] - total[below]) / np.maximum(number, 1)
        return list(zip(thresholds.tolist(), number.tolist(), share.tolist(), strict=True))

    def of_classes(self, numbers: frozenset[int]) -> NDArray[np.int64]:
        """Return the points of some classes that are one by now, the surest first."""
        key = tuple(sorted(numbers))
        if key not in self._in_order:
            rows = np.flatnonzero(np.isin(self.classes, key))
            self._in_order[key] = rows[np.argsort(-self.confidence[rows], kind="stable")]
        return self._in_order[key]

    def packed(self, codes: NDArray[np.int64], given: Mapping[int, int]) -> bytes:
        """Return two bytes a point, code << 4 | level, with labels that came since in their place.

        Parameters
        ----------
        codes : ndarray of int
            The place of each class in the list that the page has, by number; zero for none.
        given : mapping from row to number of a class
        """
        classes, sure = self.classes.copy(), self.confidence.copy()
        rows = np.fromiter(given, dtype=np.int64, count=len(given))
        classes[rows] = np.fromiter(given.values(), dtype=np.int32, count=len(given))
        sure[rows] = 1.0
        code = np.where(classes >= 0, codes[classes], 0)
        level = np.where(code > 0, np.rint(sure * LEVELS), 0).astype(np.uint16)
        return (code.astype(np.uint16) << 4 | level).astype("<u2").tobytes()

    def _free(self) -> NDArray[np.int64]:
        free = self.classes >= 0
        free[self._given] = False
        return np.flatnonzero(free)
