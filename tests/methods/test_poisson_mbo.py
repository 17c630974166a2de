import numpy as np
import pytest
from gallery import ring_of_blobs, some_seeds
from oracles import one_hot

from fewlabels import Poisson, PoissonMBO
from fewlabels.volumes import class_sizes, size_offsets


@pytest.mark.parametrize("rounds", [1, 12])
def test_a_round_of_poisson_mbo_is_diffusion_with_the_source(rounds):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    sizes = class_sizes(seeds.prior, graph.n_nodes)
    start = Poisson().scores(graph, seeds)
    u = start
    W = graph.weights.toarray()
    L, dt = np.diag(W.sum(axis=1)) - W, 1.0 / W.sum(axis=1).max()
    source = np.zeros_like(u)
    source[seeds.indices] = seeds.targets - seeds.targets.mean(axis=0)
    for _ in range(rounds):
        u = one_hot((u + size_offsets(u, sizes)).argmax(axis=1), seeds.targets.shape[1])
        for _ in range(4):
            u = u - dt * (L @ u - 2.0 * source)
    found = PoissonMBO(rounds=rounds, steps=4, mu=2.0).scores(graph, seeds)
    np.testing.assert_allclose(found - u, np.broadcast_to((found - u)[0], u.shape), atol=1e-5)
