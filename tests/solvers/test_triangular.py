from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import grid

from fewlabels.compiled import kernels_at_hand
from fewlabels.solvers import direct
from fewlabels.solvers.direct import Direct
from fewlabels.solvers.fill import sparse_lu
from fewlabels.solvers.triangular import Triangles
from fewlabels.systems import Laplacian

pytestmark = pytest.mark.skipif(not kernels_at_hand(), reason="needs the extra 'fast'")


@pytest.mark.parametrize("columns", [0, 1, 3, 33, 70])
@pytest.mark.parametrize("n", [1, 2, 60])
def test_they_are_the_inverse(n, columns):
    rng = np.random.default_rng(n)
    W = sp.random_array((n, n), density=0.2, rng=rng)
    W = sp.csr_array(W + W.T)
    matrix = sp.diags_array(W.sum(axis=1) + rng.random(n) + 0.01) - W
    B = rng.normal(size=(n, columns))
    found = Triangles(sparse_lu(matrix)).solve(B)
    np.testing.assert_allclose(found, np.linalg.solve(matrix.toarray(), B), atol=1e-11)


def test_entries_of_a_factor_may_be_in_any_order():
    factor = sparse_lu(sp.csr_array(np.diag(np.full(9, 3.0)) - np.diag(np.ones(8), 1) - np.diag(np.ones(8), -1)))
    L = sp.csc_array(factor.L)
    places = np.concatenate([np.arange(*ends)[::-1] for ends in pairwise(L.indptr)])
    turned = sp.csc_array((L.data[places], L.indices[places], L.indptr), shape=L.shape)
    B = np.eye(9)
    found = Triangles(SimpleNamespace(L=turned, U=factor.U, perm_r=factor.perm_r)).solve(B)
    np.testing.assert_allclose(found, factor.solve(B), atol=1e-12)


def test_pivots_off_the_diagonal_are_left_to_the_factorisation(monkeypatch):
    def pivoted(matrix):
        factor = sparse_lu(matrix)
        return SimpleNamespace(perm_r=factor.perm_r[::-1], perm_c=factor.perm_c, solve=factor.solve)

    monkeypatch.setattr(direct, "kernels_pay", lambda _: True)
    monkeypatch.setattr(direct, "sparse_lu", pivoted)
    B = np.random.default_rng(0).normal(size=(81, 2))
    B -= B.mean(axis=0)
    system = Laplacian(grid(), sink_by_degree=True)
    np.testing.assert_allclose(system.apply(Direct().attempt(system, B, None).value), B, atol=1e-9)


@pytest.mark.parametrize("damping", [0.0, 1e-3])
def test_a_large_graph_is_solved_by_them_as_by_the_whole_factorisation(monkeypatch, damping):
    B = np.random.default_rng(0).normal(size=(81, 5))
    B -= B.mean(axis=0)
    found = []
    for pays in (True, False):
        monkeypatch.setattr(direct, "kernels_pay", lambda _, pays=pays: pays)
        monkeypatch.setattr(direct, "Triangles", Triangles if pays else None)
        found.append(Direct().attempt(Laplacian(grid(), sink_by_degree=True, shift=1.0 + damping), B, None).value)
    np.testing.assert_allclose(*found, atol=1e-10)
