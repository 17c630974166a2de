import numpy as np
from gallery import path, ring_of_blobs
from oracles import mixing_time

from fewlabels.solvers import mixing_steps


def test_mixing_time_follows_the_papers_loop():
    graph = ring_of_blobs()
    nodes = np.array([0, 50, 90])
    expected = mixing_time(graph.weights.toarray(), nodes, fewest=1)
    assert 1 < expected < 1000
    assert mixing_steps(graph, nodes, fewest=1) == expected
    assert mixing_steps(graph, nodes) == max(100, expected)
    assert mixing_steps(path(), np.array([0])) == 1000
