import numpy as np
from gallery import path

from fewlabels.systems import WalkSystem


def test_a_walk_is_in_single_precision():
    graph = path(5)
    assert WalkSystem(graph, graph.weights).walk(np.ones((5, 2))).dtype == np.float32
