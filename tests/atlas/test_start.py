import numpy as np
from gallery import disconnected, path, star

from fewlabels.atlas.level import level_of
from fewlabels.atlas.start import SPREAD, WOBBLE, spectral_places


def test_a_path_begins_along_its_two_slowest_modes():
    graph = path(40)
    level = level_of(graph, None, np.random.default_rng(0))
    places = spectral_places(level, np.random.default_rng(0))
    W = graph.weights.toarray()
    vectors = np.linalg.eig(np.diag(1 / W.sum(axis=1)) @ W)
    slowest = vectors[1][:, np.argsort(-vectors[0].real)[1:3]].real
    for axis in range(2):
        assert abs(np.corrcoef(places[:, axis], slowest[:, axis])[0, 1]) > 0.999
    np.testing.assert_allclose(places.std(axis=0), SPREAD, rtol=0.02)


def test_each_component_has_modes_of_its_own():
    graph = disconnected()
    places = spectral_places(level_of(graph, None, np.random.default_rng(0)), np.random.default_rng(0))
    for c in range(graph.n_components):
        np.testing.assert_allclose(places[graph.components == c].std(axis=0), SPREAD, rtol=0.1)


def test_leaves_of_a_star_do_not_begin_at_one_place():
    places = spectral_places(level_of(star(30), None, np.random.default_rng(0)), np.random.default_rng(0))
    gaps = np.linalg.norm(places[:, None] - places, axis=2)[~np.eye(30, dtype=bool)]
    assert gaps.min() > WOBBLE / 1000
