"""The paper's variants of Interface Laplace learning, and p-Laplace: each held to its own optimality condition."""

import sys

import numpy as np
import oracles
import pytest
from gallery import GALLERY, blob_points, disconnected, grid, ring_of_blobs, some_seeds
from scipy.special import softmax

from fewlabels import (
    FewLabelClassifier,
    FewlabelsError,
    Graph,
    InterfaceLaplace,
    InterfaceLaplaceDirichlet,
    InterfaceLaplaceNetwork,
    Laplace,
    PLaplace,
    Poisson,
    Seeds,
)
from fewlabels.interface import fit_cross_entropy, fit_penalised, nonzero_laplacian
from fewlabels.interface.penalty import SHRINKS

TRAIN = np.array([3, 50, 90, 130])
SEEDS = Seeds.from_classes(TRAIN, [0, 1, 2, 3])
CONNECTED = [name for name in GALLERY if name not in ("disconnected", "isolated_node", "duplicates", "weights_apart")]


def limit(graph):
    return oracles.limit_matrix(graph.weights.toarray(), oracles.component_projection(graph.components))


@pytest.fixture(scope="module", name="graph")
def _graph():
    return ring_of_blobs()


def size_of_hops(graph):
    return InterfaceLaplace(hops=1).spread(graph, SEEDS).interface.size


def test_training_and_all_are_what_they_say(graph):
    assert InterfaceLaplace(positions="training").spread(graph, SEEDS).interface.tolist() == TRAIN.tolist()
    assert InterfaceLaplace(positions="all").spread(graph, SEEDS).interface.size == graph.n_nodes


def test_random_positions_have_the_size_of_the_hops_and_follow_the_seed(graph):
    spread = [InterfaceLaplace(hops=1, positions="random", random_state=t).spread(graph, SEEDS) for t in (0, 0, 1)]
    assert {s.interface.size for s in spread} == {size_of_hops(graph)}
    np.testing.assert_array_equal(spread[0].interface, spread[1].interface)
    assert (spread[0].interface != spread[2].interface).any()


@pytest.mark.parametrize(("name", "base"), [("laplace", Laplace()), ("poisson", Poisson())])
def test_base_positions_have_the_smallest_variance_of_their_scores(graph, name, base):
    found = InterfaceLaplace(hops=1, positions=name).spread(graph, SEEDS).interface
    scores = base.scores(graph, SEEDS)
    variance = (scores - scores.mean(axis=0)).var(axis=1)
    assert found.size == size_of_hops(graph)
    assert variance[found].max() <= np.delete(variance, found).min() + 1e-12


def test_geodesic_positions_are_the_farthest(graph):
    found = InterfaceLaplace(hops=1, positions="geodesic").spread(graph, SEEDS).interface
    distance = oracles.graph_distance(graph.lengths.toarray(), TRAIN).min(axis=1)
    assert found.size == size_of_hops(graph)
    assert distance[found].min() >= np.delete(distance, found).max()


def test_the_true_interface_is_where_the_laplacian_of_the_labels_is_not_zero():
    X, y = blob_points()
    graph = Graph.from_features(X)
    jump = np.abs(oracles.laplacian(graph.weights.toarray()) @ np.eye(4)[y]).max(axis=1)
    np.testing.assert_array_equal(nonzero_laplacian(graph, y), np.flatnonzero(jump > 1e-9))


def test_cross_entropy_is_stationary_in_the_term(graph):
    found = InterfaceLaplace(hops=1, loss="cross-entropy", ridge=0.5).spread(graph, SEEDS)
    A = limit(graph)[np.ix_(TRAIN, found.interface)]
    f = found.term[found.interface]
    slope = A.T @ (softmax(A @ f, axis=1) - SEEDS.targets) / 4 + 2 * 0.5 * f
    np.testing.assert_allclose(slope, 0, atol=1e-6)
    assert (np.delete(found.term, found.interface, axis=0) == 0).all()


def test_cross_entropy_has_one_minimiser_from_any_start(graph):
    G = InterfaceLaplace(hops=1).spread(graph, SEEDS).solves[0].value
    K, weights = G.T @ G, np.array([1.0, 2.0, 0.5, 1.0])
    first = fit_cross_entropy(K, SEEDS.targets, weights, 0.1)
    for seed in range(3):
        start = np.random.default_rng(seed).uniform(-0.5, 0.5, size=(4, 4)) * 10
        again = fit_cross_entropy(K, SEEDS.targets, weights, 0.1, start)
        np.testing.assert_allclose(K @ again, K @ first, atol=1e-4)


