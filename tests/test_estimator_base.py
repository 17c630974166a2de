import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from gallery import blob_points
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewlabels import MBO, FewLabelClassifier, FewLabelRegressor, FewlabelsError, Graph, estimator_base
from fewlabels.threads import cores


def test_precomputed_equals_built_in(problem):
    X, y, _ = problem
    built = FewLabelClassifier("interface-laplace").fit(X, y)
    graph = Graph.from_features(X)
    for given in (graph, graph.weights, graph.weights.toarray(), sp.csr_matrix(graph.weights)):
        model = FewLabelClassifier("interface-laplace", graph="precomputed").fit(given, y)
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


def test_setting_a_methods_parameter_leaves_other_classifiers_alone():
    first, second = FewLabelClassifier(), FewLabelClassifier()
    first.set_params(method__hops=7)
    assert first.method.hops == 7
    assert second.method == "auto"
    assert FewLabelClassifier().set_params(method__hops=1).method.hops == 1


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


def test_a_fitted_model_survives_a_copy(problem):
    X, y, _ = problem
    model = FewLabelClassifier().fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X[:5] + 0.01), model.predict(X[:5] + 0.01))


@pytest.mark.parametrize(
    ("fit", "sentence"),
    [
        (lambda X, y: FewLabelClassifier().fit(X, np.full(len(y), -1)), "no labels at all"),
        (lambda X, y: FewLabelClassifier(method="psn").fit(X, y), "choose one of auto, interface-laplace"),
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


def test_fit_predict_is_the_answer_for_every_row(problem):
    X, y, _ = problem
    np.testing.assert_array_equal(
        FewLabelClassifier("poisson").fit_predict(X, y), FewLabelClassifier("poisson").fit(X, y).transduction_
    )
    values = np.where(y >= 0, y.astype(float), np.nan)
    np.testing.assert_array_equal(
        FewLabelRegressor("laplace").fit_predict(X, values), FewLabelRegressor("laplace").fit(X, values).transduction_
    )


def test_random_state_decides_what_is_drawn_and_none_repeats(problem):
    X, y, _ = problem

    def told(state, **options):
        return FewLabelClassifier(random_state=state, **options).fit(X, y).label_distributions_

    np.testing.assert_array_equal(told(None), told(0))
    np.testing.assert_array_equal(told(3), told(3))
    assert (told(3) != told(0)).any()
    np.testing.assert_array_equal(told(np.random.RandomState(1)), told(np.random.RandomState(1)))
    assert (told(1, method="mbo") != told(2, method="mbo")).any()
    own, given = FewLabelClassifier(MBO(random_state=7)).fit(X, y), FewLabelClassifier("mbo", random_state=7).fit(X, y)
    np.testing.assert_array_equal(own.scores_, given.scores_)
    model = pickle.loads(pickle.dumps(FewLabelClassifier(random_state=3).fit(X, y)))
    assert model.graph_.random_state == 3


def test_n_jobs_changes_nothing_but_the_cores(problem, monkeypatch):
    X, y, _ = problem
    seen = []
    real = estimator_base.answer
    monkeypatch.setattr(estimator_base, "answer", lambda *a, **k: (seen.append(cores()), real(*a, **k))[1])
    one, all_of_them = (FewLabelClassifier(n_jobs=n).fit(X, y) for n in (1, -1))
    np.testing.assert_allclose(one.label_distributions_, all_of_them.label_distributions_)
    assert seen == [1, cores()]
    with pytest.raises(FewlabelsError, match="n_jobs=0"):
        FewLabelClassifier(n_jobs=0).fit(X, y)


def test_answers_of_graphs_that_are_not_factorised_are_those_of_any_number_of_cores(monkeypatch):
    pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    monkeypatch.setattr("fewlabels.threads._usable", lambda: 3)
    rng = np.random.default_rng(0)
    truth = rng.integers(9, size=3500)
    X = rng.normal(size=(9, 8))[truth] + rng.normal(size=(3500, 8))
    y = np.full(3500, -1)
    nodes = rng.choice(3500, 30, replace=False)
    y[nodes] = truth[nodes]
    one, three = (FewLabelClassifier(n_jobs=n).fit(X, y) for n in (1, 3))
    assert one.solves_[0].startswith("cg")
    np.testing.assert_allclose(one.label_distributions_, three.label_distributions_, atol=1e-6)


def test_frames_from_a_pipeline_that_is_asked_for_them_keep_their_names(problem):
    X, y, _ = problem
    frame = pd.DataFrame(X, columns=["x", "y"])
    pipe = make_pipeline(StandardScaler(), FewLabelClassifier("poisson")).set_output(transform="pandas")
    pipe.fit(frame, y)
    assert pipe[-1].feature_names_in_.tolist() == ["x", "y"]
    assert pipe.fit_predict(frame, y).shape == (160,)
    assert pipe.predict(frame[:3]).shape == (3,)
