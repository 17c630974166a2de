import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from gallery import blob_points
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewlabels import (
    FewLabelClassifier,
    FewLabelRegressor,
    FewlabelsError,
    FewlabelsWarning,
    Graph,
    InterfaceLaplace,
    Poisson,
    Seeds,
)


# One check passes two classes named -1 and 1; that they are taken as such is said in a warning.
@pytest.mark.filterwarnings("ignore:y holds nothing but -1 and 1")
@parametrize_with_checks([FewLabelClassifier(), FewLabelRegressor(), FewLabelClassifier(method=Poisson())])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


NAMES = np.array(["ant", "bee", "cat", "dog"])


@pytest.fixture(name="problem")
def _problem():
    X, truth = blob_points(noise=0.35)
    y = np.where(np.arange(truth.size) % 40 == 5, truth, -1)
    return X, y, truth


def test_the_classifier_is_the_method_on_the_graph(problem):
    X, y, _ = problem
    model = FewLabelClassifier(method=InterfaceLaplace(hops=1)).fit(X, y)
    scores = InterfaceLaplace(hops=1).scores(Graph.from_features(X), Seeds.from_y(y))
    np.testing.assert_allclose(model.scores_, scores)
    np.testing.assert_array_equal(model.transduction_, model.classes_[model.label_distributions_.argmax(axis=1)])
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)
    assert (model.transduction_[y >= 0] == y[y >= 0]).all()
    assert model.solves_[0].startswith("direct: converged")


def test_precomputed_equals_built_in(problem):
    X, y, _ = problem
    built = FewLabelClassifier().fit(X, y)
    graph = Graph.from_features(X)
    for given in (graph, graph.weights, graph.weights.toarray(), sp.csr_matrix(graph.weights)):
        model = FewLabelClassifier(graph="precomputed").fit(given, y)
        np.testing.assert_allclose(model.scores_, built.scores_, atol=1e-9)
    new = model.predict(graph.weights[:7].toarray())
    average = graph.weights[:7] @ built.scores_ / graph.degrees[:7, None]
    np.testing.assert_array_equal(new, average.argmax(axis=1))


def test_new_points_take_the_harmonic_value(problem):
    X, y, truth = problem
    model = FewLabelClassifier().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), model.transduction_)
    np.testing.assert_allclose(model.predict_proba(X), model.label_distributions_)
    new, new_truth = blob_points(noise=0.35, seed=9)
    assert (model.predict(new) == new_truth).mean() > 0.8
    assert (model.transduction_ == truth).mean() > 0.8
    rows = model.predict_proba(new)
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    distances = np.sqrt(((new[:1, None] - X[None]) ** 2).sum(axis=2))[0]
    near = np.argsort(distances)[:10]
    w = np.exp(-4 * distances[near] ** 2 / distances[near[-1]] ** 2)
    gaps = (w @ model.scores_[near]) / w.sum()
    assert rows[0].argmax() == gaps.argmax()


def test_string_labels_frames_and_feature_names(problem):
    X, y, truth = problem
    frame = pd.DataFrame(X, columns=["height", "width"])
    names = NAMES
    labels = pd.Series(np.where(y >= 0, names[y], None))
    model = FewLabelClassifier().fit(frame, labels)
    assert model.feature_names_in_.tolist() == ["height", "width"]
    assert model.classes_.tolist() == names.tolist()
    assert (model.predict(frame) == names[truth]).mean() > 0.8
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"height": "depth"}))


def test_pipelines_clone_and_grid_search(problem):
    X, y, truth = problem
    pipe = make_pipeline(StandardScaler(), FewLabelClassifier()).fit(X, y)
    assert (pipe.predict(X) == truth).mean() > 0.8
    model = clone(FewLabelClassifier(method=InterfaceLaplace(hops=2)))
    assert model.method.hops == 2
    few = np.where(np.random.default_rng(0).random(truth.size) < 0.1, truth, -1)
    search = GridSearchCV(FewLabelClassifier(), {"method__hops": [-1, 0, 1], "n_neighbors": [8, 10]}, cv=KFold(3))
    search.fit(*shuffled(X, few))
    assert search.best_params_["method__hops"] in (-1, 0, 1)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.7


def shuffled(X, y):
    order = np.random.default_rng(0).permutation(len(y))
    return X[order], y[order]


def test_setting_a_methods_parameter_leaves_other_classifiers_alone():
    first, second = FewLabelClassifier(), FewLabelClassifier()
    first.set_params(method__hops=7)
    assert first.method.hops == 7
    assert second.method == "interface-laplace"
    assert FewLabelClassifier().set_params(method__hops=1).method.hops == 1


def test_the_score_leaves_unlabelled_rows_out(problem):
    X, y, truth = problem
    model = FewLabelClassifier().fit(X, y)
    assert model.score(X, y) == 1
    assert model.score(X, truth) == np.mean(model.predict(X) == truth)
    with pytest.raises(FewlabelsError, match="no labels to score against"):
        model.score(X, np.full(len(y), -1))


