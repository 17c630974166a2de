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


@pytest.mark.parametrize("name", ["path", "grid", "star", "two_cliques"])
def test_it_is_admm_on_the_programme(name, monkeypatch):
    monkeypatch.setattr(cut_ssl, "TOL", 1e-12)
    monkeypatch.setattr(cut_ssl, "CALM", 10**9)
    graph = GALLERY[name]()
    n = graph.n_nodes
    seeds = Seeds.from_classes([1, n - 1], [0, 1])
    free, expected = by_dense_admm(graph.weights.toarray(), seeds.indices, seeds.targets, (0.0, 0.2), 30, 1.0)
    found = CutSSL((0.0, 0.2), steps=30).scores(graph, seeds)
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


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (CutSSL((0.3,)), "numbers from 0 to a quarter of penalty=1.0"),
        (CutSSL((-0.1,)), "numbers from 0"),
        (CutSSL(penalty=0.0), "numbers from 0"),
        (CutSSL((), penalty=1e-9), "penalty=1e-09 must be 0.001 or more"),
        (CutSSL(steps=0), "steps=0 must be a whole number"),
    ],
    ids=str,
)
def test_bad_parameters_get_one_sentence(method, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        method.scores(ring_of_blobs(), some_seeds(ring_of_blobs()))
