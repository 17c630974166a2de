"""The paper's T steps: X = sum over i < T of P^i D^-1 B, an unfinished solve of L X = B."""

from __future__ import annotations

from dataclasses import dataclass

from fewlabels.progress import track
from fewlabels.solvers.base import Attempt
from fewlabels.systems import Block, System

__all__ = ["Series"]


@dataclass(frozen=True)
class Series:
    """T steps of X <- X + D^-1 (B - L X) from zero.

    The mean that the paper subtracts at every step may be subtracted once at the end, since P 1 = 1; on a balanced B
    there is nothing to subtract on the way.
    """

    steps: int

    def attempt(self, system: System, B: Block, tol: float | None) -> Attempt:
        """Do the steps."""
        source = system.over_diagonal(system.solvable(B))
        X = source.copy()
        for _ in track(range(self.steps - 1), "spreading labels, step by step"):
            X = system.walk(X)
            X += source
        return Attempt(X, "series", self.steps, None)
