import numpy as np
import oracles
import pytest
from gallery import GALLERY, grid, ring, ring_of_blobs, some_seeds
from sklearn.base import clone

from fewlabels import FewlabelsError, InterfaceLaplace, Laplace, Poisson, RandomWalk, Seeds, VPoisson
from fewlabels.green import green
from fewlabels.interface import fit_ridge
from fewlabels.methods import METHODS, named_method
from fewlabels.solvers import CG, SOLVER_NAMES, mixing_steps

CONNECTED = [name for name in GALLERY if name not in ("disconnected", "isolated_node", "duplicates", "weights_apart")]


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


def test_auto_hops_leave_a_share_of_nodes_nearest_057():
    graph = ring_of_blobs()
    W, _ = dense(graph)
    train = np.array([3, 50, 90, 130])
    found = InterfaceLaplace(positions="hops").spread(graph, Seeds.from_classes(train, [0, 1, 2, 3]))
    shares = {k: len(oracles.khop_interface(W, train, k)) / len(W) for k in range(-1, 8)}
    assert found.hops == min(shares, key=lambda k: abs(shares[k] - 0.57))
    assert found.mse == pytest.approx(0.2)


@pytest.mark.parametrize("name", CONNECTED)
def test_laplace_learning_is_harmonic_off_the_labels(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    expected = oracles.laplace_learning(graph.weights.toarray(), seeds.indices, seeds.targets)
    np.testing.assert_allclose(Laplace().scores(graph, seeds), expected, atol=1e-6)


@pytest.mark.parametrize("name", CONNECTED)
def test_poisson_learning_solves_its_equation(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    u = Poisson().scores(graph, seeds)
    b = np.zeros_like(u)
    b[seeds.indices] = seeds.targets - seeds.targets.mean(axis=0)
    np.testing.assert_allclose(oracles.laplacian(graph.weights.toarray()) @ u, b, atol=1e-8)
    np.testing.assert_allclose(graph.degrees @ u, 0, atol=1e-8)


def test_poisson_multiplies_its_scores_by_the_class_weights():
    graph, train = ring_of_blobs(), [3, 50, 55, 90, 130]
    plain = Poisson().scores(graph, Seeds.from_classes(train, [0, 1, 1, 2, 3]))
    weighted = Poisson().scores(graph, Seeds.from_classes(train, [0, 1, 1, 2, 3], class_prior=[1, 1, 1, 1]))
    np.testing.assert_allclose(weighted, plain * [1.25, 0.625, 1.25, 1.25])


def test_more_labels_than_memory_holds_are_refused(monkeypatch):
    monkeypatch.setattr("fewlabels.green.MOST_ENTRIES", 300)
    graph = ring_of_blobs()
    with pytest.raises(FewlabelsError, match=r"2 labels on 160 nodes need a table .* method='poisson'"):
        InterfaceLaplace().scores(graph, Seeds.from_classes([3, 50], [0, 1]))
    assert Poisson().scores(graph, Seeds.from_classes([3, 50], [0, 1])).shape == (160, 2)


def test_given_positions_replace_the_hops():
    graph = grid()
    seeds = Seeds.from_classes([0, 80], [0, 1])
    middle = np.arange(36, 45)
    found = InterfaceLaplace(positions=middle).spread(graph, seeds)
    np.testing.assert_array_equal(found.interface, middle)
    assert found.hops is None
    mask = np.isin(np.arange(81), middle)
    np.testing.assert_allclose(InterfaceLaplace(positions=mask).scores(graph, seeds), found.scores)
    assert np.flatnonzero(np.abs(found.term).sum(axis=1)).tolist() == middle.tolist()


@pytest.mark.parametrize("solver", SOLVER_NAMES)
def test_every_named_solver_gives_the_same_labels(solver):
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 50, 90, 130], [0, 1, 2, 3])
    expected = InterfaceLaplace(hops=1).scores(graph, seeds).argmax(axis=1)
    found = InterfaceLaplace(hops=1, solver=solver).spread(graph, seeds)
    assert (found.scores.argmax(axis=1) == expected).mean() > 0.97
    assert all(solve.status in ("converged", "truncated") and solve.n_iter > 0 for solve in found.solves)


