import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading

from fewlabels import FewLabelClassifier, FewlabelsError, Poisson, Seeds
from fewlabels.datasets import Dataset
from fewlabels.experiments import labellers
from fewlabels.experiments.labellers import DEFAULT, LABELLERS
from fewlabels.methods import METHODS
from fewlabels.neighbors import NeighborSearch

NODES = np.array([0, 1, 2, 30, 34, 38])


def blobs(*, far=0.0):
    """Three blobs; with `far`, the last points of each lie elsewhere, where no label is."""
    rng, y = np.random.default_rng(0), np.arange(120) % 3
    X = np.eye(3)[y] + 0.35 * rng.normal(size=(120, 3)) + far * (np.arange(120) >= 90)[:, None]
    return Dataset("blobs", y, NeighborSearch(X).among_themselves(10), X, {})


def given(data):
    y = np.full(data.y.size, -1)
    y[NODES] = data.y[NODES]
    return y


def test_all_methods_are_there_but_the_one_that_trains_a_network():
    assert set(METHODS) - set(LABELLERS) == {"auto", "interface-laplace-network"}, "auto is the default"
    assert next(iter(LABELLERS)) == DEFAULT


def test_the_default_is_the_classifier_without_parameters_and_the_store_knows_its_method():
    data = blobs()
    model = FewLabelClassifier().fit(data.features, given(data))
    labelled = LABELLERS[DEFAULT].label(data, NODES)
    np.testing.assert_array_equal(labelled.classes, model.transduction_)
    np.testing.assert_allclose(labelled.confidence, model.label_distributions_.max(axis=1), atol=1e-6)
    assert str(LABELLERS[DEFAULT].spec) == f"default(method={FewLabelClassifier().method})"


def test_a_method_gives_the_labels_that_the_classifier_would():
    data = blobs()
    nodes = np.array([0, 3, 1, 30, 33])
    labelled = LABELLERS["poisson"].label(data, nodes)
    seeds = Seeds.from_classes(nodes, data.y[nodes], balanced=True)
    np.testing.assert_array_equal(labelled.classes, Poisson().scores(data.graph, seeds).argmax(axis=1))
    assert labelled.confidence is None


def test_label_spreading_is_that_of_scikit_learn():
    data = blobs()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LabelSpreading(kernel="knn", n_neighbors=10).fit(data.features, given(data))
        labelled = LABELLERS["label-spreading"].label(data, NODES)
    np.testing.assert_array_equal(labelled.classes, model.transduction_)
    np.testing.assert_allclose(labelled.confidence, model.label_distributions_.max(axis=1), atol=1e-9)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_where_label_spreading_says_nothing_its_label_is_a_guess():
    labelled = LABELLERS["label-spreading"].label(blobs(far=50.0), NODES)
    assert (labelled.classes[90:] == 0).all()
    np.testing.assert_allclose(labelled.confidence[90:], 1 / 3)


def test_classifiers_of_features_do_not_know_the_graph():
    data = blobs(far=50.0)
    nearest = KNeighborsClassifier(1).fit(data.features[NODES], data.y[NODES]).predict(data.features)
    np.testing.assert_array_equal(LABELLERS["1-nearest-neighbor"].label(data, NODES).classes, nearest)
    linear = LABELLERS["logistic-regression"].label(data, NODES)
    scaled = (data.features - data.features.mean(axis=0)) / data.features.std(axis=0)
    model = LogisticRegression(max_iter=1000).fit(scaled[NODES], data.y[NODES])
    np.testing.assert_array_equal(linear.classes, model.predict(scaled))
    np.testing.assert_allclose(linear.confidence, model.predict_proba(scaled).max(axis=1), atol=1e-9)


def test_classes_without_a_label_are_never_given():
    data = blobs()
    for name, labeller in LABELLERS.items():
        if name in ("default", "refined", "label-spreading", "logistic-regression", "1-nearest-neighbor"):
            assert set(labeller.label(data, np.array([1, 2, 4, 5])).classes.tolist()) <= {1, 2}


def test_a_method_that_would_take_minutes_says_so(monkeypatch):
    monkeypatch.setitem(labellers.MOST_ENTRIES, "poisson-mbo", 100)
    with pytest.raises(FewlabelsError, match="takes minutes"):
        LABELLERS["poisson-mbo"].label(blobs(), NODES)
