import numpy as np
import pytest
from gallery import GALLERY, ring_of_blobs, some_seeds

from fewlabels import CutSSL, FewlabelsError, Graph, Seeds
from fewlabels.methods import cut_ssl


def by_dense_admm(W, train, Y, shifts, steps, penalty):
    """ADMM with every step's X from the whole system of optimality and both kinds of sums, dense."""
    n, c = len(W), Y.shape[1]
    free = np.setdiff1d(np.arange(n), train)
    m, D = free.size, np.diag(W.sum(axis=1))[np.ix_(free, free)]
    L = (np.diag(W.sum(axis=1)) - W)[np.ix_(free, free)]
    pull = W[np.ix_(free, train)] @ Y
    share = Y.sum(axis=0) / len(train)
    exact = np.floor(share * n) + (np.arange(c) < n - np.floor(share * n).sum())
    left = (exact - Y.sum(axis=0)) * m / (exact - Y.sum(axis=0)).sum()

    def with_sums(M, b):
        sums = np.vstack([np.kron(np.ones(m), np.eye(c)), np.kron(np.eye(m), np.ones(c))])
        whole = np.block([[np.kron(M, np.eye(c)), sums.T], [sums, np.zeros((m + c, m + c))]])
        known = np.concatenate([b.ravel(), left, np.ones(m)])
        return np.linalg.lstsq(whole, known, rcond=None)[0][: m * c].reshape(m, c)

    X = with_sums(L, pull)
    for s in shifts:
        P, Z = np.maximum(X, 0), np.zeros_like(X)
        for _ in range(steps):
            X = with_sums(L + (penalty - s) * D, pull + penalty * D @ (P - Z))
            P = np.maximum(X + Z, 0)
            Z = Z + X - P
        X = P
    return free, X


@pytest.mark.parametrize("penalty", [0.8, 1.0, 3.0])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", ["path", "grid", "star", "two_cliques"])
def test_it_is_admm_on_the_programme(name, classes, penalty, monkeypatch):
    monkeypatch.setattr(cut_ssl, "TOL", 1e-12)
    monkeypatch.setattr(cut_ssl, "CALM", 10**9)
    graph = GALLERY[name]()
    nodes = [1, graph.n_nodes - 1, graph.n_nodes // 2][:classes]
    seeds = Seeds.from_classes(nodes, range(classes))
    free, expected = by_dense_admm(graph.weights.toarray(), seeds.indices, seeds.targets, (0.0, 0.2), 30, penalty)
    found = CutSSL((0.0, 0.2), steps=30, penalty=penalty).scores(graph, seeds)
    np.testing.assert_allclose(found[free], expected, atol=1e-5)


@pytest.mark.parametrize("name", ["grid", "ring_of_blobs"])
def test_answers_are_nearly_one_hot_at_the_sizes(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    found = CutSSL((0.0, 0.1, 0.25), steps=1000).scores(graph, seeds)
    assert np.mean(found.max(axis=1)) > 0.85
    labels = found.argmax(axis=1)
    n, c = found.shape
    assert np.abs(np.bincount(labels, minlength=c) - n * seeds.prior).max() <= 0.1 * n


def test_it_cuts_less_than_what_it_begins_with():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    begun = CutSSL(()).scores(graph, seeds)
    assert graph.cut_weight(CutSSL().scores(graph, seeds).argmax(axis=1)) < graph.cut_weight(begun.argmax(axis=1))


def test_the_scale_of_the_weights_does_not_matter():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    heavier = Graph.from_weights(graph.weights * 100.0)
    labels = [CutSSL().scores(each, seeds).argmax(axis=1) for each in (graph, heavier)]
    np.testing.assert_array_equal(*labels)


def wild_problem(seed):
    """Return a small graph with weights of many sizes, and labels of classes of uneven sizes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 30))
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.3), 1) * 10.0 ** rng.integers(-3, 4, (n, n))
    graph, c = Graph.from_weights(W + W.T), int(rng.integers(2, 5))
    nodes, prior = rng.choice(n, c, replace=False), rng.dirichlet(np.full(c, 0.3)) + 1e-3
    return graph, Seeds.from_classes(nodes, range(c), class_prior=prior / prior.sum())


@pytest.mark.filterwarnings("ignore::fewlabels.errors.FewlabelsWarning")
@pytest.mark.parametrize("seed", [13, 16])
def test_a_row_that_the_steps_left_undecided_has_no_silent_first_class(seed):
    graph, seeds = wild_problem(seed)
    scores = CutSSL((0.1,), steps=3, penalty=0.4).scores(graph, seeds)
    assert (scores[np.isin(graph.components, graph.components[seeds.indices])] > 0).any(axis=1).all()


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (CutSSL((0.3,)), "numbers from 0 to a quarter of penalty=1.0"),
        (CutSSL((-0.1,)), "numbers from 0"),
        (CutSSL(penalty=0.0), "numbers from 0"),
        (CutSSL((), penalty=1e-9), "penalty=1e-09 must be from 0.001 to"),
        (CutSSL((), penalty=np.inf), "penalty=inf must be from 0.001 to"),
        (CutSSL(steps=0), "steps=0 must be a whole number"),
    ],
    ids=str,
)
def test_bad_parameters_get_one_sentence(method, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        method.scores(ring_of_blobs(), some_seeds(ring_of_blobs()))
