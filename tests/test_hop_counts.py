import networkx
import numpy as np
import pytest
import scipy.sparse as sp

from fewlabels.hop_counts import hop_counts


@pytest.mark.parametrize("seed", range(20))
def test_hops_are_those_of_a_search_from_each_node(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    drawn = sp.random_array((n, n), density=min(1.0, 2.0 / n), rng=rng, format="csr")
    weights = sp.csr_array(drawn + drawn.T)
    nodes = rng.integers(n, size=int(rng.integers(1, 5)))
    lengths = dict(networkx.all_pairs_shortest_path_length(networkx.from_scipy_sparse_array(weights)))
    wanted = [min(lengths[node].get(other, n) for node in nodes) for other in range(n)]
    assert hop_counts(weights, nodes).tolist() == [-1 if hops == n else hops for hops in wanted]


def test_a_node_may_be_named_twice():
    path = sp.csr_array(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    assert hop_counts(path, np.array([1, 1, 3])).tolist() == [1, 0, 1, 0]


def test_no_nodes_reach_nothing():
    assert hop_counts(sp.csr_array(np.ones((3, 3))), np.array([], dtype=int)).tolist() == [-1, -1, -1]


def test_a_path_as_deep_as_it_is_long():
    n = 200_000
    path = sp.csr_array(sp.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[1, -1], shape=(n, n)))
    assert (hop_counts(path, np.array([0, n - 1])) == np.minimum(np.arange(n), np.arange(n)[::-1])).all()
