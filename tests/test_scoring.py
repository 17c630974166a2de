import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import cross_val_score

from fewlabels import FewLabelClassifier, FewLabelRegressor, FewlabelsError, on_labelled


def test_rows_without_a_label_do_not_count(problem):
    X, y, truth = problem
    model = FewLabelClassifier("poisson").fit(X, y)
    half = np.where(np.arange(truth.size) % 2 == 0, truth, -1)
    expected = np.mean(model.predict(X[::2]) == truth[::2])
    for data in (X, pd.DataFrame(X).rename(columns=str).to_numpy(), X.tolist()):
        assert on_labelled("accuracy")(model, data, half) == pytest.approx(expected)
    assert model.score(X, half) == pytest.approx(expected)
    balanced = balanced_accuracy_score(truth[::2], model.predict(X[::2]))
    assert on_labelled("balanced_accuracy")(model, X, half) == pytest.approx(balanced)
    names = np.where(half >= 0, np.array(["a", "b", "c", "d"], dtype=object)[half], None)
    named = FewLabelClassifier("poisson").fit(X, np.where(y >= 0, np.array(["a", "b", "c", "d"])[y], ""))
    assert on_labelled("accuracy")(named, X, names) == pytest.approx(expected)
    with pytest.raises(FewlabelsError, match="no labels to score against"):
        on_labelled()(model, X, np.full(truth.size, -1))


def test_values_that_are_missing_do_not_count():
    X = np.linspace(0, 1, 40)[:, None]
    y = np.where(np.arange(40) % 3 == 0, X.ravel(), np.nan)
    model = FewLabelRegressor("laplace", n_neighbors=4).fit(X, y)
    assert on_labelled("r2")(model, X, y) == pytest.approx(model.score(X, y))


def test_searches_take_it(problem):
    X, _, truth = problem
    half = np.where(np.arange(truth.size) % 2 == 0, truth, -1)
    found = cross_val_score(FewLabelClassifier("poisson"), X, half, scoring=on_labelled("accuracy"), cv=3)
    assert found.min() > 0.7
