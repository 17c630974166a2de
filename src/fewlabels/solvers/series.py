"""The paper's T steps: X = sum over i < T of P^i D^-1 B, an unfinished solve of L X = B."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewlabels.progress import track
from fewlabels.solvers.base import Attempt
from fewlabels.systems import Block, System

__all__ = ["Series"]


@dataclass(frozen=True)
class Series:
    """T steps of X <- X + D^-1 (B - L X) from zero; with several T, one for every column.

    The mean that the paper subtracts at every step may be subtracted once at the end, since P 1 = 1; on a balanced B
    there is nothing to subtract on the way.
    """

    steps: int | tuple[int, ...]

    def attempt(self, system: System, B: Block, tol: float | None) -> Attempt:
        """Do the steps."""
        source = system.over_diagonal(system.solvable(B))
        most = self.steps if isinstance(self.steps, int) else max(self.steps)
        X = source.copy()
        found = X if isinstance(self.steps, int) else source.copy()
        for done in track(range(1, most), "spreading labels, step by step"):
            X = system.walk(X)
            X += source
            if isinstance(self.steps, int):
                found = X
            elif done + 1 in self.steps:
                ready = np.equal(self.steps, done + 1)
                found[:, ready] = X[:, ready]
        return Attempt(found, "series", most, None)
