"""Known class sizes: labels keep to them exactly, and lose as little as can be."""

import numpy as np
import pytest
from gallery import GALLERY, blob_points, disconnected, ring_of_blobs, some_seeds
from scipy.optimize import linear_sum_assignment

from fewlabels import (
    FewLabelClassifier,
    FewlabelsError,
    Graph,
    InterfaceLaplace,
    Poisson,
    PoissonMBO,
    Refined,
    Seeds,
    VolumeMBO,
)
from fewlabels.confidence import _in_order_of, _with_confidence
from fewlabels.decision import decide
from fewlabels.labels import draw
from fewlabels.methods import METHODS, refined
from fewlabels.volumes import class_sizes, constrained_codes, size_offsets


@pytest.mark.parametrize("seed", range(8))
def test_labels_have_the_sizes_and_nearly_the_best_sum(seed):
    rng = np.random.default_rng(seed)
    u = rng.normal(size=(120, 4)) * rng.uniform(0.1, 3) + rng.normal(size=4)
    sizes = rng.multinomial(120, rng.dirichlet(np.ones(4)))
    codes, _ = constrained_codes(u, sizes)
    np.testing.assert_array_equal(np.bincount(codes, minlength=4), sizes)
    columns = np.repeat(np.arange(4), sizes)
    rows, chosen = linear_sum_assignment(-u[:, columns])
    best = u[rows, columns[chosen]].sum()
    mine = u[np.arange(120), codes].sum()
    assert best - mine < 2e-2 * np.abs(u).mean() * 120


@pytest.mark.parametrize(
    "u",
    [np.zeros((9, 3)), np.ones((9, 3)) * 1e200, np.eye(3)[np.zeros(9, dtype=int)], np.full((9, 3), -1e-200)],
    ids=["all equal", "huge", "one class", "tiny"],
)
def test_odd_scores_keep_to_the_sizes_too(u):
    codes, offsets = constrained_codes(u, np.array([5, 4, 0]))
    np.testing.assert_array_equal(np.bincount(codes, minlength=3), [5, 4, 0])
    assert np.isfinite(offsets).all()


def test_sizes_are_whole_and_sum_up():
    for n in (1, 7, 100, 1797):
        for prior in ([0.1, 0.2, 0.7], [1.0], [0.5, 0.5], [1e-9, 1.0]):
            sizes = class_sizes(np.array(prior), n)
            assert sizes.sum() == n
            assert (sizes >= 0).all()


@pytest.mark.parametrize("name", [name for name in METHODS if "network" not in name])
def test_a_prior_is_kept_exactly_by_every_method(name):
    graph = ring_of_blobs()
    truth = np.arange(graph.n_nodes) * 4 // graph.n_nodes
    nodes = np.array([int(np.flatnonzero(truth == j)[0]) for j in range(4)])
    prior = np.array([0.4, 0.3, 0.2, 0.1])
    seeds = Seeds.from_classes(nodes, range(4), class_prior=prior)
    decision = decide(METHODS[name]().scores(graph, seeds), graph, seeds, keep_sizes=True)
    np.testing.assert_array_equal(np.bincount(decision.codes, minlength=4), class_sizes(prior, graph.n_nodes))
    np.testing.assert_array_equal(decision.codes[nodes], np.arange(4))
    np.testing.assert_allclose(decision.probabilities.sum(axis=1), 1.0)
    assert (decision.confidence >= 0).all()


def test_the_classifier_keeps_to_known_sizes_and_says_when_it_cannot():
    X, truth = blob_points(noise=0.3)
    y = np.full(truth.size, -1)
    for j in range(4):
        y[np.flatnonzero(truth == j)[:2]] = j
    prior = {0: 0.1, 1: 0.2, 2: 0.3, 3: 0.4}
    model = FewLabelClassifier(class_prior=prior).fit(X, y)
    found = np.bincount(model.transduction_, minlength=4)
    np.testing.assert_array_equal(found, class_sizes(np.array([0.1, 0.2, 0.3, 0.4]), truth.size))
    assert (model.transduction_[y >= 0] == y[y >= 0]).all()
    assert model.predict(X[:5] + 0.01).size == 5
    with pytest.raises(FewlabelsError, match="raise its share"):
        FewLabelClassifier(class_prior=[1e-6, 1.0, 1.0, 1.0]).fit(X, y)
    with pytest.raises(FewlabelsError, match="choose None or 'mbo'"):
        FewLabelClassifier(refine="abc").fit(X, y)


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "grid", "isolated_node"])
@pytest.mark.parametrize("method", [Refined(), PoissonMBO(), VolumeMBO()], ids=["refined", "poisson", "volume"])
def test_refinement_is_finite_and_keeps_the_given_labels(name, method):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    scores = method.scores(graph, seeds)
    assert np.isfinite(scores).all()
    if not isinstance(method, PoissonMBO):
        np.testing.assert_array_equal(scores[seeds.indices].argmax(axis=1), seeds.codes)


