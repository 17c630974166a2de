"""Each method the paper compares, against its formula written densely."""

import numpy as np
import oracles
import pytest
from gallery import GALLERY, blob_points, disconnected, grid, path, ring_of_blobs, some_seeds

from fewlabels import (
    MBO,
    WNLL,
    CenteredKernel,
    FewLabelClassifier,
    FewlabelsError,
    Graph,
    Laplace,
    NearestNeighbor,
    PLaplace,
    RandomWalk,
    Seeds,
    SparseLabelPropagation,
    VPoisson,
)
from fewlabels.methods import METHODS as ALL
from fewlabels.solvers.auto import Auto
from fewlabels.solvers.gap import spectral_gap
from fewlabels.spectrum import lowest_modes
from fewlabels.systems import laplacian_of

METHODS = {name: method for name, method in ALL.items() if name != "interface-laplace-network"}
CONNECTED = [name for name in GALLERY if name not in ("disconnected", "isolated_node", "duplicates", "weights_apart")]
FORMULAS = {
    RandomWalk: oracles.random_walk,
    WNLL: oracles.wnll,
    CenteredKernel: oracles.centered_kernel,
    SparseLabelPropagation: oracles.sparse_label_propagation,
}


@pytest.mark.parametrize("name", CONNECTED)
@pytest.mark.parametrize("method", FORMULAS, ids=lambda method: method.__name__)
def test_methods_are_their_formulas(name, method):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = FORMULAS[method](graph.weights.toarray(), seeds.indices, seeds.targets)
    np.testing.assert_allclose(method().scores(graph, seeds), expected, atol=1e-6)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("name", CONNECTED)
def test_laplace_of_any_order_is_its_formula(name, order):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.laplace_learning(graph.weights.toarray(), seeds.indices, seeds.targets, order)
    found = Laplace(order=order).scores(graph, seeds)
    np.testing.assert_allclose(found, expected, atol=1e-5 * 10 ** (order - 1) * np.abs(expected).max())
    shifted = Laplace(order=order, mean_shift=True).scores(graph, seeds)
    np.testing.assert_allclose(shifted, found - found.mean(axis=0), atol=1e-12 * np.abs(found).max())


@pytest.mark.parametrize("name", CONNECTED)
def test_poisson_reweighting_is_its_formula(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.poisson_reweighted(graph.weights.toarray(), seeds.indices, seeds.targets)
    np.testing.assert_allclose(Laplace(reweighting="poisson").scores(graph, seeds), expected, atol=1e-4)


@pytest.mark.parametrize("light", [1e-3, 1e-4])
def test_poisson_reweighting_cuts_no_light_edge(light):
    W = np.diag([1, 1, 1, light, 1.0], 1)
    scores = Laplace(reweighting="poisson").scores(Graph.from_weights(W + W.T), Seeds.from_values([0, 2], [5.0, 7.0]))
    np.testing.assert_allclose(scores[3:], 7.0, atol=1e-3)


@pytest.mark.parametrize("order", [2, 3])
def test_higher_orders_match_the_labels_on_large_graphs_too(order):
    rng = np.random.default_rng(0)
    graph = Graph.from_features(rng.normal(size=(12_000, 4)), n_neighbors=8)
    seeds = Seeds.from_values(np.arange(8) * 1000, rng.uniform(0, 3, size=8))
    found = Laplace(order=order).spread(graph, seeds)
    np.testing.assert_allclose(found.scores[seeds.indices], seeds.targets, atol=0.01)


def test_a_graph_without_edges_leaves_the_centred_kernel_with_the_labels():
    scores = CenteredKernel().scores(Graph.from_weights(np.zeros((5, 5))), Seeds.from_classes([0, 1], ["a", "b"]))
    assert scores[:2].argmax(axis=1).tolist() == [0, 1]


@pytest.mark.parametrize("fraction", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("name", CONNECTED)
def test_vpoisson_is_its_formula(name, fraction):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.variance_poisson(graph.weights.toarray(), seeds.indices, seeds.targets, fraction)
    found = VPoisson(fraction=fraction).scores(graph, seeds)
    np.testing.assert_allclose(found, expected, atol=1e-3 * np.abs(expected).max())


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


def test_nearest_neighbour_follows_the_shortest_path():
    X, _ = blob_points()
    graph = Graph.from_features(X, n_neighbors=8)
    seeds = Seeds.from_classes([3, 50, 60, 90], [0, 1, 1, 2])
    reach = oracles.graph_distance(graph.lengths.toarray(), seeds.indices)
    nearest, found = reach.argmin(axis=1), NearestNeighbor().scores(graph, seeds)
    np.testing.assert_array_equal(found.argmax(axis=1), seeds.codes[nearest])
    closeness = 1 / (1 + reach.min(axis=1) / reach.min(axis=1).mean())
    np.testing.assert_allclose(found, np.eye(3)[seeds.codes[nearest]] * closeness[:, None], atol=1e-9)
    values = Seeds.from_values(seeds.indices, [1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(
        NearestNeighbor().scores(graph, values).ravel(), np.array([1.0, 2.0, 3.0, 4.0])[reach.argmin(axis=1)]
    )


def test_nearest_neighbour_counts_edges_where_only_weights_are_known():
    scores = NearestNeighbor().scores(path(6), Seeds.from_classes([0, 5], [0, 1]))
    np.testing.assert_allclose(scores[:, 0], [1, 1 / 2, 1 / 3, 0, 0, 0])


@pytest.mark.parametrize("count", [2, 7])
def test_lowest_modes_are_the_dense_ones(count, monkeypatch):
    graph = ring_of_blobs()
    expected = np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray()))[:count]
    dense = lowest_modes(graph, count)[0]
    monkeypatch.setattr("fewlabels.spectrum.DENSE_UP_TO", 10)
    values, vectors = lowest_modes(ring_of_blobs(), count)
    np.testing.assert_allclose(values, expected, atol=1e-6)
    np.testing.assert_allclose(dense, expected, atol=1e-10)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(count), atol=1e-8)


@pytest.mark.parametrize("name", ["grid", "ring_of_blobs", "disconnected", "two_cliques"])
def test_the_spectral_gap_is_the_first_nonzero_eigenvalue(name, monkeypatch):
    graph = GALLERY[name]()
    expected = np.sort(np.linalg.eigvalsh(oracles.normal_laplacian(graph.weights.toarray())))[graph.n_components]
    assert spectral_gap(graph) == pytest.approx(expected, abs=1e-9)
    monkeypatch.setattr("fewlabels.solvers.gap.DENSE_UP_TO", 3)
    assert spectral_gap(GALLERY[name]()) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_works_in_the_classifier(name):
    X, truth = blob_points(noise=0.2)
    y = np.where(np.arange(truth.size) % 40 == 5, truth, -1)
    model = FewLabelClassifier(method=name, n_neighbors=25).fit(X, y)
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)
    floor = 0.25 if name in ("mbo", "sparse-label-propagation") else 0.85
    assert np.mean(model.transduction_ == truth) > floor


