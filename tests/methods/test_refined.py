import numpy as np
import pytest
from gallery import GALLERY, blob_points, ring_of_blobs, some_seeds
from oracles import one_hot

from fewlabels import FewlabelsError, Graph, InterfaceLaplace, Laplace, Poisson, PoissonMBO, Refined, Seeds, VolumeMBO
from fewlabels.methods import refined
from fewlabels.volumes import class_sizes, size_offsets


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
        before.append(np.mean(Poisson().scores(graph, seeds).argmax(axis=1) == truth))
        after.append(np.mean(method.scores(graph, seeds).argmax(axis=1) == truth))
    assert np.mean(after) >= np.mean(before)


def lazy_walk(graph, steps):
    W = graph.weights.toarray()
    return np.linalg.matrix_power((W / W.sum(axis=1, keepdims=True) + 0.15 * np.eye(len(W))) / 1.15, steps)


def labels_at_sizes(scores, seeds):
    return (scores + size_offsets(scores, class_sizes(seeds.prior, len(scores)), within=1e-3)).argmax(axis=1)


def is_a_round_from(graph, seeds, begun, found, memory=0.0):
    """Whether scores are three steps from labels and a memory, with the same offsets at every node without a label."""
    begun = begun.copy()
    begun[seeds.indices] = seeds.codes
    u = lazy_walk(graph, 3) @ one_hot(begun, seeds.targets.shape[1]) + memory
    others = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    return np.allclose((found - u)[others], (found - u)[others[0]], atol=1e-5)


def test_a_round_of_refinement_is_diffusion_of_the_classes():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    begun = labels_at_sizes(Poisson().scores(graph, seeds), seeds)
    found = Refined(Poisson(), steps=[3], coarse=False).scores(graph, seeds)
    assert is_a_round_from(graph, seeds, begun, found)


def mean_of_three(graph, seeds, steps=3):
    """Return some steps from the mean of three labellings at the sizes, and these."""
    methods = (Poisson(), Laplace(), InterfaceLaplace())
    labels = [labels_at_sizes(each.scores(graph, seeds), seeds) for each in methods]
    return lazy_walk(graph, steps) @ sum(one_hot(each, seeds.targets.shape[1]) for each in labels) / 3, labels


def test_rounds_begin_from_the_mean_of_three_labellings(monkeypatch):
    monkeypatch.setattr(refined, "diffused", lambda g, u, s: lazy_walk(g, s) @ u)
    graph = ring_of_blobs()
    told_apart = False
    for nodes in ([1, 70, 130], [7, 66, 121], [30, 90, 150]):
        seeds = Seeds.from_classes(nodes, range(3), class_prior=[0.5, 0.25, 0.25])
        mean, labels = mean_of_three(graph, seeds)
        found = Refined(steps=[3], coarse=False).scores(graph, seeds)
        assert is_a_round_from(graph, seeds, labels_at_sizes(mean, seeds), found)
        told_apart |= not any(is_a_round_from(graph, seeds, each, found) for each in labels)
    assert told_apart


@pytest.mark.parametrize("per_class", [2, 5])
def test_rounds_remember_their_beginning_the_more_labels_there_are(monkeypatch, per_class):
    monkeypatch.setattr(refined, "diffused", lambda g, u, s: lazy_walk(g, s) @ u)
    graph = ring_of_blobs()
    nodes = [np.random.default_rng(0).choice(40, per_class, replace=False) + 40 * j for j in range(3)]
    seeds = Seeds.from_classes(np.concatenate(nodes), np.repeat(range(3), per_class), class_prior=[0.5, 0.25, 0.25])
    mean, _ = mean_of_three(graph, seeds)
    found = Refined(steps=[3], coarse=False).scores(graph, seeds)
    memory = 0.15 * (per_class - 1) * mean
    assert is_a_round_from(graph, seeds, labels_at_sizes(mean, seeds), found, memory)
    assert not is_a_round_from(graph, seeds, labels_at_sizes(mean, seeds), found)


def five_per_class():
    nodes = np.concatenate([np.random.default_rng(0).choice(40, 5, replace=False) + 40 * j for j in range(3)])
    return Seeds.from_classes(nodes, np.repeat(range(3), 5), class_prior=[0.5, 0.25, 0.25])


