import numpy as np
import pandas as pd
import pytest
from gallery import blob_points
from labelling import NAMES
from sklearn.base import clone
from sklearn.datasets import load_digits
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
    OneClassWarning,
    Poisson,
    Seeds,
)
from fewlabels.volumes import class_sizes


# One check passes two classes named -1 and 1, another a single class; either is said in a warning.
@pytest.mark.filterwarnings("ignore:y holds nothing but -1 and 1")
@pytest.mark.filterwarnings("ignore::fewlabels.errors.OneClassWarning")
@parametrize_with_checks([FewLabelClassifier(), FewLabelRegressor(), FewLabelClassifier(method=Poisson())])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def test_the_classifier_is_the_method_on_the_graph(problem):
    X, y, _ = problem
    model = FewLabelClassifier(method=InterfaceLaplace(hops=1)).fit(X, y)
    scores = InterfaceLaplace(hops=1).scores(Graph.from_features(X), Seeds.from_y(y))
    np.testing.assert_allclose(model.scores_, scores)
    np.testing.assert_array_equal(model.transduction_, model.classes_[model.label_distributions_.argmax(axis=1)])
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)
    assert (model.transduction_[y >= 0] == y[y >= 0]).all()
    assert model.solves_[0].startswith("direct: converged")


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


def test_the_two_class_coding_of_minus_one_and_one():
    X, truth = blob_points(blobs=2, noise=0.1)
    coded = np.where(truth == 1, 1, -1)
    with pytest.warns(FewlabelsWarning, match="both are taken as labels"):
        assert FewLabelClassifier().fit(X, coded).classes_.tolist() == [-1, 1]
    one = np.full(truth.size, -1)
    one[3] = 1
    with pytest.warns(OneClassWarning, match="one class"):
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


def test_the_regressor_keeps_given_values_and_smooths_between():
    line = np.linspace(0, 1, 60)[:, None]
    y = np.full(60, np.nan)
    y[[0, 30, 59]] = [10.0, 20.0, 30.0]
    model = FewLabelRegressor(method="laplace", n_neighbors=4).fit(line, y)
    assert model.transduction_[[0, 30, 59]].tolist() == [10, 20, 30]
    np.testing.assert_allclose(model.transduction_, 10 + 20 * line.ravel(), atol=0.6)
    np.testing.assert_allclose(model.predict(line + 1e-4), model.transduction_, atol=0.6)


def sparsely_labelled(labels=1, seed=0):
    X, truth = blob_points(noise=0.35, size=60)
    rng = np.random.default_rng(seed)
    y = np.full(truth.size, -1)
    for j in range(4):
        rows = rng.choice(np.flatnonzero(truth == j), size=labels, replace=False)
        y[rows] = j
    return X, truth, y


def test_labels_added_later_give_what_a_fresh_fit_gives():
    X, truth, y = sparsely_labelled()
    model = FewLabelClassifier().fit(X, y)
    rows = model.suggest(5)
    model.add_labels(rows, truth[rows])
    y[rows] = truth[rows]
    fresh = FewLabelClassifier().fit(X, y)
    np.testing.assert_allclose(model.scores_, fresh.scores_, atol=1e-4 * np.abs(fresh.scores_).max())
    np.testing.assert_array_equal(model.transduction_, fresh.transduction_)
    np.testing.assert_allclose(model.label_distributions_, fresh.label_distributions_, atol=1e-4)
    assert (model.transduction_[rows] == truth[rows]).all()


@pytest.mark.parametrize("options", [{"method": "poisson"}, {"refine": "mbo"}, {"class_prior": [0.25] * 4}])
def test_added_labels_work_whatever_the_method(options):
    X, truth, y = sparsely_labelled()
    model = FewLabelClassifier(**options).fit(X, y)
    rows = model.suggest(3, strategy="margin")
    model.add_labels(rows, truth[rows])
    assert (model.transduction_[rows] == truth[rows]).all()
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)


def test_a_label_may_be_corrected_and_a_new_class_may_appear():
    X, _, y = sparsely_labelled()
    names = np.array(["a", "b", "c", "d"], dtype=object)[np.maximum(y, 0)]
    names[y < 0] = ""
    model = FewLabelClassifier().fit(X, names)
    labelled = int(np.flatnonzero(y == 0)[0])
    model.add_labels([labelled], ["z"])
    assert model.transduction_[labelled] == "z"
    assert model.classes_.tolist() == ["b", "c", "d", "z"]