@pytest.mark.parametrize("method", [InterfaceLaplace(hops=1), Laplace()], ids=str)
def test_regression_follows_shift_and_scale(method):
    graph, nodes, values = ring(), [0, 4, 9], np.array([1.0, -2.0, 0.5])
    base = method.scores(graph, Seeds.from_values(nodes, values))
    moved = method.scores(graph, Seeds.from_values(nodes, 1000.0 + 1e-3 * values))
    np.testing.assert_allclose(moved, 1000.0 + 1e-3 * base, atol=1e-9)


@pytest.mark.parametrize("method", [InterfaceLaplace(), Laplace(), Poisson()], ids=str)
def test_equal_regression_targets_give_that_value_everywhere(method):
    graph = ring()
    np.testing.assert_allclose(method.scores(graph, Seeds.from_values([2], [7.5])), 7.5)
    np.testing.assert_allclose(method.scores(graph, Seeds.from_values([2, 9], [7.5, 7.5])), 7.5, atol=1e-9)


def test_methods_are_values_that_scikit_learn_can_clone():
    method = InterfaceLaplace(hops=3, solver=CG(1e-3))
    copy = clone(method)
    assert copy is not method
    assert copy.get_params() == method.get_params()
    assert copy.set_params(hops=5).hops == 5
    assert method.hops == 3
    with pytest.raises(FewlabelsError, match="no parameter 'hop'; it has hops"):
        method.set_params(hop=1)


def test_names_stand_for_methods():
    assert {name: type(named_method(name)) for name in METHODS} == METHODS
    with pytest.raises(FewlabelsError, match="choose one of interface-laplace"):
        named_method("possion")


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "grid"])
@pytest.mark.parametrize("regression", [False, True])
def test_very_many_labels_need_no_table_of_green_columns(name, regression, monkeypatch):
    graph = GALLERY[name]()
    nodes = np.arange(0, graph.n_nodes, 4)
    rng = np.random.default_rng(0)
    if regression:
        seeds = Seeds.from_values(nodes, rng.normal(size=nodes.size))
    else:
        seeds = Seeds.from_classes(nodes, rng.integers(3, size=nodes.size), class_prior=[0.5, 0.3, 0.2])
    methods = (InterfaceLaplace(hops=0, target_mse=0.2), Laplace())
    tables = [method.scores(graph, seeds) for method in methods]
    monkeypatch.setattr("fewlabels.methods.interface_laplace.TABLE_ENTRIES", 0)
    monkeypatch.setattr("fewlabels.methods.laplace.TABLE_ENTRIES", 0)
    monkeypatch.setattr("fewlabels.interface.lanczos.ENOUGH", 1e-9)
    for method, expected in zip(methods, tables, strict=True):
        np.testing.assert_allclose(method.scores(graph, seeds), expected, atol=1e-5 * np.abs(expected).max())


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
@pytest.mark.parametrize("method", [Laplace(), Laplace(mean_shift=True), Poisson(), RandomWalk(), VPoisson()], ids=str)
def test_linear_methods_solve_draws_together_as_alone(name, method):
    graph = GALLERY[name]()
    problems = [some_seeds(graph, seed=t) for t in range(9)]
    for alone, together in zip(problems, method.spread_many(graph, problems), strict=True):
        expected = method.spread(graph, alone).scores
        np.testing.assert_allclose(together.scores, expected, atol=1e-5 * np.abs(expected).max())


def test_walks_of_other_lengths_on_one_graph_do_not_mix():
    graph, seeds = ring_of_blobs(), some_seeds(ring_of_blobs())
    RandomWalk(alpha=0.5).scores(graph, seeds)
    expected = RandomWalk(alpha=0.9).scores(ring_of_blobs(), seeds)
    np.testing.assert_allclose(RandomWalk(alpha=0.9).scores(graph, seeds), expected)


