"""Each contender against its formula with L + damping D in place of L."""

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points, disconnected, ring_of_blobs, some_seeds

from fewlabels import Graph, Seeds
from fewlabels.diffusion import diffused
from fewlabels.linear import linear_probabilities
from fewlabels.methods.contenders import (
    AVERAGED,
    DAMPING,
    AveragedLinear,
    EqualSizes,
    Harmonic,
    Interface,
    Linear,
    Problem,
    Solved,
    Sources,
    averaged_features,
)


def damped_green(graph):
    """H with L + damping D in its place: the inverse on what sums to zero, recentred by degree."""
    W = graph.weights.toarray()
    d = W.sum(axis=1)
    inverse = np.linalg.inv(np.diag((1.0 + DAMPING) * d) - W)
    balance = np.eye(len(W)) - np.outer(d, np.ones(len(W))) / d.sum()
    return balance.T @ inverse @ balance


def problem(graph, seeds):
    n = graph.n_nodes
    return Problem(graph, seeds, damped_green(graph) @ (np.eye(n) - 1 / n)[:, seeds.indices])


@pytest.fixture(name="given")
def _given():
    graph = ring_of_blobs()
    return problem(graph, some_seeds(graph))


def test_sources_are_poisson_learning(given):
    y = given.seeds.targets - given.seeds.targets.mean(axis=0)
    source = np.zeros((given.graph.n_nodes, y.shape[1]))
    source[given.seeds.indices] = y
    wanted = damped_green(given.graph) @ source
    np.testing.assert_allclose(Sources().scores([given])[0], wanted, atol=1e-9 * np.abs(wanted).max())


def test_an_interface_everywhere_is_a_ridge_regression_on_all_nodes(given):
    G, y, m = given.columns, given.seeds.targets, given.seeds.size
    found = Interface("every node", "all", by_labels=False).scores([given])[0]
    K = G.T @ G
    kappa, V = np.linalg.eigh(K)
    ridge = np.geomspace(1e-8, 1e8, 200_001) * kappa.mean() / m
    left = ((m * ridge[:, None] / (m * ridge[:, None] + kappa)) ** 2 * ((V.T @ y) ** 2).sum(axis=1)).sum(axis=1) / m
    strength = ridge[np.abs(left - 0.2).argmin()]
    term = G @ np.linalg.solve(K + m * strength * np.eye(m), y)
    wanted = damped_green(given.graph) @ term
    wanted -= wanted.mean(axis=0)
    np.testing.assert_allclose(found, wanted, atol=1e-3 * np.abs(wanted).max())


def test_harmonic_scores_match_the_labels(given):
    found = Harmonic().scores([given])[0]
    np.testing.assert_allclose(found[given.seeds.indices], given.seeds.targets, atol=1e-6)


def test_equal_sizes_are_kept_and_given_labels_too(given):
    found = EqualSizes().scores([given])[0].argmax(axis=1)
    sizes = np.bincount(found, minlength=given.seeds.targets.shape[1])
    wanted = given.seeds.prior * given.graph.n_nodes
    assert np.abs(sizes - wanted).max() <= 3
    np.testing.assert_array_equal(found[given.seeds.indices], given.seeds.codes)


def test_a_linear_contender_looks_at_features_alone():
    X, truth = blob_points()
    graph = Graph.from_features(X, n_neighbors=8)
    nodes = [int(np.flatnonzero(truth == j)[0]) for j in range(4)]
    given = Problem(graph, Seeds.from_classes(nodes, range(4)), np.zeros((graph.n_nodes, 4)))
    assert np.mean(Linear(X).scores([given])[0].argmax(axis=1) == truth) > 0.7


def test_averaged_features_are_those_of_the_walk():
    X, truth = blob_points()
    graph = Graph.from_features(X, n_neighbors=8)
    nodes = [int(np.flatnonzero(truth == j)[0]) for j in range(4)]
    seeds = Seeds.from_classes(nodes, range(4))
    given = Problem(graph, seeds, np.zeros((graph.n_nodes, 4)))
    mean = diffused(graph, X, AVERAGED, 1e-6)
    averaged = averaged_features(graph, X, seeds)
    np.testing.assert_allclose(averaged, mean - X.mean(axis=0), atol=0.02 * np.abs(mean).max())
    for contender in (AveragedLinear(X), AveragedLinear(X, averaged)):
        found = np.exp(contender.scores([given])[0])
        np.testing.assert_allclose(found, linear_probabilities(mean, seeds), atol=0.03)


def test_wide_and_sparse_features_are_never_averaged_as_a_whole():
    X, _ = blob_points()
    graph, seeds = Graph.from_features(X, n_neighbors=8), Seeds.from_classes([0, 100], [0, 1])
    assert averaged_features(graph, np.tile(X, (1, 30)), seeds) is None
    assert averaged_features(graph, sp.csr_array(X), seeds) is None
    assert averaged_features(graph, None, seeds) is None


@pytest.mark.parametrize(
    "contender",
    [
        Sources(),
        Interface("a", "balls", by_labels=True),
        Interface("b", "all", by_labels=False),
        Harmonic(),
        EqualSizes(),
    ],
    ids=lambda each: each.name,
)
def test_several_sets_of_labels_are_answered_as_one_by_one(contender):
    graph = disconnected()
    one = some_seeds(graph)
    other = Seeds.from_classes(one.indices[::-1] - 1, one.codes[::-1], n_classes=one.targets.shape[1])
    n = graph.n_nodes
    columns = np.random.default_rng(0).normal(size=(n, one.size + other.size))
    problems = [Problem(graph, one, columns[:, : one.size]), Problem(graph, other, columns[:, one.size :])]
    together = contender.scores(problems)
    for each, found in zip(problems, together, strict=True):
        np.testing.assert_allclose(found, contender.scores([each])[0], atol=1e-6 * max(1.0, np.abs(found).max()))


def test_solutions_are_found_by_their_names():
    terms = np.arange(12, dtype=np.float32).reshape(2, 6)
    solved = Solved(("a", "b", "c"), terms, -terms)
    for names, columns in ((("b",), [2, 3]), (("a", "c"), [0, 1, 4, 5]), (("c", "b"), [4, 5, 2, 3])):
        found = solved.of(names)
        np.testing.assert_array_equal(found[0], terms[:, columns])
        np.testing.assert_array_equal(found[1], -terms[:, columns])
    assert solved.of(("a", "d")) is None
