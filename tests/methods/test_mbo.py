import numpy as np
import oracles
from gallery import ring_of_blobs

from fewlabels import MBO, Seeds


def test_mbo_is_its_formula():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 50, 90, 130], [0, 1, 2, 3])
    start = np.eye(4)[np.random.default_rng(5).choice(4, size=graph.n_nodes)]
    start[seeds.indices] = seeds.targets
    W = graph.weights.toarray()
    expected = oracles.mbo(W, seeds.indices, seeds.targets, start, 20, 10, 6, 0.15, 50)
    found = MBO(modes=20, random_state=5).scores(graph, seeds)
    others = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    np.testing.assert_array_equal(found[others].argmax(axis=1), expected[others].argmax(axis=1))
