"""What must never happen: NaN, or a silent class 0. One test for each way it has been known to happen."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from gallery import blob_points, disconnected, duplicates, isolated_node, path, ring_of_blobs
from hypothesis import given, settings
from hypothesis import strategies as st

from fewlabels import FewLabelClassifier, FewlabelsError, Graph, InterfaceLaplace, Laplace, Poisson, Seeds
from fewlabels.decision import decide
from fewlabels.errors import UnreachedWarning

METHODS = [InterfaceLaplace(), InterfaceLaplace(solver="series"), Laplace(), Poisson()]

every_method = pytest.mark.parametrize("method", METHODS, ids=str)


def checked(method, graph, seeds):
    """Return the decision, having made sure that it is a valid one."""
    scores = method.scores(graph, seeds)
    assert scores.shape == (graph.n_nodes, seeds.targets.shape[1])
    assert np.isfinite(scores).all()
    decision = decide(scores, graph, seeds)
    rows = decision.probabilities
    assert np.isfinite(rows).all()
    assert (rows >= 0).all()
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    np.testing.assert_array_equal(decision.labels, seeds.classes[rows.argmax(axis=1)])
    return decision


@every_method
def test_duplicate_points(method):
    graph = duplicates()
    assert (graph.weights.data > 0).all()
    checked(method, graph, Seeds.from_classes([0, 25, 45], [0, 1, 2]))


def test_more_duplicates_than_neighbours_get_weight_one():
    graph = Graph.from_features(np.zeros((30, 2)), n_neighbors=5)
    assert graph.n_components == 1
    np.testing.assert_array_equal(graph.weights.data, 0.5)  # weight 1 one way, none the other
    np.testing.assert_array_equal(graph.degrees, 5.0)


@every_method
def test_an_isolated_node_keeps_its_label_or_is_unreached(method):
    graph = isolated_node()
    labelled = checked(method, graph, Seeds.from_classes([0, 3, 6], ["a", "b", "c"]))
    assert labelled.labels[6] == "c"
    assert labelled.reached.all()
    unreached = checked(method, graph, Seeds.from_classes([0, 3], ["a", "b"]))
    assert unreached.reached.tolist() == [True] * 6 + [False]


@every_method
def test_components_with_labels_of_their_own(method):
    graph = disconnected()
    assert graph.n_components == 3
    seeds = Seeds.from_classes([5, 40, 70], [2, 1, 0], n_classes=3)
    decision = checked(method, graph, seeds)
    np.testing.assert_array_equal(method.scores(graph, seeds).argmax(axis=1), np.repeat([2, 1, 0], 30))
    np.testing.assert_array_equal(decision.labels, np.repeat([2, 1, 0], 30))
    np.testing.assert_allclose(decision.confidence, 1)


@every_method
def test_a_component_takes_only_classes_that_are_labelled_in_it(method):
    graph = disconnected()
    decision = checked(method, graph, Seeds.from_classes([5, 40, 50, 70], [0, 1, 2, 0], n_classes=3))
    assert set(decision.labels[:30]) == {0}
    assert set(decision.labels[30:60]) == {1, 2}
    assert set(decision.labels[60:]) == {0}


@every_method
def test_a_component_without_a_label_gets_the_prior_and_is_marked(method):
    graph = disconnected()
    seeds = Seeds.from_classes([5, 40, 45], ["a", "b", "b"], class_prior=[0.25, 0.75])
    decision = checked(method, graph, seeds)
    np.testing.assert_array_equal(decision.reached, np.arange(90) < 60)
    np.testing.assert_allclose(decision.probabilities[60:], [[0.25, 0.75]] * 30)
    np.testing.assert_allclose(method.scores(graph, seeds)[60:], [[0.25, 0.75]] * 30)


@every_method
def test_a_class_without_a_label_is_never_predicted(method):
    graph = ring_of_blobs()
    decision = checked(method, graph, Seeds.from_classes([3, 50, 90], [1, 2, 4], n_classes=6))
    assert set(decision.labels) == {1, 2, 4}
    assert decision.probabilities[:, [0, 3, 5]].max() == 0


def test_hops_that_cover_everything_say_which_do_not():
    graph, seeds = path(), Seeds.from_classes([0, 11], [0, 1])
    with pytest.raises(FewlabelsError, match=r"hops=9 leaves no interface.*use hops=4 or less, or hops='auto'"):
        InterfaceLaplace(hops=9).scores(graph, seeds)
    checked(InterfaceLaplace(hops=4), graph, seeds)
    checked(InterfaceLaplace(), graph, seeds)


def test_a_small_component_keeps_its_farthest_shell():
    W = np.zeros((16, 16))
    W[:12, :12] = path().weights.toarray()
    W[12:, 12:] = path(4).weights.toarray()
    graph = Graph.from_weights(W)
    seeds = Seeds.from_classes([0, 11, 12, 15], [0, 1, 0, 1])
    found = InterfaceLaplace(hops=3).spread(graph, seeds)
    assert set(found.interface) == {4, 5, 6, 7, 13, 14}
    assert found.scores.argmax(axis=1).tolist() == [0] * 6 + [1] * 6 + [0, 0, 1, 1]


@every_method
def test_a_component_is_labelled_as_if_it_were_alone(method):
    rng = np.random.default_rng(0)
    one = Graph.from_features(rng.normal(size=(60, 2)), n_neighbors=6)
    for factor in (1.0, 1e-3, 1e-12):
        both = Graph.from_weights(sp.block_diag([one.weights, one.weights * factor]))
        alone = checked(method, one, Seeds.from_classes([0, 1], ["a", "b"]))
        decision = checked(method, both, Seeds.from_classes([0, 1, 60, 61], ["a", "b", "a", "b"]))
        np.testing.assert_array_equal(decision.labels[:60], alone.labels)
        np.testing.assert_array_equal(decision.labels[60:], alone.labels)
        if not (isinstance(method, InterfaceLaplace) and method.solver == "series"):
            np.testing.assert_allclose(decision.probabilities[:60], alone.probabilities, atol=1e-3)


@pytest.mark.parametrize("solver", ["auto", "cg", "direct", "multigrid"])
def test_a_weak_link_does_not_hide_the_error(solver):
    rng = np.random.default_rng(0)
    blocks = [Graph.from_features(rng.normal(size=(n, 8)), n_neighbors=10).weights for n in (2200, 2300)]
    W = sp.block_diag(blocks).tolil()
    W[5, 2205] = W[2205, 5] = 1e-4
    graph = Graph.from_weights(W.tocsr())
    seeds = Seeds.from_classes([0, 1, 5], ["a", "b", "b"])
    exact = InterfaceLaplace(solver="direct").scores(graph, seeds)
    found = InterfaceLaplace(solver=solver).scores(graph, seeds)
    assert np.mean(found.argmax(axis=1) == exact.argmax(axis=1)) > 0.99
    np.testing.assert_allclose(found, exact, atol=0.01 * np.abs(exact).max())


def test_an_interface_that_sees_only_rounding_stays_silent():
    W = np.array([[0, 0, 0.01, 0], [0, 0, 0, 0], [0.01, 0, 0, 0.3], [0, 0, 0.3, 0]])
    for nodes in ([0, 1, 2, 3], [3, 1, 2, 0], [2, 1, 0, 3]):
        graph = Graph.from_weights(W[np.ix_(nodes, nodes)])
        for label in range(4):
            scores = InterfaceLaplace(solver="series").scores(graph, Seeds.from_classes([label], [0], n_classes=3))
            assert (scores.argmax(axis=1) == 0).all()
            assert np.abs(scores).max() < 1e6


@pytest.mark.parametrize("target", [-0.1, 0.0, 1.0, 3.0])
def test_a_target_error_out_of_reach_says_what_is_in_reach(target):
    with pytest.raises(FewlabelsError, match=r"out of reach: .*above 0 and below 1; choose one in between, or 'auto'"):
        InterfaceLaplace(target_mse=target).scores(ring_of_blobs(), Seeds.from_classes([3, 50], [0, 1]))


@pytest.mark.parametrize("names", [["cat", "dog", "eel", "fox"], [7, 8, 9, 11], [0.5, 1.5, 2.5, 3.5], [False, True]])
def test_labels_of_any_kind(names):
    X, y = blob_points(blobs=len(names), noise=0.2)
    truth = np.array(names)[y]
    sparse = np.full(y.size, None, dtype=object)
    sparse[5::40] = truth[5::40]
    model = FewLabelClassifier(n_neighbors=20).fit(X, sparse)
    assert model.classes_.tolist() == sorted(names)
    assert (model.transduction_ == truth).mean() > 0.9


@pytest.mark.parametrize(
    "dress",
    [
        sp.csr_matrix,
        sp.csc_array,
        sp.coo_array,
        np.asfortranarray,
        lambda X: X.astype(np.float32),
        pd.DataFrame,
        lambda X: X.tolist(),
    ],
    ids=["csr", "csc", "coo", "fortran", "float32", "frame", "lists"],
)
def test_features_in_any_dress(dress):
    X, y = blob_points()
    X = X.round(3)
    labels = np.where(np.arange(y.size) % 40 == 5, y, -1)
    plain = FewLabelClassifier().fit(X, labels)
    dressed = FewLabelClassifier().fit(dress(X), labels)
    np.testing.assert_allclose(dressed.scores_, plain.scores_, atol=1e-3 * np.abs(plain.scores_).max())


def test_read_only_input_is_neither_refused_nor_changed():
    X, y = blob_points()
    labels = np.where(np.arange(y.size) % 40 == 5, y, -1)
    before = X.copy()
    X.setflags(write=False)
    labels.setflags(write=False)
    FewLabelClassifier().fit(X, labels)
    np.testing.assert_array_equal(X, before)


@every_method
def test_one_label_in_all(method):
    decision = checked(method, ring_of_blobs(), Seeds.from_classes([7], ["only"]))
    assert set(decision.labels) == {"only"}


@every_method
def test_every_node_labelled(method):
    graph = ring_of_blobs()
    classes = np.arange(graph.n_nodes) % 3
    decision = checked(method, graph, Seeds.from_classes(np.arange(graph.n_nodes), classes))
    np.testing.assert_array_equal(decision.labels, classes)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_features_that_are_not_finite_name_the_row(bad):
    X, _ = blob_points()
    X[17, 1] = bad
    with pytest.raises(FewlabelsError, match="row 17 contain NaN or infinity; fill in or drop that row"):
        Graph.from_features(X)


def test_unreached_points_are_warned_of():
    X, _ = blob_points(blobs=3, size=30, noise=0.05)
    y = np.full(90, -1)
    y[[5, 40]] = [3, 4]
    with pytest.warns(UnreachedWarning, match=r"30 of 90 points .* features alone; a label on row 60 would reach 30"):
        model = FewLabelClassifier(n_neighbors=5).fit(X, y)
    assert model.reached_.sum() == 60
    alone = FewLabelClassifier("poisson", n_neighbors=5)
    with pytest.warns(UnreachedWarning, match="got the prior"):
        np.testing.assert_allclose(alone.fit(X, y).label_distributions_[60:], 0.5)


@st.composite
def problems(draw):
    """A random small graph, often of several components, with some labels."""
    n = draw(st.integers(2, 14))
    size = n * (n - 1) // 2
    weights = draw(st.lists(st.sampled_from([0.0, 0.0, 0.01, 0.3, 1.0, 7.0]), min_size=size, max_size=size))
    W = np.zeros((n, n))
    W[np.triu_indices(n, 1)] = weights
    labelled = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    classes = draw(st.lists(st.integers(0, 2), min_size=len(labelled), max_size=len(labelled)))
    return W + W.T, np.array(labelled), np.array(classes)


@every_method
@settings(max_examples=150, deadline=None, derandomize=True)
@given(problem=problems(), shuffle=st.integers(0, 2**16))
def test_any_small_graph_gets_a_valid_answer_whatever_the_numbering(method, problem, shuffle):
    W, labelled, classes = problem
    graph = Graph.from_weights(W)
    scores = method.scores(graph, Seeds.from_classes(labelled, classes, n_classes=3))
    checked(method, graph, Seeds.from_classes(labelled, classes, n_classes=3))
    rng = np.random.default_rng(shuffle)
    # An interface that barely sees the labels makes a Gram matrix of condition 1e13 and scores that rounding moves.
    tolerance = {"rtol": 1e-3, "atol": 1e-6 * max(1.0, np.abs(scores).max())}

    renamed = rng.permutation(3)
    relabelled = method.scores(graph, Seeds.from_classes(labelled, renamed[classes], n_classes=3))
    np.testing.assert_allclose(relabelled[:, renamed], scores, **tolerance)

    order = rng.permutation(len(W))
    place = np.argsort(order)
    moved = method.scores(
        Graph.from_weights(W[np.ix_(order, order)]), Seeds.from_classes(place[labelled], classes, n_classes=3)
    )
    np.testing.assert_allclose(moved[place], scores, **tolerance)