@pytest.mark.parametrize(("name", "norm"), [("l1", 1), ("l2", 2), ("linf", np.inf)])
def test_proximal_maps_minimise_what_they_should(name, norm):
    rng = np.random.default_rng(0)
    for t in (0.1, 1.0, 5.0, 100.0):
        f = rng.normal(size=12) * 3

        def cost(x, f=f, t=t):
            return 0.5 * ((x - f) ** 2).sum() + t * np.linalg.norm(x, norm)

        best = SHRINKS[name](f, t)
        for size in (1e-1, 1e-3, 1e-5):
            trials = best + size * rng.normal(size=(200, 12))
            assert min(cost(x) for x in trials) >= cost(best) - 1e-12
        assert cost(best) <= min(cost(f), cost(0 * f)) + 1e-12


@pytest.mark.parametrize("penalty", ["l1", "l2", "linf"])
def test_penalised_terms_are_optimal(graph, penalty):
    interface = InterfaceLaplace(hops=1).spread(graph, SEEDS).interface
    A = limit(graph)[np.ix_(TRAIN, interface)]
    strongest = np.linalg.norm((2 / 4) * (A.T @ SEEDS.targets).ravel(), {"l1": np.inf, "l2": 2, "linf": 1}[penalty])
    fit = fit_penalised(A, SEEDS.targets, np.ones(4), penalty, ridge=0.2 * strongest)
    slope = (2 / 4) * A.T @ (A @ fit.term - SEEDS.targets)
    pace = 4 / (2 * np.linalg.norm(A, 2) ** 2)
    moved = SHRINKS[penalty](fit.term - pace * slope, pace * 0.2 * strongest)
    np.testing.assert_allclose(moved, fit.term, atol=1e-4 * np.abs(fit.term).max())
    assert np.abs(fit.term).max() > 0
    silent = fit_penalised(A, SEEDS.targets, np.ones(4), penalty, ridge=1.01 * strongest)
    assert np.abs(silent.term).max() == 0


@pytest.mark.parametrize("penalty", ["l1", "l2", "linf"])
def test_penalties_leave_the_target_error(graph, penalty):
    found = InterfaceLaplace(hops=1, penalty=penalty, target_mse=0.3).spread(graph, SEEDS)
    u = limit(graph) @ found.term
    assert ((u[TRAIN] - SEEDS.targets) ** 2).sum() / 4 == pytest.approx(0.3, rel=0.02)
    np.testing.assert_allclose(found.scores, u, atol=1e-6 * np.abs(u).max())


def test_the_plain_l2_norm_retraces_the_ridge(graph):
    squared = InterfaceLaplace(hops=1, target_mse=0.3).spread(graph, SEEDS)
    strength = 2 * squared.ridge * np.linalg.norm(squared.term)
    plain = InterfaceLaplace(hops=1, penalty="l2", ridge=strength).spread(graph, SEEDS)
    np.testing.assert_allclose(plain.term, squared.term, atol=1e-3 * np.abs(squared.term).max())


@pytest.mark.parametrize("name", CONNECTED)
def test_the_dirichlet_term_is_the_papers_formula(name):
    graph = GALLERY[name]()
    train = np.sort(np.random.default_rng(0).choice(graph.n_nodes, 3, replace=False))
    seeds = Seeds.from_classes(train, [0, 1, 0])
    found = InterfaceLaplaceDirichlet(hops=0, ridge=0.4).spread(graph, seeds)
    W = graph.weights.toarray()
    L, I = oracles.laplacian(W), found.interface  # noqa: E741
    K = np.setdiff1d(np.arange(len(W)), I)
    np.testing.assert_array_equal(K, train)
    A = np.linalg.solve(L[np.ix_(K, K)], W[np.ix_(K, I)])
    rows = A[np.searchsorted(K, train)]
    f = rows.T @ np.linalg.solve(rows @ rows.T + 3 * 0.4 * np.eye(3), seeds.targets)
    seen = rows.any(axis=0)
    np.testing.assert_allclose(found.scores[I[seen]], f[seen], atol=1e-8)
    np.testing.assert_allclose(found.scores[K], A @ f, atol=1e-8)
    np.testing.assert_allclose((L @ found.scores)[I[~seen]], 0.0, atol=1e-8)
    assert (np.ptp(found.scores, axis=1) > 0).all(), "a node that no label sees would be of the first class"


def test_the_dirichlet_term_is_harmonic_off_the_interface(graph):
    found = InterfaceLaplaceDirichlet(hops=1).spread(graph, SEEDS)
    Lu = oracles.laplacian(graph.weights.toarray()) @ found.scores
    np.testing.assert_allclose(np.delete(Lu, found.interface, axis=0), 0, atol=1e-8)
    assert found.mse == pytest.approx(0.2)
    assert np.isfinite(
        InterfaceLaplaceDirichlet().scores(disconnected(), Seeds.from_classes([5, 15, 40], [0, 1, 0]))
    ).all()


