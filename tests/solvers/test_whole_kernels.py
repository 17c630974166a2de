"""All steps in one call against the same steps one by one."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import GALLERY

from fewlabels import Graph
from fewlabels.solvers import CG, solve
from fewlabels.solvers.fused import FusedSystem
from fewlabels.solvers.fused_steps import Steps
from fewlabels.systems import MatrixSystem, green_system, laplacian_of, projections_of

pytestmark = pytest.mark.usefixtures("compiled_everywhere")


def _both(monkeypatch, system, B, tol, single):
    found = []
    for whole in (30_000, 0):
        monkeypatch.setattr("fewlabels.solvers.fused.FEW_ROWS", whole)
        found.append(FusedSystem(system).solve(B, tol, 200, single=single))
    return found


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("columns", [1, 3])
def test_the_steps_are_the_same(name, columns, monkeypatch):
    graph = GALLERY[name]()
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, columns)))
    for system in (laplacian_of(graph), green_system(graph, shift=1.01)):
        (one, steps, left), (other, other_steps, other_left) = _both(monkeypatch, system, B, 1e-9, False)
        assert steps == other_steps
        assert left == pytest.approx(other_left, rel=0.1, abs=1e-11)
        np.testing.assert_allclose(one, other, atol=1e-7 * np.abs(other).max())


@pytest.mark.parametrize("name", GALLERY)
def test_nothing_is_removed_where_the_matrix_is_definite(name, monkeypatch):
    graph = GALLERY[name]()
    A = laplacian_of(graph).matrix + np.eye(graph.n_nodes)
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 9))
    (found, _, _), _ = _both(monkeypatch, MatrixSystem(graph, type(graph.weights)(A)), B, 1e-10, False)
    np.testing.assert_allclose(A @ found, B, atol=1e-8 * np.abs(B).max())


def test_a_solve_that_overflows_ends_without_a_warning(monkeypatch):
    graph = GALLERY["ring_of_blobs"]()
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, 16)))
    B[0] = np.inf
    for _, steps, _ in _both(monkeypatch, laplacian_of(graph), B, 1e-3, True):
        assert steps == 0


def test_no_thread_warns_of_an_overflow(monkeypatch):
    graph = GALLERY["ring_of_blobs"]()
    seen, taken = [], Steps.take

    def watched(self, most):
        seen.append((threading.get_ident(), np.geterr()["over"]))
        time.sleep(0.05)  # the other columns go to another thread
        return taken(self, most)

    monkeypatch.setattr(Steps, "take", watched)
    monkeypatch.setattr("fewlabels.threads._usable", lambda: 2)
    fused = FusedSystem(laplacian_of(graph))
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, 8)))
    fused.solve(B, 1e-3, 200)
    fused.solve(B, 1e-3, 200)
    assert len({thread for thread, _ in seen}) == 2
    assert {told for _, told in seen} == {"ignore"}


def test_threads_that_solve_at_once_do_not_meet(monkeypatch):
    graph = GALLERY["ring_of_blobs"]()
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, 32)))
    (alone, _, _), _ = _both(monkeypatch, laplacian_of(graph), B, 1e-9, False)
    monkeypatch.setattr("fewlabels.solvers.fused.FEW_ROWS", 30_000)
    fused = FusedSystem(laplacian_of(graph))
    with ThreadPoolExecutor(4) as pool:
        for found, _, _ in pool.map(lambda _: fused.solve(B, 1e-9, 200, single=False), range(40)):
            np.testing.assert_allclose(found, alone, atol=1e-8 * np.abs(alone).max())


def test_what_overflows_in_one_thread_is_not_hidden_by_another(monkeypatch):
    monkeypatch.setattr("fewlabels.threads._usable", lambda: 2)
    rng = np.random.default_rng(0)
    links = [sp.random_array((n, n), density=8 / n, rng=rng, format="csr") for n in (900, 100)]
    graph = Graph.from_weights(sp.csr_array(sp.block_diag([links[0], 1e-60 * links[1]])), symmetrize=True)
    system, B = green_system(graph), np.zeros((1000, 8))
    for column in range(8):
        B[900 * (column >= 4) + 10 * column + np.array([0, 5]), column] = 1.0, -1.0
    B = projections_of(graph).balance(B)
    found = solve(system, B, CG(1e-4))
    left = np.linalg.norm(B - system.apply(found.value), axis=0) / np.linalg.norm(B, axis=0)
    assert left.max() < 1e-3


def test_an_interrupt_ends_every_thread(monkeypatch):
    monkeypatch.setattr("fewlabels.threads._usable", lambda: 2)
    graph = GALLERY["ring_of_blobs"]()
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, 16)))
    fused, begun = FusedSystem(laplacian_of(graph)), threading.Event()
    fused.solve(B, 1e-3, 200)

    def take(self, most):
        if threading.current_thread() is not threading.main_thread():
            begun.set()
            time.sleep(0.01)
            return 1
        begun.wait(10)
        raise KeyboardInterrupt

    monkeypatch.setattr(Steps, "take", take)
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        fused.solve(B, 1e-3, 1_000_000)
    assert begun.is_set()
    assert time.perf_counter() - start < 10


def test_steps_go_on_where_the_last_call_ended(monkeypatch):
    graph = GALLERY["ring_of_blobs"]()
    B = projections_of(graph).balance(np.random.default_rng(0).normal(size=(graph.n_nodes, 3)))
    monkeypatch.setattr("fewlabels.solvers.fused.FEW_ROWS", 30_000)
    found = []
    for at_once in (1000, 1):
        monkeypatch.setattr("fewlabels.solvers.fused.STEPS_AT_ONCE", at_once)
        found.append(FusedSystem(laplacian_of(graph)).solve(B, 1e-9, 200, single=False))
    assert found[0][1] == found[1][1] > 2
    np.testing.assert_array_equal(found[0][0], found[1][0])