def test_the_last_round_remembers_in_proportion_to_its_steps(monkeypatch):
    monkeypatch.setattr(refined, "diffused", lambda g, u, s: lazy_walk(g, s) @ u)
    graph, seeds = ring_of_blobs(), five_per_class()
    mean, _ = mean_of_three(graph, seeds, steps=6)
    before = Refined(steps=[6, 6], coarse=False).scores(graph, seeds).argmax(axis=1)
    found = Refined(steps=[6, 6, 3], coarse=False).scores(graph, seeds)
    assert is_a_round_from(graph, seeds, before, found, 0.3 * mean)


def test_where_aggregates_go_on_their_scores_are_remembered(monkeypatch):
    monkeypatch.setattr(refined, "diffused", lambda g, u, s: lazy_walk(g, s) @ u)
    graph, seeds = ring_of_blobs(), five_per_class()
    start = np.random.default_rng(0).dirichlet(np.ones(3), graph.n_nodes)
    cuts = iter([0.1, 1.0])
    monkeypatch.setattr(refined, "_from_aggregates", lambda *_: start)
    monkeypatch.setattr(refined, "AGGREGATES_PER_CLASS", 0)
    monkeypatch.setattr(Graph, "cut_weight", lambda *_: next(cuts))
    found = Refined(steps=[3, 3, 3]).scores(graph, seeds)
    labels = labels_at_sizes(start, seeds)
    for _ in range(2):
        labels[seeds.indices] = seeds.codes
        labels = labels_at_sizes(lazy_walk(graph, 3) @ one_hot(labels, 3) + 0.6 * start, seeds)
    assert is_a_round_from(graph, seeds, labels, found, 0.6 * start)


@pytest.mark.parametrize("name", ["ring_of_blobs", "disconnected", "isolated_node"])
def test_columns_give_the_same_laplace_learning_as_a_solve_for_itself(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    inter = InterfaceLaplace().spread(graph, seeds)
    for columns in (inter.columns, None):
        found = Refined()._laplace(graph, seeds, columns).scores
        np.testing.assert_allclose(Laplace().scores(graph, seeds), found, atol=1e-3)


def test_columns_are_solved_once_and_not_at_all_for_many_labels(monkeypatch):
    import fewlabels.methods.interface_laplace as interface_laplace

    solved, original = [], interface_laplace.green_columns
    monkeypatch.setattr(interface_laplace, "green_columns", lambda *a, **k: solved.append(1) or original(*a, **k))
    graph, seeds = ring_of_blobs(), five_per_class()
    Refined().scores(graph, seeds)
    assert len(solved) == 1
    monkeypatch.setattr(refined, "COLUMNS_PER_CLASS", 4)
    assert np.isfinite(Refined().scores(graph, seeds)).all()
    assert len(solved) == 1


def test_a_method_that_is_named_begins_alone_and_without_rounds_poisson_does():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    np.testing.assert_array_equal(
        Refined(steps=()).scores(graph, seeds), Refined(Poisson(), steps=()).scores(graph, seeds)
    )
    begun = labels_at_sizes(Laplace().scores(graph, seeds), seeds)
    assert is_a_round_from(graph, seeds, begun, Refined(Laplace(), steps=[3], coarse=False).scores(graph, seeds))


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


@pytest.mark.parametrize(("share", "taken"), [(0.79, True), (0.81, False)])
def test_aggregates_go_on_only_where_they_cut_a_fifth_less(monkeypatch, share, taken):
    graph, seeds = many_blobs()
    others = np.random.default_rng(1).normal(size=(graph.n_nodes, 4))
    cuts = iter([share, 1.0])
    monkeypatch.setattr(refined, "_from_aggregates", lambda *_: others)
    monkeypatch.setattr(Graph, "cut_weight", lambda *_: next(cuts))
    same = np.array_equal(Refined().scores(graph, seeds), Refined(coarse=False).scores(graph, seeds))
    assert same != taken


def test_aggregates_count_as_many_points_as_they_have_and_every_length_has_its_round(monkeypatch):
    graph, seeds = many_blobs()
    counted, lengths = [], []
    monkeypatch.setattr(refined, "UNCHANGED", 2.0)
    offsets, walked = refined.size_offsets, refined.diffused
    monkeypatch.setattr(
        refined, "size_offsets", lambda u, *a, **k: (counted.append((len(u), k.get("counts"))), offsets(u, *a, **k))[1]
    )
    monkeypatch.setattr(refined, "diffused", lambda g, u, s: (lengths.append(s), walked(g, u, s))[1])
    Refined().scores(graph, seeds)
    coarse = [counts for rows, counts in counted if rows < graph.n_nodes]
    assert len(coarse) == 6
    assert all(counts.sum() == graph.n_nodes for counts in coarse)
    assert set(lengths) == {25, 12, 6}


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