def test_methods_on_one_draw_share_its_columns(monkeypatch):
    graph, solves = ring_of_blobs(), []
    problems = [some_seeds(graph, seed=t) for t in range(3)]

    def counted(graph, B, solver):
        solves.append(B.shape[1])
        return green(graph, B, solver)

    monkeypatch.setattr("fewlabels.green.green", counted)
    for method in (Laplace(), InterfaceLaplace(), InterfaceLaplace(hops=1, target_mse=0.3)):
        method.spread_many(graph, problems)
    assert solves == [sum(seeds.size for seeds in problems)]


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


def test_balls_take_an_equal_share_around_every_label():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 50, 90, 130], [0, 1, 2, 3])
    found = InterfaceLaplace().spread(graph, seeds)
    size = int(0.43 * graph.n_nodes / 4)
    kept = set(range(graph.n_nodes))
    for column in found.columns.T:
        kept -= set(np.argsort(-column)[:size].tolist())
    assert found.interface.tolist() == sorted(kept)
    assert found.hops is None


def test_balls_give_every_class_an_equal_share_however_many_labels_it_has():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 5, 50, 90], [0, 0, 1, 2], balanced=True)
    found = InterfaceLaplace().spread(graph, seeds)
    kept = set(range(graph.n_nodes))
    for column, share in zip(found.columns.T, (1 / 6, 1 / 6, 1 / 3, 1 / 3), strict=True):
        kept -= set(np.argsort(-column)[: int(0.43 * graph.n_nodes * share + 1e-9)].tolist())
    assert found.interface.tolist() == sorted(kept)


def test_the_default_target_is_what_labels_say_of_each_other():
    rng = np.random.default_rng(0)
    for _ in range(5):
        codes = np.repeat([0, 1, 2, 3], [4, 3, 2, 1])
        Y, weights, m = np.eye(4)[codes], rng.uniform(0.5, 2.0, codes.size), codes.size
        features = rng.normal(size=(m, 30)) + 2.0 * rng.normal(size=(4, 30))[codes] * rng.uniform(0, 1)
        K = features @ features.T
        usual = fit_ridge(K, Y, weights).ridge
        wrong = 0.0
        for i in range(m):
            rest = np.delete(np.arange(m), i)
            alpha = np.linalg.solve(K[np.ix_(rest, rest)] + m * usual * np.diag(1 / weights[rest]), Y[rest])
            wrong += ((K[i, rest] @ alpha).argmax() != codes[i]) * (1 - 1 / np.sum(codes == codes[i]) ** 2)
        share = (wrong + 10 * 0.2) / (9 + 10)
        fit = fit_ridge(K, Y, weights, by_labels=True)
        assert fit.mse == pytest.approx(share * float((weights[:, None] * Y**2).sum()) / m)
        ridges = [
            fit_ridge(K, Y, weights, target_mse=fit.mse * by).ridge for by in (2 ** (-10 / 19), 1, 2 ** (10 / 19))
        ]
        terms = [np.linalg.solve(K + m * ridge * np.diag(1 / weights), Y) for ridge in ridges]
        sizes = [np.sqrt(np.trace(alpha.T @ K @ alpha)) for alpha in terms]
        expected = sum(alpha / size for alpha, size in zip(terms, sizes, strict=True)) / sum(1 / size for size in sizes)
        np.testing.assert_allclose(fit.coefficients, expected, rtol=1e-6, atol=1e-9)


def test_the_default_term_averages_those_of_three_targets():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([3, 50, 90, 130], [0, 1, 2, 3])
    default = InterfaceLaplace().spread(graph, seeds)
    terms = [InterfaceLaplace(positions="balls", target_mse=goal).spread(graph, seeds).term for goal in (0.1, 0.2, 0.4)]
    sizes = [np.linalg.norm(term) for term in terms]
    expected = sum(term / size for term, size in zip(terms, sizes, strict=True)) / sum(1 / size for size in sizes)
    np.testing.assert_allclose(default.term, expected, atol=1e-9 * np.abs(expected).max())


def test_kept_columns_belong_to_the_solver_that_made_them():
    graph = ring_of_blobs()
    problems = [some_seeds(graph, seed=t) for t in range(2)]
    for solver, name in ((CG(1e-2), "cg"), ("direct", "direct")):
        found = InterfaceLaplace(solver=solver).spread_many(graph, problems)
        assert {spread.solves[0].solver for spread in found} == {name}