def test_refinement_mends_what_sizes_can_tell():
    X, truth = blob_points(noise=0.45, size=120)
    graph = Graph.from_features(X, n_neighbors=8)
    rng = np.random.default_rng(0)
    before, after = [], []
    for _ in range(10):
        nodes = np.array([rng.choice(np.flatnonzero(truth == j)) for j in range(4)])
        seeds = Seeds.from_classes(nodes, range(4))
        method = Refined()
        before.append(np.mean(method.method.scores(graph, seeds).argmax(axis=1) == truth))
        after.append(np.mean(method.scores(graph, seeds).argmax(axis=1) == truth))
    assert np.mean(after) >= np.mean(before)


def test_labels_of_rare_classes_count_more_by_default():
    X, truth = blob_points(noise=0.3)
    y = np.full(truth.size, -1)
    for j in range(4):
        y[np.flatnonzero(truth == j)[: 1 if j % 2 else 8]] = j
    seeds = FewLabelClassifier().fit(X, y)._answer.seeds
    np.testing.assert_allclose(np.bincount(seeds.codes, weights=seeds.weights), seeds.size / 4)
    np.testing.assert_allclose(seeds.prior, 0.25)


def test_offsets_can_start_from_those_of_the_round_before():
    u = np.random.default_rng(0).normal(size=(500, 5))
    sizes = class_sizes(np.array([5.0, 4.0, 3.0, 2.0, 1.0]), 500)
    first = size_offsets(u, sizes)
    again = size_offsets(u, sizes, start=first)
    np.testing.assert_allclose(first - first.mean(), again - again.mean(), atol=0.05)


def one_hot(codes, c):
    return np.eye(c)[codes]


def test_a_round_of_refinement_is_diffusion_of_the_classes():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    sizes = class_sizes(seeds.prior, graph.n_nodes)
    start = Poisson().scores(graph, seeds)
    begun = (start + size_offsets(start, sizes)).argmax(axis=1)
    begun[seeds.indices] = seeds.codes
    W = graph.weights.toarray()
    walk = (W / W.sum(axis=1, keepdims=True) + 0.15 * np.eye(len(W))) / 1.15
    u = np.linalg.matrix_power(walk, 3) @ one_hot(begun, seeds.targets.shape[1])
    others = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    found = Refined(steps=[3], coarse=False).scores(graph, seeds)
    np.testing.assert_allclose((found - u)[others], np.broadcast_to((found - u)[others[0]], u[others].shape), atol=1e-5)


def test_a_round_of_poisson_mbo_is_diffusion_with_the_source():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    sizes = class_sizes(seeds.prior, graph.n_nodes)
    start = Poisson().scores(graph, seeds)
    u = one_hot((start + size_offsets(start, sizes)).argmax(axis=1), seeds.targets.shape[1])
    W = graph.weights.toarray()
    L, dt = np.diag(W.sum(axis=1)) - W, 1.0 / W.sum(axis=1).max()
    source = np.zeros_like(u)
    source[seeds.indices] = seeds.targets - seeds.targets.mean(axis=0)
    for _ in range(4):
        u = u - dt * (L @ u - 2.0 * source)
    found = PoissonMBO(rounds=1, steps=4, mu=2.0).scores(graph, seeds)
    np.testing.assert_allclose(found - u, np.broadcast_to((found - u)[0], u.shape), atol=1e-5)


def test_confidence_is_high_where_labels_are_stable_and_low_where_they_are_not():
    sure = {}
    for noise in (0.2, 3.0):
        X, truth = blob_points(noise=noise, size=80)
        graph = Graph.from_features(X, n_neighbors=8)
        nodes = np.array([int(np.flatnonzero(truth == j)[0]) for j in range(4)])
        seeds = Seeds.from_classes(nodes, range(4))
        sure[noise] = decide(InterfaceLaplace().scores(graph, seeds), graph, seeds).confidence.mean()
    assert sure[0.2] > 0.95
    assert sure[3.0] < 0.8


def test_rows_may_stand_for_several_points():
    rng = np.random.default_rng(0)
    u, counts = rng.normal(size=(300, 3)), rng.integers(1, 6, size=300)
    sizes = class_sizes(np.array([0.5, 0.3, 0.2]), int(counts.sum()))
    together = size_offsets(u, sizes, counts=counts)
    apart = size_offsets(np.repeat(u, counts, axis=0), sizes)
    np.testing.assert_allclose(together - together.mean(), apart - apart.mean(), atol=2e-2)


