import numpy as np
import oracles
import pytest
from gallery import GALLERY, grid, ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, InterfaceLaplace, InterfaceLaplaceDirichlet, PLaplace, Seeds
from fewlabels.solvers import mixing_steps


def dense(graph):
    W = graph.weights.toarray()
    return W, oracles.component_projection(graph.components)


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("hops", [-1, 0, 1])
def test_interface_laplace_is_the_papers_formula_at_its_limit(name, hops):
    graph = GALLERY[name]()
    W, J = dense(graph)
    train = np.sort(np.random.default_rng(0).choice(graph.n_nodes - 1, 4, replace=False))
    seeds = Seeds.from_classes(train, [0, 1, 0, 1])
    method = InterfaceLaplace(hops=hops, ridge=0.3)
    if graph.hops_from(train).max() <= hops:
        with pytest.raises(FewlabelsError, match="leaves no interface"):
            method.scores(graph, seeds)
        return
    found = method.spread(graph, seeds)
    A = oracles.limit_matrix(W, J)
    u, f = np.zeros((graph.n_nodes, 2)), np.zeros((graph.n_nodes, 2))
    for component in np.unique(graph.components[train]):  # each on its own, as if it were alone
        here = graph.components[train] == component
        inside = found.interface[graph.components[found.interface] == component]
        part = oracles.interface_laplace(A, train[here], seeds.targets[here], inside, 0.3)
        u, f = u + part[0], f + part[1]
    scale = max(np.abs(u).max(), 1e-12)
    np.testing.assert_allclose(found.term, f, atol=1e-6 * max(np.abs(f).max(), 1e-12))
    if graph.n_components == 1:
        np.testing.assert_allclose(found.scores, u, atol=1e-6 * scale)
        np.testing.assert_array_equal(found.interface, oracles.khop_interface(W, train, hops))
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize("solver", ["series", "chebyshev"])
@pytest.mark.parametrize("zero_mean", [True, False])
def test_step_solvers_do_the_papers_T_steps(solver, zero_mean):
    graph = ring_of_blobs()
    W, J = dense(graph)
    train = np.array([3, 50, 90, 130])
    seeds = Seeds.from_classes(train, [0, 1, 2, 3])
    found = InterfaceLaplace(hops=1, ridge=2.0, solver=solver, zero_mean=zero_mean).spread(graph, seeds)
    T = oracles.mixing_time(W, train)
    A = oracles.series_matrix(W, J if zero_mean else np.eye(len(W)), T)
    u, _ = oracles.interface_laplace(A, train, seeds.targets, found.interface, 2.0)
    np.testing.assert_allclose(found.scores, u, atol=2e-4 * np.abs(u).max())
    assert found.solves[0].n_iter == T if solver == "series" else found.solves[0].n_iter < T


def test_without_zero_mean_the_default_solver_keeps_the_constant_that_T_steps_leave():
    graph = ring_of_blobs()
    W, _ = dense(graph)
    train = np.array([3, 50, 90, 130])
    seeds = Seeds.from_classes(train, [0, 1, 2, 3])
    T, d = mixing_steps(graph, train), W.sum(axis=1)
    H = oracles.limit_matrix(W, np.eye(len(W)))
    A = H + T / d.sum()
    found = InterfaceLaplace(hops=1, ridge=2.0, zero_mean=False).spread(graph, seeds)
    u, _ = oracles.interface_laplace(A, train, seeds.targets, found.interface, 2.0)
    np.testing.assert_allclose(found.scores, u, atol=1e-6 * np.abs(u).max())
    assert np.abs(u.mean(axis=0)).max() > 1e-3
    centred = InterfaceLaplace(hops=1, ridge=2.0).scores(graph, seeds)
    np.testing.assert_allclose(centred.mean(axis=0), 0, atol=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("target", [0.05, 0.2, 0.6])
def test_the_ridge_leaves_the_target_error_on_the_labels(target, weighted):
    graph = ring_of_blobs()
    W, J = dense(graph)
    train = np.array([3, 50, 55, 90, 130])
    prior = [0.4, 0.2, 0.2, 0.2] if weighted else None
    seeds = Seeds.from_classes(train, [0, 1, 1, 2, 3], class_prior=prior)
    found = InterfaceLaplace(hops=1, target_mse=target).spread(graph, seeds)
    A = oracles.limit_matrix(W, J)
    s = np.array([0.4 / 0.2, 0.2 / 0.4, 0.2 / 0.4, 0.2 / 0.2, 0.2 / 0.2]) if weighted else np.ones(5)
    assert oracles.label_error(A, train, seeds.targets, found.interface, found.ridge, s) == pytest.approx(target)
    assert found.mse == pytest.approx(target)
    u, _ = oracles.interface_laplace(A, train, seeds.targets, found.interface, found.ridge, s)
    np.testing.assert_allclose(found.scores, u, atol=1e-6 * np.abs(u).max())


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "grid"])
def test_problems_solved_together_are_those_solved_alone(name):
    graph = GALLERY[name]()
    problems = [some_seeds(graph, seed=t) for t in range(9)]
    method = InterfaceLaplace()
    for alone, together in zip(problems, method.spread_many(graph, problems), strict=True):
        expected = method.spread(graph, alone)
        np.testing.assert_allclose(together.scores, expected.scores, atol=1e-9 * np.abs(expected.scores).max())
        np.testing.assert_array_equal(together.interface, expected.interface)
        assert together.ridge == pytest.approx(expected.ridge)


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "grid"])
@pytest.mark.parametrize("positions", ["hops", "poisson", "training"])
def test_labels_added_and_taken_away_give_what_a_fresh_start_gives(name, positions):
    graph = GALLERY[name]()
    method = InterfaceLaplace(positions=positions)
    more = some_seeds(graph, seed=1)
    kept = np.flatnonzero(np.arange(more.size) != more.size - 1)
    fewer = Seeds.from_classes(more.indices[kept], more.codes[kept], n_classes=more.targets.shape[1])
    for now, then in ((more, fewer), (fewer, more), (more, more)):
        expected = method.spread(graph, now)
        again = method.spread_again(graph, now, method.spread(graph, then), then)
        np.testing.assert_allclose(again.scores, expected.scores, atol=1e-9 * np.abs(expected.scores).max())
        np.testing.assert_array_equal(again.interface, expected.interface)
        assert again.ridge == pytest.approx(expected.ridge)


def test_the_default_term_averages_those_of_three_targets():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 50, 90, 130], [0, 1, 2, 3])
    default = InterfaceLaplace().spread(graph, seeds)
    terms = [InterfaceLaplace(positions="balls", target_mse=goal).spread(graph, seeds).term for goal in (0.1, 0.2, 0.4)]
    sizes = [np.linalg.norm(term) for term in terms]
    expected = sum(term / size for term, size in zip(terms, sizes, strict=True)) / sum(1 / size for size in sizes)
    np.testing.assert_allclose(default.term, expected, atol=1e-9 * np.abs(expected).max())


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
