"""Systems answer to a few verbs; rows that lie in several places can answer to the same ones."""

import numpy as np
import pytest
from gallery import ring_of_blobs
from oracles import laplacian

from fewlabels.kept import Kept
from fewlabels.solvers import CG, Auto, Chebyshev, Series, solve
from fewlabels.systems import Shape


class Rows:
    """A block whose rows lie in two places; it adds, scales columns and copies, and no more."""

    def __init__(self, parts):
        self.parts = parts

    @property
    def shape(self):
        return sum(len(part) for part in self.parts), self.parts[0].shape[1]

    def __getitem__(self, place):
        rows, columns = place
        assert rows == slice(None)
        return Rows([part[:, columns] for part in self.parts])

    def copy(self):
        return Rows([part.copy() for part in self.parts])

    def __mul__(self, row):
        return Rows([part * row for part in self.parts])

    __rmul__ = __mul__

    def __imul__(self, row):
        self.parts = [part * row for part in self.parts]
        return self

    def __sub__(self, other):
        return Rows([a - b for a, b in zip(self.parts, other.parts, strict=True)])

    def __iadd__(self, other):
        self.parts = [a + b for a, b in zip(self.parts, other.parts, strict=True)]
        return self

    def __isub__(self, other):
        self.parts = [a - b for a, b in zip(self.parts, other.parts, strict=True)]
        return self


class SplitCoarse:
    """Every third row is an aggregate with the two after it; sums over aggregates are small and meet in one place."""

    component = None

    def __init__(self, matrix, cut):
        n = matrix.shape[0]
        self._groups = np.arange(n) // 3
        P = np.eye(self._groups[-1] + 1)[self._groups]
        self.matrix = P.T @ matrix @ P
        self._parts = [P[:cut], P[cut:]]

    def restrict(self, R):
        return sum(P.T @ part for P, part in zip(self._parts, R.parts, strict=True))

    def prolong(self, C):
        return Rows([P @ C for P in self._parts])


class SplitSystem:
    """A definite matrix in two blocks of rows; a product first fetches the few rows of the other block it needs."""

    is_singular = False

    def __init__(self, matrix, cut):
        self.n_rows, self.kept = matrix.shape[0], Kept()
        self.shape = Shape(self.n_rows, 5)
        blocks = [matrix[:cut], matrix[cut:]]
        inside = [matrix[:cut, :cut], matrix[cut:, cut:]]
        outside = [blocks[0][:, cut:], blocks[1][:, :cut]]
        self._halo = [np.flatnonzero(part.any(axis=0)) for part in outside]
        self._inside, self._outside = inside, [part[:, halo] for part, halo in zip(outside, self._halo, strict=True)]
        self._diagonal = [np.diag(part)[:, None] for part in inside]
        self.coarse = SplitCoarse(matrix, cut)
        self.fetched = 0

    def apply(self, X):
        fetched = [X.parts[1][self._halo[0]], X.parts[0][self._halo[1]]]
        self.fetched += sum(len(part) for part in fetched)
        return Rows([A @ x + B @ y for A, x, B, y in zip(self._inside, X.parts, self._outside, fetched, strict=True)])

    def walk(self, X):
        return X - self.over_diagonal(self.apply(X))

    def over_diagonal(self, X):
        return Rows([part / d for part, d in zip(X.parts, self._diagonal, strict=True)])

    def dot(self, X, Y):
        return sum((x * y).sum(axis=0) for x, y in zip(X.parts, Y.parts, strict=True))

    def rows(self, X, nodes):
        return np.concatenate(X.parts)[nodes]

    def sums(self, X):
        return sum(part.sum(axis=0) for part in X.parts)[None, :]

    def solvable(self, B):
        return B

    def clean(self, R):
        pass

    def choose(self, X):
        pass


@pytest.mark.parametrize("solver", [None, Auto(1e-10), CG(1e-10), CG(1e-10, coarse=False)], ids=str)
def test_rows_in_two_places_are_solved_through_the_same_door(solver):
    graph = ring_of_blobs()
    matrix = laplacian(graph.weights.toarray()) + np.diag(0.1 + graph.degrees / 5)
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 70))
    system = SplitSystem(matrix, 47)
    found = solve(system, Rows([B[:47].copy(), B[47:].copy()])[:, :3], solver, tol=1e-8)
    assert found.status == "converged"
    np.testing.assert_allclose(np.concatenate(found.value.parts), np.linalg.solve(matrix, B[:, :3]), atol=1e-5)
    assert 0 < system.fetched / found.n_iter < graph.n_nodes


@pytest.mark.parametrize("solver", [Series(30), Chebyshev(30, tol=1e-10)], ids=str)
def test_steps_of_rows_in_two_places_are_the_papers_sum(solver):
    graph = ring_of_blobs()
    matrix = laplacian(graph.weights.toarray()) + np.diag(graph.degrees / 5)
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    found = solve(SplitSystem(matrix, 47), Rows([B[:47].copy(), B[47:].copy()]), solver)
    step = np.eye(graph.n_nodes) - matrix / np.diag(matrix)[:, None]
    expected = sum(np.linalg.matrix_power(step, i) for i in range(30)) @ (B / np.diag(matrix)[:, None])
    np.testing.assert_allclose(np.concatenate(found.value.parts), expected, atol=1e-8)