@pytest.mark.parametrize("start", [None, np.array([5.0, 0.0, 0.0])], ids=["cold", "warm"])
def test_offsets_keep_sizes_as_nearly_as_asked_for(start):
    rng = np.random.default_rng(1)
    u = rng.normal(size=(30_000, 3)) + np.eye(3)[0]
    sizes = class_sizes(np.array([0.2, 0.3, 0.5]), len(u))
    for within in (0.0, 1e-2):
        have = np.bincount((u + size_offsets(u, sizes, start, within=within)).argmax(axis=1), minlength=3)
        assert np.abs(have - sizes).max() <= max(30, 1.1 * within * len(u))


def test_aggregates_mend_what_rounds_from_the_scores_leave_stuck():
    """A class whose one label lies among another's points: whole clusters have to change, and aggregates let them."""
    ratios = []
    for seed in (0, 4, 5):
        rng = np.random.default_rng(seed)
        truth = np.repeat(np.arange(4), 500)
        centres = 2.8 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
        X = 0.8 * rng.normal(size=(2000, 4))
        X[:, :2] += centres[truth]
        last = np.flatnonzero(truth == 3)
        odd = last[np.linalg.norm(X[last, :2] - centres[2], axis=1).argmin()]
        graph = Graph.from_features(X, n_neighbors=10)
        seeds = Seeds.from_classes([0, 500, 1000, odd], range(4), class_prior=[0.25] * 4)
        cuts = [graph.cut_weight(Refined(coarse=c).scores(graph, seeds).argmax(axis=1)) for c in (True, False)]
        ratios.append(cuts[0] / cuts[1])
    assert max(ratios) < 1.05
    assert min(ratios) < 0.9


def many_blobs():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 500)
    X = rng.normal(size=(2000, 4)) + 2.5 * np.eye(4)[truth]
    return Graph.from_features(X, n_neighbors=10), Seeds.from_classes([0, 500, 1000, 1500], range(4))


def test_a_bad_picture_of_the_aggregates_changes_nothing(monkeypatch):
    graph, seeds = many_blobs()
    noise = np.random.default_rng(1).normal(size=(graph.n_nodes, 4))
    monkeypatch.setattr(refined, "_from_aggregates", lambda *_: noise)
    np.testing.assert_array_equal(Refined().scores(graph, seeds), Refined(coarse=False).scores(graph, seeds))


def test_aggregates_count_as_many_points_as_they_have_and_every_length_has_its_round(monkeypatch):
    graph, seeds = many_blobs()
    counted, lengths = [], []
    monkeypatch.setattr(refined, "UNCHANGED", 2.0)
    offsets, powers = refined.size_offsets, refined.power_coefficients
    monkeypatch.setattr(
        refined, "size_offsets", lambda u, *a, **k: (counted.append((len(u), k.get("counts"))), offsets(u, *a, **k))[1]
    )
    monkeypatch.setattr(refined, "power_coefficients", lambda s, tol: (lengths.append(s), powers(s, tol))[1])
    Refined().scores(graph, seeds)
    coarse = [counts for rows, counts in counted if rows < graph.n_nodes]
    assert len(coarse) == 6
    assert all(counts.sum() == graph.n_nodes for counts in coarse)
    assert set(lengths) == {25, 12, 6}


def test_sizes_that_may_be_missed_cost_fewer_steps(monkeypatch):
    u, taken = np.random.default_rng(0).normal(size=(5000, 4)), []
    sizes = class_sizes(np.array([0.4, 0.3, 0.2, 0.1]), len(u))
    solve = np.linalg.lstsq
    monkeypatch.setattr(np.linalg, "lstsq", lambda *a, **k: (taken.append(0), solve(*a, **k))[1])
    size_offsets(u, sizes)
    exact = len(taken)
    size_offsets(u, sizes, within=1e-2)
    assert len(taken) - exact < exact


def test_of_equal_margins_the_label_that_redrawn_ones_give_is_surer(monkeypatch):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    codes = InterfaceLaplace().scores(graph, seeds).argmax(axis=1)
    scores = one_hot(codes, seeds.targets.shape[1])
    backed = np.arange(graph.n_nodes) % 2 == 0
    again = np.where(backed[:, None], scores, np.roll(scores, 1, axis=1))
    monkeypatch.setattr("fewlabels.confidence._redrawn", lambda *_: [again])
    sure = decide(scores, graph, seeds).confidence
    free = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    assert sure[free][backed[free]].min() > sure[free][~backed[free]].max()


def test_nothing_is_known_where_no_label_reaches_and_no_given_label_is_in_doubt():
    graph = disconnected()
    first = np.flatnonzero(graph.components == graph.components[0])
    seeds = Seeds.from_classes(first[[0, -1]], [0, 1])
    decision = decide(Poisson().scores(graph, seeds), graph, seeds)
    assert (decision.doubt[~decision.reached] == 1).all()
    assert (decision.doubt[seeds.indices] == 0).all()


