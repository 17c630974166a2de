import numpy as np
import pytest
import scipy.sparse as sp

from fewlabels import FewLabelClassifier, FewlabelsError, Graph, Laplace, Predictor, Seeds
from fewlabels.answer import answer
from fewlabels.neighbors import NeighborSearch


@pytest.fixture(name="made")
def _made(problem):
    X, y, _ = problem

    def make(X=X, metric="euclidean", classes=None, names=()):
        labels = y[y >= 0] if classes is None else np.array(classes)[y[y >= 0]]
        search = NeighborSearch(X, metric=metric)
        graph = Graph.from_neighbors(search.among_themselves(10))
        found = answer(graph, Seeds.from_classes(np.flatnonzero(y >= 0), labels, balanced=True), Laplace())
        return Predictor.after(found, search, 10, "gaussian", names)

    return make


def test_a_new_point_takes_the_average_of_its_neighbours_by_weight(made, problem):
    X, y, _ = problem
    new = X[::9] + 0.03
    model = FewLabelClassifier("laplace").fit(X, y)
    found = made()
    np.testing.assert_allclose(found.predict_proba(new), model.predict_proba(new))
    distances = np.linalg.norm(new[:, None] - X, axis=2)
    near = np.argsort(distances, axis=1)[:, :10]
    d = np.take_along_axis(distances, near, axis=1)
    weights = np.exp(-4 * d**2 / d[:, -1:] ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    averaged = np.einsum("ij,ijk->ik", weights, found.scores[near])
    assert (found.predict(new) == found.classes[averaged.argmax(axis=1)]).all()


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, np.float32])
@pytest.mark.parametrize("classes", [["ä", "b", "c", "d"], [7, 8, 9, 10], [0.5, 1.5, 2.5, 3.5]])
def test_what_is_saved_and_read_again_answers_the_same(made, problem, tmp_path, metric, form, classes):
    X = problem[0] + 3.0
    model = made(form(X), metric, classes, ["x", "y"])
    model.save(tmp_path / "model.npz")
    again = Predictor.load(tmp_path / "model.npz")
    new = X[:30] * 1.01
    for one, other in zip(model.answered(new), again.answered(new), strict=True):
        np.testing.assert_array_equal(one, other)
    assert again.names == ("x", "y")
    assert again.classes.dtype == model.classes.dtype
    assert not again.probabilities.flags.writeable


def altered(path, **changes):
    """Change arrays of a saved model and make its checksum fit again."""
    from fewlabels.files import digest

    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files if name not in ("sha256", "format")}
    arrays |= changes
    np.savez(path, **arrays, format=np.array("fewlabels model 1"), sha256=np.array(digest(arrays)))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reached": np.zeros(3, dtype=bool)}, "reached of shape"),
        ({"settings": np.array(["10", "gaussian"])}, "holds no valid model"),
        ({"settings": np.array(["10", "gaussian", "l9", "auto"])}, "holds no valid model"),
        ({"X": np.full((160, 2), np.nan)}, "holds no valid model"),
        ({"settings": np.array(["ten", "gaussian", "cosine", "auto"])}, "holds no valid model"),
    ],
)
def test_a_model_that_does_not_hold_together_is_refused(made, tmp_path, changes, said):
    path = tmp_path / "model.npz"
    made().save(path)
    altered(path, **changes)
    with pytest.raises(FewlabelsError, match=said):
        Predictor.load(path)


def test_a_model_that_was_altered_is_refused(made, tmp_path):
    path = tmp_path / "model.npz"
    made().save(path)
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    np.savez(path, **arrays | {"prior": np.array([0.7, 0.1, 0.1, 0.1])})
    with pytest.raises(FewlabelsError, match="altered since it was saved"):
        Predictor.load(path)


def test_one_class_tells_nothing_apart_later_either(problem):
    X = problem[0]
    search = NeighborSearch(X)
    graph = Graph.from_neighbors(search.among_themselves(10))
    found = answer(graph, Seeds.from_classes([3], ["only"]), Laplace())
    labels, confidence, _ = Predictor.after(found, search, 10, "gaussian").labelled(X[:4] + 0.01)
    assert set(labels) == {"only"}
    assert set(confidence) == {0.5}
