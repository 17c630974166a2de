"""Neighbours of all points at once, by tiles and a compiled scan: the same as one by one."""

import numpy as np
import pytest
from oracles import nearest_neighbors

from fewlabels.neighbors import NeighborSearch, find_neighbors
from fewlabels.neighbors.pairs import _round_robin, nearest_of_all

pytestmark = pytest.mark.usefixtures("small_blocks")


@pytest.mark.parametrize("n", [2, 3, 63, 64, 65, 500, 701])
@pytest.mark.parametrize("d", [1, 5])
def test_each_pair_met_once_is_enough(n, d):
    X = np.random.default_rng(n).normal(size=(n, d))
    k = min(7, n - 1)
    found = find_neighbors(X, k, search="exact")
    indices, distances = nearest_neighbors(X, k)
    np.testing.assert_array_equal(found.indices, indices)
    np.testing.assert_allclose(found.distances, distances, rtol=1e-10)


def test_duplicates_are_neighbours_but_a_point_is_not_its_own():
    X = np.repeat(np.random.default_rng(0).normal(size=(30, 3)), 20, axis=0).astype(np.float32)
    found = nearest_of_all(X, 19)
    assert (found // 20 == np.arange(600)[:, None] // 20).all()
    assert (found != np.arange(600)[:, None]).all()
    assert all(len(set(row)) == 19 for row in found.tolist())


@pytest.mark.parametrize("blocks", range(1, 12))
def test_every_pair_of_blocks_comes_once_and_no_block_twice_in_a_round(blocks):
    rounds = _round_robin(blocks)
    pairs = [pair for pairs in rounds for pair in pairs]
    assert sorted(pairs) == [(a, b) for a in range(blocks) for b in range(a, blocks)]
    for pairs in rounds:
        members = [block for pair in pairs for block in set(pair)]
        assert len(members) == len(set(members))


@pytest.mark.parametrize("rows", [64, 90])
def test_queries_by_tiles_are_those_one_by_one(rows):
    rng = np.random.default_rng(5)
    X, Q = rng.normal(size=(300, 4)), rng.normal(size=(rows, 4))
    found = NeighborSearch(X, search="exact").of(Q, 6)
    gaps = np.linalg.norm(Q[:, None] - X[None], axis=2)
    np.testing.assert_array_equal(found.indices, np.argsort(gaps, axis=1)[:, :6])