@pytest.mark.parametrize("name", METHODS)
def test_components_are_kept_apart_by_every_method(name):
    graph = disconnected()
    seeds = Seeds.from_classes([5, 15, 40], ["a", "b", "c"])
    scores = METHODS[name]().scores(graph, seeds)
    assert np.isfinite(scores).all()
    assert set(scores[:30].argmax(axis=1)) <= {0, 1}
    assert set(scores[30:60].argmax(axis=1)) == {2}
    np.testing.assert_allclose(scores[60:], 1 / 3)


@pytest.mark.parametrize("name", METHODS)
def test_regression_works_or_is_refused(name):
    graph, seeds = grid(), Seeds.from_values([0, 80], [10.0, 20.0])
    if name in ("mbo", "poisson-mbo", "volume-mbo", "refined"):
        with pytest.raises(FewlabelsError, match=r"thresholds to classes|are for classes"):
            METHODS[name]().scores(graph, seeds)
        return
    found = METHODS[name]().scores(graph, seeds).ravel()
    assert np.isfinite(found).all()
    assert found[1] < found[79]


@pytest.mark.parametrize("name", METHODS)
def test_class_priors_never_take_from_the_class_they_favour(name):
    graph = ring_of_blobs()
    plain = Seeds.from_classes([3, 50, 55], [0, 1, 1])
    weighted = Seeds.from_classes([3, 50, 55], [0, 1, 1], class_prior=[0.9, 0.1])
    before, after = (METHODS[name]().scores(graph, seeds).argmax(axis=1) for seeds in (plain, weighted))
    assert (after == 0).sum() >= (before == 0).sum()


def test_conjugate_gradients_solve_definite_systems_of_large_graphs_too(monkeypatch):
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(4000, 8)), n_neighbors=8)
    seeds = Seeds.from_classes([3, 500, 900], [0, 1, 2])
    found = WNLL().spread(graph, seeds)
    assert found.solves[0].solver == "cg"
    monkeypatch.setattr("fewlabels.solvers.auto.SMALL_GRAPH", 10_000)
    assert type(Auto().choose(laplacian_of(graph))).__name__ == "Direct"
    exact = WNLL().spread(graph, seeds)
    assert exact.solves[0].solver == "direct"
    np.testing.assert_allclose(found.scores, exact.scores, atol=1e-3)


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (RandomWalk(alpha=1.0), "alpha=1.0 must lie between 0 and 1"),
        (VPoisson(fraction=1.0), "at least 0 and below 1"),
        (SparseLabelPropagation(steps=0), "at least 1"),
        (Laplace(order=0), "order=0 must be a whole number of at least 1"),
        (Laplace(reweighting="wnll"), "choose 'none' or 'poisson'"),
        (Laplace(order=2, reweighting="poisson"), "use one or the other"),
        (PLaplace(tol=-1), "tol=-1 must be a number above zero"),
        (PLaplace(max_sweeps=0), "max_sweeps=0 must be a whole number of at least 1"),
    ],
    ids=str,
)
def test_bad_parameters_get_one_sentence(method, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        method.scores(grid(), Seeds.from_classes([0, 80], [0, 1]))
