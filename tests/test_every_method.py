"""What every method owes, and formulas that several methods are held to in the same way."""

import numpy as np
import oracles
import pytest
from gallery import CONNECTED, GALLERY, blob_points, disconnected, grid, ring_of_blobs, some_seeds

from fewlabels import (
    WNLL,
    CenteredKernel,
    FewLabelClassifier,
    FewlabelsError,
    Graph,
    InterfaceLaplace,
    InterfaceLaplaceDirichlet,
    Laplace,
    PLaplace,
    RandomWalk,
    Seeds,
    SparseLabelPropagation,
    VPoisson,
)
from fewlabels.methods import METHODS, named_method

WITHOUT_FEATURES = {name: method for name, method in METHODS.items() if name != "interface-laplace-network"}
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


@pytest.mark.parametrize("name", WITHOUT_FEATURES)
def test_every_method_works_in_the_classifier(name):
    X, truth = blob_points(noise=0.2)
    y = np.where(np.arange(truth.size) % 40 == 5, truth, -1)
    model = FewLabelClassifier(method=name, n_neighbors=25).fit(X, y)
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)
    floor = 0.25 if name in ("mbo", "sparse-label-propagation") else 0.85
    assert np.mean(model.transduction_ == truth) > floor


@pytest.mark.parametrize("name", WITHOUT_FEATURES)
def test_components_are_kept_apart_by_every_method(name):
    graph = disconnected()
    seeds = Seeds.from_classes([5, 15, 40], ["a", "b", "c"])
    scores = WITHOUT_FEATURES[name]().scores(graph, seeds)
    assert np.isfinite(scores).all()
    assert set(scores[:30].argmax(axis=1)) <= {0, 1}
    assert set(scores[30:60].argmax(axis=1)) == {2}
    np.testing.assert_allclose(scores[60:], 1 / 3)


@pytest.mark.parametrize("name", WITHOUT_FEATURES)
def test_regression_works_or_is_refused(name):
    graph, seeds = grid(), Seeds.from_values([0, 80], [10.0, 20.0])
    if name in ("auto", "mbo", "p-conductance", "poisson-mbo", "volume-mbo", "auction", "cut-ssl", "refined"):
        with pytest.raises(FewlabelsError, match=r"thresholds to classes|(are|is) for classes"):
            WITHOUT_FEATURES[name]().scores(graph, seeds)
        return
    found = WITHOUT_FEATURES[name]().scores(graph, seeds).ravel()
    assert np.isfinite(found).all()
    assert found[1] < found[79]


@pytest.mark.parametrize("name", WITHOUT_FEATURES)
def test_class_priors_never_take_from_the_class_they_favour(name):
    graph = ring_of_blobs()
    plain = Seeds.from_classes([3, 50, 55], [0, 1, 1])
    weighted = Seeds.from_classes([3, 50, 55], [0, 1, 1], class_prior=[0.9, 0.1])
    before, after = (WITHOUT_FEATURES[name]().scores(graph, seeds).argmax(axis=1) for seeds in (plain, weighted))
    assert (after == 0).sum() >= (before == 0).sum()


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (RandomWalk(alpha=1.0), "alpha=1.0 must lie between 0 and 1"),
        (VPoisson(fraction=1.0), "at least 0 and below 1"),
        (SparseLabelPropagation(steps=0), "at least 1"),
        (Laplace(order=0), "order=0 must be a whole number of at least 1"),
        (PLaplace(tol=-1), "tol=-1 must be a number above zero"),
        (PLaplace(max_sweeps=0), "max_sweeps=0 must be a whole number of at least 1"),
    ],
    ids=str,
)
def test_bad_parameters_get_one_sentence(method, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        method.scores(grid(), Seeds.from_classes([0, 80], [0, 1]))


@pytest.mark.usefixtures("compiled_everywhere")
@pytest.mark.parametrize("name", CONNECTED)
def test_methods_on_kernels_are_their_formulas(name):
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    W = graph.weights.toarray()
    for method, expected in (
        (RandomWalk(), oracles.random_walk(W, seeds.indices, seeds.targets)),
        (WNLL(), oracles.wnll(W, seeds.indices, seeds.targets)),
        (VPoisson(), oracles.variance_poisson(W, seeds.indices, seeds.targets, 0.5)),
    ):
        found = method.spread(graph, seeds)
        assert [s.solver for s in found.solves] == ["cg"]
        np.testing.assert_allclose(found.scores, expected, atol=2e-3 * np.abs(expected).max())


@pytest.mark.usefixtures("compiled_everywhere")
@pytest.mark.parametrize("method", [InterfaceLaplace(), InterfaceLaplaceDirichlet()], ids=lambda m: type(m).__name__)
def test_labels_do_not_depend_on_the_kernels(method, monkeypatch):
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=4000)
    graph = Graph.from_features(3 * np.eye(4, 6)[truth] + rng.normal(size=(4000, 6)), n_neighbors=10)
    seeds = Seeds.from_classes([int(np.flatnonzero(truth == j)[0]) for j in range(4)], range(4))
    compiled = method.scores(graph, seeds).argmax(axis=1)
    monkeypatch.setattr("fewlabels.compiled.PAY_FROM", 10**9)
    plain = method.scores(Graph.from_weights(graph.weights), seeds).argmax(axis=1)
    assert np.mean(compiled == plain) > 0.99


def test_names_stand_for_methods():
    assert {name: type(named_method(name)) for name in METHODS} == METHODS
    with pytest.raises(FewlabelsError, match="choose one of auto, interface-laplace"):
        named_method("possion")
