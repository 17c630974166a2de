"""The paper's T steps: X = sum over i < T of P^i D^-1 B, an unfinished solve of L X = B."""

from __future__ import annotations

from dataclasses import dataclass

from fewlabels.operators import Laplacian
from fewlabels.progress import track
from fewlabels.solvers.base import Block, Solution, truncated

__all__ = ["Series"]


@dataclass(frozen=True)
class Series:
    """T steps of X <- X + D^-1 (B - L X) from zero.

    The mean that the paper subtracts at every step may be subtracted once at the end, since P 1 = 1; on a balanced B
    there is nothing to subtract on the way.
    """

    steps: int

    def prepare(self, laplacian: Laplacian) -> _PreparedSeries:
        """Nothing to prepare but to remember the operator."""
        return _PreparedSeries(laplacian, self.steps)


@dataclass(frozen=True)
class _PreparedSeries:
    laplacian: Laplacian
    steps: int

    def solve(self, B: Block) -> Solution:
        B = self.laplacian.centre(B)
        source = self.laplacian.inverse_degrees[:, None] * B
        X = source.copy()
        for _ in track(range(self.steps - 1), "spreading labels, step by step"):
            X = self.laplacian.walk(X)
            X += source
        return truncated(self.laplacian, X, B, "series", self.steps)
