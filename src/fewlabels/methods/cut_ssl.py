"""CutSSL (Holtz, Chen, Wan, Cheng and Mishne, NeurIPS 2024): the smallest cut at known class sizes, by ADMM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.progress import track
from fewlabels.reach import reach_of
from fewlabels.solvers import Polynomial, Solution, resolvent_coefficients, solve
from fewlabels.systems import MatrixSystem, WalkSystem
from fewlabels.volumes import class_sizes

__all__ = ["CutSSL"]

Block = NDArray[np.float64]

TOL = 0.1
"""How exactly the change of a step is solved for; what is left of it is solved for in the next."""

LEAST_PENALTY, MOST_PENALTY = 1e-3, 1e6
"""Nearer to none, a step would take hundreds of walks; beyond, steps hardly move."""

UNCHANGED, CALM = 1e-4, 10
"""A stage ends when a step changes the labels of fewer nodes than this share, ten times in a row."""


@dataclass(eq=False)
class CutSSL(Method):
    """Minimise tr X'(L - s D)X over X >= 0 with rows that sum to 1, columns that sum to the class sizes, labels held.

    For s = 0 the programme is convex. A shift s makes it concave along the edges of the feasible set, so that its
    minima are one-hot: a labelling of the given sizes that no exchange improves. Stages with rising s begin where the
    one before ended; the first begins from the minimum without X >= 0, Laplace learning shifted to the sizes.

    ADMM splits X (sums) from Y >= 0: (L + (r - s) D) X = b + r D (Y - Z) + multipliers of the sums, Y = max(X + Z, 0),
    Z <- Z + X - Y. The authors' penalty is |X - Y|^2; here it is weighed by D, which makes it independent of the scale
    of the weights. Sizes are those of the class prior, or of the classes among the labels.

    Of U = X + Z all else follows: Y and Z are what is positive and what is negative of it, so Y - Z = |U|. The system
    of a step is D (1 + r - s - P), far from singular, so that a polynomial of few walks does for its change.

    Parameters
    ----------
    shifts : sequence of float
        s of each stage; 0 and 0.1 are the authors'.
    steps : int
        Steps of each stage at most.
    penalty : float
        r, at least four times every shift; where the two are closer the steps wander.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> CutSSL().scores(path, Seeds.from_classes([0, 5], [0, 1])).round(2).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    shifts: Sequence[float] = (0.0, 0.1)
    _: KW_ONLY
    steps: int = 100
    penalty: float = 1.0

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("CutSSL is for classes; use another method for values.")
        refuse_below(1, steps=self.steps)
        shifts = np.asarray(self.shifts, dtype=np.float64)
        if shifts.ndim != 1 or not ((shifts >= 0) & (4 * shifts <= self.penalty)).all() or not self.penalty > 0:
            raise FewlabelsError(
                f"shifts={self.shifts!r} must be a list of numbers from 0 to a quarter of penalty={self.penalty!r}."
            )
        if not LEAST_PENALTY <= self.penalty <= MOST_PENALTY:
            raise FewlabelsError(
                f"penalty={self.penalty!r} must be from {LEAST_PENALTY} to {MOST_PENALTY}; 1.0 is the usual one."
            )
        free = reach_of(graph, seeds).nodes.copy()
        free[seeds.indices] = False
        nodes = np.flatnonzero(free)
        u = np.zeros((graph.n_nodes, seeds.targets.shape[1]))
        u[seeds.indices] = seeds.targets
        if nodes.size == 0:
            return Spread(u, ())
        programme = _Programme(graph, seeds, nodes)
        X, solves = programme.begun()
        for shift in shifts:
            X = programme.stage(X, float(shift), self.penalty, self.steps)
        u[nodes] = X
        return Spread(u, solves)


class _Programme:
    """The quadratic programme on the nodes without a label that some label reaches."""

    def __init__(self, graph: Graph, seeds: Seeds, nodes: NDArray[np.int64]) -> None:
        rows = graph.weights[nodes]
        self._graph, self._nodes, self._degrees = graph, nodes, graph.degrees[nodes]
        self._W, self._pull = sp.csr_array(rows[:, nodes]), np.asarray(rows[:, seeds.indices] @ seeds.targets)
        self._walk = WalkSystem(graph, sp.diags_array(1.0 / self._degrees) @ self._W, nodes)
        self._sizes = _sizes_left(seeds, nodes.size)

    def begun(self) -> tuple[Block, tuple[Solution, ...]]:
        """Return the minimum for s = 0 without X >= 0."""
        system = self._system(0.0)
        level, found = solve(system, np.ones((self._nodes.size, 1))), solve(system, self._pull)
        X = found.value + level.value * ((self._sizes - found.value.sum(axis=0)) / level.value.sum())
        return X, (found, level)

    def stage(self, X: Block, shift: float, penalty: float, steps: int) -> Block:
        """Return Y after the steps of ADMM with one shift, in single precision, which is more than TOL asks for."""
        n, classes = X.shape
        middle, missing = 1.0 / classes, self._sizes - n / classes
        level = solve(self._system(penalty - shift), np.ones((n, 1))).value
        beyond, per_missing = 1.0 + penalty - shift, (level / level.sum()).astype(np.float32)
        change = Polynomial(resolvent_coefficients(beyond, TOL), TOL)
        # Rows that sum to one: what is the same in all classes of a row falls out.
        differences = (np.eye(classes) - 1.0 / classes).astype(np.float32)
        pull = (self._pull / self._degrees[:, None]).astype(np.float32) @ differences
        V, U = (X - middle).astype(np.float32), np.maximum(X, 0.0).astype(np.float32)
        labels, calm = X.argmax(axis=1), 0
        for _ in track(range(steps), "CutSSL"):
            left = pull + penalty * (np.abs(U) @ differences) - beyond * V + self._walk.walk(V)
            V += solve(self._walk, left, change).value
            V -= per_missing * (V.sum(axis=0, dtype=np.float64) - missing).astype(np.float32)
            U = np.minimum(U, 0.0) + V + np.float32(middle)
            before, labels = labels, U.argmax(axis=1)
            calm = calm + 1 if np.mean(before != labels) < UNCHANGED else 0
            if calm == CALM:
                break
        undecided = ~(U > 0).any(axis=1)  # as Z of a row may be before the steps have settled it
        U[undecided] = V[undecided] + np.float32(middle)
        return np.maximum(U, 0.0).astype(np.float64)

    def _system(self, shift: float) -> MatrixSystem:
        return MatrixSystem(self._graph, sp.diags_array((1.0 + shift) * self._degrees) - self._W, self._nodes)


def _sizes_left(seeds: Seeds, n: int) -> NDArray[np.float64]:
    """Return how many of n nodes each class is to have beside its labels; a class without a label has none."""
    given = seeds.targets.sum(axis=0)
    left = np.maximum(class_sizes(seeds.prior * (given > 0), n + seeds.size) - given, 0.0)
    return np.asarray(left * n / left.sum())
