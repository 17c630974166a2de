import numpy as np
from gallery import ring_of_blobs, some_seeds

from fewlabels import RandomWalk


def test_walks_of_other_lengths_on_one_graph_do_not_mix():
    graph, seeds = ring_of_blobs(), some_seeds(ring_of_blobs())
    RandomWalk(alpha=0.5).scores(graph, seeds)
    expected = RandomWalk(alpha=0.9).scores(ring_of_blobs(), seeds)
    np.testing.assert_allclose(RandomWalk(alpha=0.9).scores(graph, seeds), expected)
