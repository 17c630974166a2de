import numpy as np
from gallery import ring_of_blobs, some_seeds
from oracles import one_hot

from fewlabels import NearestNeighbor, VolumeMBO
from fewlabels.volumes import class_sizes, size_offsets


def begun(graph, seeds):
    start = NearestNeighbor().scores(graph, seeds)
    return start + size_offsets(start, class_sizes(seeds.prior, graph.n_nodes))


def test_without_a_round_the_nearest_labels_are_shifted_to_the_sizes():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    np.testing.assert_allclose(VolumeMBO(rounds=0).scores(graph, seeds), begun(graph, seeds))


def test_a_round_diffuses_the_classes_of_the_nearest_labels():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    codes = begun(graph, seeds).argmax(axis=1)
    codes[seeds.indices] = seeds.codes
    W = graph.weights.toarray()
    walk = (W / W.sum(axis=1, keepdims=True) + 0.15 * np.eye(len(W))) / 1.15
    u = np.linalg.matrix_power(walk, 4) @ one_hot(codes, 3)
    others = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    shift = (VolumeMBO(rounds=1, steps=4).scores(graph, seeds) - u)[others]
    np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=1e-5)
