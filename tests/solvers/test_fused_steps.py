"""The compiled steps: when columns rest, and what is said to be left."""

import numpy as np
import pytest
from gallery import ring_of_blobs

from fewlabels import Graph
from fewlabels.solvers.fused import FusedSystem
from fewlabels.systems import green_system, laplacian_of, projections_of

pytestmark = pytest.mark.usefixtures("compiled_everywhere", "columns_apart_or_rows_shared")


def test_columns_that_are_done_rest(monkeypatch):
    graph = ring_of_blobs()
    B = np.random.default_rng(0).normal(size=(graph.n_nodes, 3))
    fused = FusedSystem(laplacian_of(graph))
    start, moved = fused.solve(B, 1e-6, 0)[0], fused.solve(B, 1e-6, 4)[0]
    assert np.abs(moved - start).max() > 1e-3
    monkeypatch.setattr("fewlabels.solvers.fused_steps.EXHAUSTED", 1e30)
    np.testing.assert_array_equal(fused.solve(B, 1e-6, 4)[0], start)


def test_the_residual_told_is_the_one_there_is():
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(3000, 6)), n_neighbors=10)
    B = projections_of(graph).balance(rng.normal(size=(3000, 4)))
    fused = FusedSystem(green_system(graph))
    for tol, single in ((0.1, True), (1e-3, True), (1e-9, False)):
        X, _, told = fused.solve(B, tol, 500, single=single)
        left = np.linalg.norm(B - green_system(graph).apply(X), axis=0) / np.linalg.norm(B, axis=0)
        assert told == pytest.approx(left.max(), rel=0.01)
