"""Systems answer to a few verbs; rows that lie in several places can answer to the same ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import GALLERY, disconnected, path, ring_of_blobs
from oracles import component_projection, laplacian

from fewlabels import FewlabelsError, Graph
from fewlabels.kept import Kept
from fewlabels.solvers import CG, Auto, Chebyshev, Direct, Multigrid, Series, solve
from fewlabels.systems import (
    MatrixSystem,
    OperatorSystem,
    Shape,
    WalkSystem,
    green_system,
    laplacian_of,
    padded_rows,
    projections_of,
)


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
        self.shape = Shape(self.n_rows, 5, 5)
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


@pytest.mark.parametrize("name", GALLERY)
def test_the_green_system_is_the_formula(name):
    graph = GALLERY[name]()
    W, d = graph.weights.toarray(), graph.degrees
    back = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    S = back[:, None] * W * back
    H = back[:, None] * np.linalg.pinv(np.diag((d > 0).astype(float)) - S, rcond=1e-12, hermitian=True) * back
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    found = solve(green_system(graph), B, Direct())
    np.testing.assert_allclose(found.value, H @ B, atol=1e-6 * np.abs(H @ B).max())


@pytest.mark.parametrize("solver", [CG(1e-11), CG(1e-11, coarse=False)], ids=str)
def test_a_shifted_laplacian_is_the_formula_where_the_degree_weighted_mean_is_zero(solver):
    graph, v = ring_of_blobs(), 1e-3
    W, d = graph.weights.toarray(), graph.degrees
    A = laplacian(W) - v * (np.diag(d) - np.outer(d, d) / d.sum())
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, 2)))
    X = solve(green_system(graph, shift=1.0 - v), B, solver).value
    np.testing.assert_allclose(A @ X, B, atol=1e-6)
    np.testing.assert_allclose(d @ X, 0, atol=1e-6 * np.abs(X).max() * d.sum())


def test_the_three_projections_work_on_each_component():
    graph = disconnected()
    X, d = np.random.default_rng(0).normal(size=(graph.n_nodes, 2)), graph.degrees
    found = projections_of(graph)
    np.testing.assert_allclose(found.centre(X), component_projection(graph.components) @ X, atol=1e-12)
    for component in range(graph.n_components):
        here = graph.components == component
        np.testing.assert_allclose(found.balance(X)[here].sum(axis=0), 0, atol=1e-10)
        np.testing.assert_allclose(d[here] @ found.centre_by_degree(X)[here], 0, atol=1e-10)
    again = X.copy()
    found.centre_by_degree_in_place(again)
    np.testing.assert_allclose(again, found.centre_by_degree(X))


def test_both_laplacians_of_a_graph_share_what_is_prepared():
    graph, B = ring_of_blobs(), np.random.default_rng(0).normal(size=(90, 2))
    B = B[: graph.n_nodes] if len(B) >= graph.n_nodes else np.random.default_rng(0).normal(size=(graph.n_nodes, 2))
    for solver in (Direct(), CG(1e-6), CG(1e-3), Multigrid(1e-6), Multigrid(1e-3)):
        for system in (laplacian_of(graph), green_system(graph)):
            solve(system, B, solver)
    kept = list(graph.kept)
    assert sorted(set(kept) & {"factorisation", "coarse inverse", "multigrid"}) == [
        "coarse inverse",
        "factorisation",
        "multigrid",
    ]
    assert all(kept.count(name) == 1 for name in ("factorisation", "coarse inverse", "multigrid", "laplacian matrix"))


def test_definite_systems_take_the_same_solvers():
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(400, 4)), n_neighbors=8)
    nodes = np.arange(5, 400)
    matrix = sp.csr_array(laplacian(graph.weights.toarray())[np.ix_(nodes, nodes)])
    B = np.random.default_rng(1).normal(size=(nodes.size, 3))
    expected = np.linalg.solve(matrix.toarray(), B)
    for solver in (None, Direct(), CG(1e-10), CG(1e-10, coarse=False), Multigrid(1e-10)):
        found = solve(MatrixSystem(graph, matrix, nodes), B, solver)
        np.testing.assert_allclose(found.value, expected, atol=1e-6 * np.abs(expected).max())


def test_a_product_alone_has_no_coarse_picture():
    system = OperatorSystem(4, lambda X: 3 * X)
    assert solve(system, np.ones((4, 1)), CG(1e-9, coarse=False)).value.ravel().tolist() == [1 / 3] * 4
    with pytest.raises(FewlabelsError, match="CG\\(coarse=False\\)"):
        solve(system, np.ones((4, 1)), CG(1e-9))


def test_a_walk_back_moves_a_distribution():
    graph = path(4)
    P = graph.weights.toarray() / graph.degrees[:, None]
    p = np.array([0.5, 0.5, 0.0, 0.0])
    np.testing.assert_allclose(laplacian_of(graph).walk_back(p), P.T @ p)


def test_rows_are_padded_with_what_changes_nothing():
    matrix = sp.random_array((30, 30), density=0.2, rng=np.random.default_rng(0), format="csr")
    indptr, indices, data = padded_rows(matrix, 4)
    assert (np.diff(indptr) % 4 == 0).all()
    again = sp.csr_array((data, indices.astype(np.int64), indptr), shape=(30, 30))
    np.testing.assert_allclose(again.toarray(), matrix.toarray())


def test_a_walk_is_in_single_precision():
    graph = path(5)
    assert WalkSystem(graph, graph.weights).walk(np.ones((5, 2))).dtype == np.float32
