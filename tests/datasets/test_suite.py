import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.datasets.suite import draw_as_they_come, load_suite, suite_draw, suite_names


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    (tmp_path / "suite").mkdir()
    return tmp_path / "suite"


def test_sets_are_found_and_loaded_by_name(folder):
    X = np.arange(6, dtype=np.float32).reshape(3, 2)
    for name in ("b", "a"):
        np.savez(folder / f"{name}.npz", X=X, y=np.array([0, 1, 1], dtype=np.int16))
    assert suite_names() == ["a", "b"]
    features, y = load_suite("a")
    np.testing.assert_array_equal(features, X)
    assert y.tolist() == [0, 1, 1]


def test_what_is_no_set_is_refused(folder):
    with pytest.raises(FewlabelsError, match="holds no data"):
        suite_names()
    np.savez(folder / "c.npz", X=np.zeros((3, 2)), y=np.zeros(2))
    with pytest.raises(FewlabelsError, match="a class for each"):
        load_suite("c")


def test_draws_follow_the_rule_that_the_readme_of_the_suite_tells():
    y = np.random.default_rng(0).integers(3, size=60)
    rng = np.random.default_rng([4, 2])
    expected = np.concatenate([rng.choice(np.flatnonzero(y == c), 2, replace=False) for c in range(3)])
    np.testing.assert_array_equal(suite_draw(y, 2, t=4), expected)


def test_draws_as_they_come_follow_the_rule_of_the_readme_too():
    y = np.random.default_rng(0).integers(3, size=60)
    expected = np.random.default_rng([4, 0]).choice(60, 15, replace=False)
    np.testing.assert_array_equal(draw_as_they_come(y, t=4), expected)