@pytest.mark.parametrize("p", [2.0, 3.0, 10.0])
@pytest.mark.parametrize("name", CONNECTED)
def test_p_laplace_satisfies_its_equation(name, p):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    u = PLaplace(p=p, tol=1e-10).scores(graph, seeds)
    W, a = graph.weights.toarray(), 1 / (p - 1)
    for i in np.setdiff1d(np.arange(len(W)), seeds.indices):
        near = u[W[i] > 0]
        mean = W[i] @ u / W[i].sum()
        np.testing.assert_allclose(u[i], a * mean + (1 - a) * (near.min(axis=0) + near.max(axis=0)) / 2, atol=1e-7)
    np.testing.assert_array_equal(u[seeds.indices], seeds.targets)
    if p == 2:
        np.testing.assert_allclose(u, oracles.laplace_learning(W, seeds.indices, seeds.targets), atol=1e-6)


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (InterfaceLaplace(loss="hinge"), "choose one of mse, cross-entropy"),
        (InterfaceLaplace(penalty="l3"), "choose one of l2-squared, l1, l2, linf"),
        (InterfaceLaplace(positions="middle"), "choose one of auto, hops, balls, training, all"),
        (InterfaceLaplace(loss="cross-entropy", penalty="l1"), "goes with penalty='l2-squared'"),
        (InterfaceLaplace(ridge=1.0, target_mse=0.2), "either ridge or target_mse"),
        (InterfaceLaplace(ridge="1"), "must be a number above zero"),
        (InterfaceLaplace(target_mse=None), "must be a number or 'auto'"),
        (InterfaceLaplace(solver=None), "is not a solver"),
        (InterfaceLaplace(hops=1.5), "whole number of at least -1"),
        (InterfaceLaplaceDirichlet(hops=-1), "whole number of at least 0"),
        (PLaplace(p=1.0), "at least 2"),
    ],
    ids=str,
)
def test_bad_parameters_get_one_sentence(method, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        method.scores(grid(), Seeds.from_classes([0, 80], [0, 1]))


def test_positions_beyond_every_label_are_refused():
    with pytest.raises(FewlabelsError, match="where no label reaches"):
        InterfaceLaplace(positions=[70]).scores(disconnected(), Seeds.from_classes([5, 15], [0, 1]))


def test_cross_entropy_is_refused_for_values():
    with pytest.raises(FewlabelsError, match="cross-entropy is for classes"):
        InterfaceLaplace(loss="cross-entropy").scores(grid(), Seeds.from_values([0, 80], [0.0, 1.0]))


def test_the_network_learns_what_the_labels_ask_for(graph):
    pytest.importorskip("torch", reason="the extra 'torch' is not installed")
    X, truth = blob_points()
    method = InterfaceLaplaceNetwork(features=X, hops=1, epochs=300)
    found = method.spread(graph, SEEDS)
    assert np.mean(found.scores.argmax(axis=1) == truth) > 0.8
    assert (np.delete(found.term, found.interface, axis=0) == 0).all()
    free = InterfaceLaplace(hops=1).spread(graph, SEEDS)
    assert found.ridge == pytest.approx(free.ridge)
    np.testing.assert_allclose(found.scores, limit(graph) @ found.term, atol=1e-6 * np.abs(found.scores).max())

    def loss(spread):
        u = limit(graph) @ spread.term
        return ((u[TRAIN] - SEEDS.targets) ** 2).sum() / 4 + spread.ridge * (spread.term**2).sum()

    silent = (SEEDS.targets**2).sum() / 4
    assert loss(free) <= loss(found) < 0.8 * silent
    np.testing.assert_array_equal(method.scores(graph, SEEDS), found.scores)
    y = np.full(truth.size, -1)
    y[TRAIN] = [0, 1, 2, 3]
    model = FewLabelClassifier(method="interface-laplace-network", n_neighbors=8).fit(X, y)
    assert np.mean(model.transduction_ == truth) > 0.8


def test_the_network_without_torch_says_what_to_install(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(FewlabelsError, match=r"pip install 'fewlabels\[torch\]'"):
        InterfaceLaplaceNetwork(features=blob_points()[0]).scores(graph, SEEDS)


@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        (None, "give features=X"),
        (np.ones((3, 2)), "one row of finite numbers for each of the 160 nodes"),
        ([["a"]] * 160, "one table of numbers"),
        (np.full((160, 2), np.nan), "finite numbers"),
    ],
)
def test_the_network_asks_for_features(graph, features, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        InterfaceLaplaceNetwork(features=features).scores(graph, SEEDS)