@pytest.mark.parametrize(
    ("rows", "labels", "sentence"),
    [
        ([], [], "at least one"),
        ([1, 1], [0, 1], "named twice"),
        ([10**6], [0], "no row"),
        ([1.5], [0], "takes row numbers"),
        ([1], [-1], "is empty"),
    ],
)
def test_bad_additions_get_one_sentence_and_change_nothing(rows, labels, sentence):
    X, _, y = sparsely_labelled()
    model = FewLabelClassifier().fit(X, y)
    before = model.transduction_.copy()
    with pytest.raises(FewlabelsError, match=sentence):
        model.add_labels(rows, labels)
    np.testing.assert_array_equal(model.transduction_, before)
    with pytest.raises(FewlabelsError, match="choose one of mixed"):
        model.suggest(1, strategy="best")
    with pytest.raises(FewlabelsError, match="at least 1"):
        model.suggest(0)


def test_what_is_refused_leaves_the_fitted_model_as_it_was():
    X, truth, y = sparsely_labelled()
    model = FewLabelClassifier(class_prior=[0.25] * 4).fit(X, y)
    before = {name: np.array(getattr(model, name)) for name in ("transduction_", "reached_", "label_distributions_")}
    model.set_params(class_prior=[1e-6, 1.0, 1.0, 1.0])
    with pytest.raises(FewlabelsError, match="raise its share"):
        model.fit(X[:100], y[:100] * 0 + np.where(np.arange(100) < 4, np.arange(100), -1))
    with pytest.raises(FewlabelsError, match="raise its share"):
        model.add_labels([int(np.flatnonzero(y < 0)[0])], [0])
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(model, name), value)
    assert model.predict(X + 0.01).size == truth.size


def test_everything_labelled_is_kept_whatever_the_sizes():
    model = FewLabelClassifier(class_prior=[0.5, 0.5]).fit([[0.0], [1.0]], ["a", "b"])
    assert model.transduction_.tolist() == ["a", "b"]
    assert model.suggest(3).size == 0


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


def test_labels_of_rare_classes_count_more_by_default():
    X, truth = blob_points(noise=0.3)
    y = np.full(truth.size, -1)
    for j in range(4):
        y[np.flatnonzero(truth == j)[: 1 if j % 2 else 8]] = j
    seeds = FewLabelClassifier().fit(X, y)._answer.seeds
    np.testing.assert_allclose(np.bincount(seeds.codes, weights=seeds.weights), seeds.size / 4)
    np.testing.assert_allclose(seeds.prior, 0.25)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_point_between_two_labels_is_even_as_in_label_propagation(dtype):
    between = FewLabelClassifier(n_neighbors=2).fit(np.array([[1, 0], [0, 1], [1, 1]], dtype=dtype), [0, 1, -1])
    np.testing.assert_allclose(between.label_distributions_[2], [0.5, 0.5], atol=1e-2)
    nearer = FewLabelClassifier(n_neighbors=2).fit(np.array([[1, 0], [0, 1], [1, 2.5]], dtype=dtype), [0, 1, -1])
    np.testing.assert_allclose(nearer.predict_proba([[1.0, 1.0]]), [[0.5, 0.5]])
    far = FewLabelClassifier(n_neighbors=2).fit(np.array([[1, 0], [0, 2], [1, 3]], dtype=dtype), [0, 1, -1])
    assert far.transduction_.tolist() == [0, 1, 1]
    assert far.predict([[0.5, 2.5]]).tolist() == [1]


def test_the_order_of_rows_moves_no_confidence():
    X, truth = load_digits(return_X_y=True)
    X, truth = X[:700] + 1e-3 * np.random.default_rng(1).normal(size=(700, 64)), truth[:700]  # no equal distances
    y = np.full(700, -1)
    y[np.unique(truth, return_index=True)[1]] = np.arange(10)
    order = np.random.default_rng(0).permutation(700)
    straight, mixed = FewLabelClassifier().fit(X, y), FewLabelClassifier().fit(X[order], y[order])
    assert np.mean(straight.transduction_[order] == mixed.transduction_) > 0.995
    gap = np.abs(straight.label_distributions_[order] - mixed.label_distributions_)
    assert gap.max() < 0.02