def test_confidence_is_handed_out_in_the_order_of_what_labels_are_worth():
    graph = ring_of_blobs()
    rng = np.random.default_rng(0)
    worth, sure = rng.integers(5, size=graph.n_nodes).astype(float), rng.random(graph.n_nodes)
    free = rng.random(graph.n_nodes) < 0.8
    found = _in_order_of(worth, sure, graph, free)
    np.testing.assert_array_equal(found[~free], sure[~free])
    assert found[free].sum() == pytest.approx(sure[free].sum())
    levels = [found[free & (worth == level)] for level in range(5)]
    assert all(np.ptp(level) < 1e-12 for level in levels)
    assert (np.diff([level[0] for level in levels]) > 0).all()


def test_rows_have_the_confidence_asked_for_and_their_class_on_top():
    rng = np.random.default_rng(0)
    rows, codes = rng.dirichlet(np.ones(5), size=400), rng.integers(5, size=400)
    possible = np.ones(rows.shape, dtype=bool)
    possible[:100, 4] = False
    codes[:100] %= 4
    rows[:100, 4] = 0.0
    sure = rng.uniform(0.27, 1.0, size=400)
    found = _with_confidence(rows, codes, sure, possible)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_allclose(found[np.arange(400), codes], sure, atol=1e-4)
    np.testing.assert_array_equal(found.argmax(axis=1), codes)
    assert (found[:100, 4] == 0).all()


def test_the_surest_half_is_right_at_least_as_often_as_by_the_margin():
    from sklearn.datasets import load_digits

    X, truth = load_digits(return_X_y=True)
    graph = Graph.from_features(X)
    gain = []
    for t in range(6):
        seeds = draw(truth, 2, random_state=t)
        scores = InterfaceLaplace().scores(graph, seeds)
        decision = decide(scores, graph, seeds)
        right = decision.codes == truth
        top = np.sort(scores, axis=1)
        half = truth.size // 2
        by = [np.argsort(-value, kind="stable")[:half] for value in (decision.confidence, top[:, -1] - top[:, -2])]
        gain.append(right[by[0]].mean() - right[by[1]].mean())
    assert np.mean(gain) >= -0.001


def test_plateaus_of_scores_do_not_throw_the_offsets_off():
    """Diffused clusters have nearly equal scores each, and nothing in between for Newton's steps to go by."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        levels = np.sort(rng.uniform(-1, 1, size=3))
        x = levels[rng.choice(3, size=200, p=rng.dirichlet(np.ones(3) * 3))] + 1e-3 * rng.normal(size=200)
        u = np.stack([x, -x], axis=1)
        have = np.bincount((u + size_offsets(u, np.array([100, 100]))).argmax(axis=1), minlength=2)
        assert np.abs(have - 100).max() <= 40


def test_scores_of_very_different_height_are_no_obstacle():
    u = np.random.default_rng(0).normal(size=(1000, 3)) + 1000.0 * np.eye(3)[0]
    sizes = np.array([500, 300, 200])
    have = np.bincount((u + size_offsets(u, sizes)).argmax(axis=1), minlength=3)
    assert np.abs(have - sizes).max() <= 2


@pytest.mark.parametrize("rival", [0.0, 1e-310, 5e-324])
def test_rows_without_a_rival_share_out_what_is_left_evenly(rival):
    rows, possible = np.array([[1.0, rival, rival]]), np.ones((1, 3), dtype=bool)
    found = _with_confidence(rows, np.array([0]), np.array([0.8]), possible)
    np.testing.assert_allclose(found, [[0.8, 0.1, 0.1]])


def test_rounds_of_methods_at_sizes_are_checked():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    wrong = (PoissonMBO(steps=0), VolumeMBO(rounds=-1), VolumeMBO(rounds=2.5), Refined(steps=15), Refined(steps=[3, 0]))
    for method in wrong:
        with pytest.raises(FewlabelsError, match=r"rounds=|steps="):
            method.scores(graph, seeds)
    assert Refined(steps=np.array([3, 3])).scores(graph, seeds).shape == (graph.n_nodes, seeds.targets.shape[1])


@pytest.mark.parametrize("method", [Refined(), PoissonMBO(), VolumeMBO()], ids=["refined", "poisson", "volume"])
def test_methods_at_sizes_bear_a_graph_without_edges(method):
    graph = Graph.from_weights(np.zeros((3, 3)))
    seeds = Seeds.from_classes([0, 1], [0, 1], class_prior=[0.5, 0.5])
    assert np.isfinite(method.scores(graph, seeds)).all()