def test_the_regressor_scores_known_values_only():
    line = np.linspace(0, 1, 60)[:, None]
    y = np.full(60, np.nan)
    y[::3] = line[::3, 0]
    model = FewLabelRegressor(method="laplace", n_neighbors=4)
    assert model.fit(line, y).score(line, y) == 1
    search = GridSearchCV(
        FewLabelRegressor(n_neighbors=4), {"method__hops": [-1, 0]}, cv=KFold(3, shuffle=True, random_state=0)
    )
    assert np.isfinite(search.fit(line, y).cv_results_["mean_test_score"]).all()
    with pytest.raises(FewlabelsError, match="no values to score against"):
        model.score(line, np.full(60, np.nan))


def test_nullable_pandas_labels_keep_their_type(problem):
    X, y, _ = problem
    labels = pd.Series(y, dtype="Int64").where(y >= 0)
    assert FewLabelClassifier().fit(X, labels).classes_.tolist() == [0, 1, 2, 3]
    assert FewLabelClassifier().fit(X, labels).classes_.dtype.kind == "i"
    kinds = pd.Series(np.where(y >= 0, NAMES[y], None)).astype("category")
    assert FewLabelClassifier().fit(X, kinds).classes_.tolist() == NAMES.tolist()


def test_new_rows_without_neighbours_get_the_prior(problem):
    X, y, _ = problem
    model = FewLabelClassifier(graph="precomputed").fit(Graph.from_features(X), y)
    np.testing.assert_allclose(model.predict_proba(np.zeros((1, 160))), 0.25)


def test_a_failed_refit_leaves_the_model_as_it_was(problem):
    X, y, _ = problem
    model = FewLabelClassifier().fit(X, y)
    before = model.predict(X)
    with pytest.raises(FewlabelsError, match="no labels"):
        model.fit(X[::-1].copy(), np.full(len(y), -1))
    np.testing.assert_array_equal(model.predict(X), before)


def test_the_two_class_coding_of_minus_one_and_one():
    X, truth = blob_points(blobs=2, noise=0.1)
    coded = np.where(truth == 1, 1, -1)
    with pytest.warns(FewlabelsWarning, match="both are taken as labels"):
        assert FewLabelClassifier().fit(X, coded).classes_.tolist() == [-1, 1]
    one = np.full(truth.size, -1)
    one[3] = 1
    assert FewLabelClassifier(n_neighbors=60).fit(X, one).classes_.tolist() == [1]


def test_class_priors_by_name_or_in_order(problem):
    X, y, _ = problem
    y = y.copy()
    y[:4] = 0
    by_order = FewLabelClassifier(class_prior=[0.25] * 4).fit(X, y)
    by_name = FewLabelClassifier(class_prior=dict.fromkeys(range(4), 0.25)).fit(X, y)
    np.testing.assert_allclose(by_name.scores_, by_order.scores_)
    np.testing.assert_allclose(by_order.scores_, FewLabelClassifier().fit(X, y).scores_)
    uneven = FewLabelClassifier(class_prior=[0.1, 0.2, 0.3, 0.4]).fit(X, y)
    assert np.abs(by_order.scores_ - uneven.scores_).max() > 1e-6
    with pytest.raises(FewlabelsError, match="no share for class 3"):
        FewLabelClassifier(class_prior={0: 1, 1: 1, 2: 1}).fit(X, y)


def test_a_fitted_model_survives_a_copy(problem):
    X, y, _ = problem
    model = FewLabelClassifier().fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X[:5] + 0.01), model.predict(X[:5] + 0.01))


def test_the_regressor_keeps_given_values_and_smooths_between():
    line = np.linspace(0, 1, 60)[:, None]
    y = np.full(60, np.nan)
    y[[0, 30, 59]] = [10.0, 20.0, 30.0]
    model = FewLabelRegressor(method="laplace", n_neighbors=4).fit(line, y)
    assert model.transduction_[[0, 30, 59]].tolist() == [10, 20, 30]
    np.testing.assert_allclose(model.transduction_, 10 + 20 * line.ravel(), atol=0.6)
    np.testing.assert_allclose(model.predict(line + 1e-4), model.transduction_, atol=0.6)


@pytest.mark.parametrize(
    ("fit", "sentence"),
    [
        (lambda X, y: FewLabelClassifier().fit(X, np.full(len(y), -1)), "no labels at all"),
        (lambda X, y: FewLabelClassifier(method="psn").fit(X, y), "choose one of interface-laplace"),
        (lambda X, y: FewLabelClassifier(graph="none").fit(X, y), "choose 'features' or 'precomputed'"),
        (lambda X, y: FewLabelClassifier().fit(Graph.from_features(X), y), "graph='precomputed'"),
        (lambda X, y: FewLabelClassifier(graph="precomputed").fit(Graph.from_features(X), y[:9]), "160 nodes but y 9"),
        (lambda X, y: FewLabelRegressor().fit(X, np.full(len(y), np.nan)), "every entry is NaN"),
        (lambda X, y: FewLabelRegressor().fit(X, ["a"] * len(y)), "y must be numbers"),
        (
            lambda X, y: (
                FewLabelClassifier(graph="precomputed").fit(Graph.from_features(X), y).predict(-np.ones((1, 160)))
            ),
            "negative weights; give their similarities",
        ),
    ],
)
def test_bad_input_gets_one_sentence(problem, fit, sentence):
    X, y, _ = problem
    with pytest.raises(FewlabelsError, match=sentence):
        fit(X, y)
