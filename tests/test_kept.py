"""What is kept: listed, typed, bounded, made once, and read-only."""

import pickle
import re
import threading
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points, ring_of_blobs, some_seeds

from fewlabels import FewLabelClassifier, FewLabelRegressor, Graph, InterfaceLaplace, Laplace, Seeds
from fewlabels.answer import answer
from fewlabels.kept import KINDS, Kept, Key
from fewlabels.methods import METHODS
from fewlabels.neighbors import NeighborSearch
from fewlabels.reach import reach_of
from fewlabels.solvers import CG, Multigrid, solve
from fewlabels.systems import laplacian_of, projections_of

SOURCE = Path(__file__).resolve().parents[1] / "src" / "fewlabels"
WITHOUT_FEATURES = [name for name in METHODS if name != "interface-laplace-network"]


def digits(labels=1):
    from sklearn.datasets import load_digits

    X, truth = load_digits(return_X_y=True)
    y = np.full(truth.size, -1)
    for j in range(10):
        y[np.flatnonzero(truth == j)[:labels]] = j
    return X, y, truth


def test_every_key_is_listed_and_every_kind_has_a_key():
    named = [name for path in SOURCE.rglob("*.py") for name in re.findall(r'Key\[.+\]\("([^"]+)"\)', path.read_text())]
    named.remove("colours")  # the example in the docstring of Key
    assert sorted(named) == sorted(KINDS)
    with pytest.raises(KeyError, match="not listed in KINDS"):
        Key[int]("something else")


def test_nothing_is_remembered_in_another_way():
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        assert "memo[" not in text, path
        assert path.name == "kept.py" or "._values" not in text or "self._values" in text, path


def test_whatever_runs_on_a_graph_keeps_listed_kinds_within_their_bounds(monkeypatch):
    X, truth = blob_points()
    graph = Graph.from_features(X, n_neighbors=8)
    for n_compiled in (10**9, 1):
        monkeypatch.setattr("fewlabels.compiled.PAY_FROM", n_compiled)
        for name in WITHOUT_FEATURES:
            for t in range(3):
                nodes = np.array([np.flatnonzero(truth == j)[t] for j in np.unique(truth)])
                METHODS[name]().spread_many(graph, [Seeds.from_classes(nodes, truth[nodes])])
        for solver in (CG(1e-3), CG(1e-6), Multigrid(1e-3), Multigrid(1e-6)):
            solve(laplacian_of(graph), np.eye(graph.n_nodes)[:, :2], solver)
    kept = list(graph.kept)
    assert all(kept.count(name) <= KINDS[name].most for name in kept)
    assert set(kept) >= {
        "aggregates",
        "compiled",
        "coarse inverse",
        "multigrid",
        "sweep order",
        "colours",
        "random walk",
    }


def test_the_oldest_goes_first_and_nothing_grows_beyond_its_bound():
    kept, key = Kept(), Key[float]("spectral gap")
    for value in range(3):
        assert kept.get(key, lambda value=value: float(value), value) == value
    assert list(kept) == ["spectral gap"] * 2
    assert kept.get(key, lambda: 9.0, 1) == 1.0
    assert kept.get(key, lambda: 9.0, 0) == 9.0
    columns, most = Key[np.ndarray]("green columns"), KINDS["green columns"].most_bytes
    for place in range(5):
        kept.get(columns, lambda: np.zeros(most // 16), place)
    assert list(kept).count("green columns") == 2
    kept.get(columns, lambda: np.zeros(most // 8 + 1), "too large")
    assert list(kept).count("green columns") == 0


def test_several_threads_make_a_thing_once():
    kept, made = Kept(), []
    threads = [
        threading.Thread(target=lambda: kept.get(Key[int]("colours"), lambda: made.append(1) or 7)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_what_is_kept_is_not_pickled_and_comes_back_read_only():
    graph = ring_of_blobs()
    Laplace().scores(graph, some_seeds(graph))
    assert list(graph.kept)
    again = pickle.loads(pickle.dumps(graph))
    assert list(again.kept) == []
    assert (again.weights != graph.weights).nnz == 0
    with pytest.raises(ValueError, match="read-only"):
        again.weights.data[:] = 0


def test_a_fit_with_suggestions_and_added_labels_prepares_each_factorisation_once(monkeypatch):
    made = []
    from fewlabels.solvers import direct

    plain = direct.sparse_lu
    monkeypatch.setattr(direct, "sparse_lu", lambda matrix: (made.append("lu"), plain(matrix))[1])
    X, y, truth = digits()
    model = FewLabelClassifier().fit(X, y)
    for _ in range(6):
        rows = model.suggest(3)
        model.add_labels(rows, truth[rows])
    assert made == ["lu"]


@pytest.mark.parametrize("way", ["compiled", "plain", "multigrid"])
def test_iterative_solvers_prepare_once_too(way, monkeypatch):
    made = []
    monkeypatch.setattr("fewlabels.solvers.auto.SMALL_GRAPH", 0)
    monkeypatch.setattr("fewlabels.compiled.PAY_FROM", 1 if way == "compiled" else 10**9)
    if way == "compiled":
        pytest.importorskip("numba")
    name = {
        "compiled": "fewlabels.solvers.fused.FusedSystem.__init__",
        "plain": "fewlabels.solvers.cg._CoarseCorrection.__init__",
        "multigrid": "fewlabels.solvers.multigrid._VCycle.__init__",
    }[way]
    module, owner, _ = name.rsplit(".", 2)
    kind = getattr(__import__(module, fromlist=[owner]), owner)
    begin = kind.__init__
    monkeypatch.setattr(kind, "__init__", lambda self, system: (made.append(way), begin(self, system))[1])
    X, y, truth = digits()
    method = InterfaceLaplace(solver="multigrid") if way == "multigrid" else InterfaceLaplace()
    model = FewLabelClassifier(method).fit(X, y)
    for _ in range(6):
        rows = model.suggest(3)
        model.add_labels(rows, truth[rows])
    assert made == [way]


def arrays_of(thing, seen):
    """Yield every array that a result hands out, however deep."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        yield thing
    elif sp.issparse(thing):
        yield from (thing.data, thing.indices, thing.indptr)
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            yield from arrays_of(part, seen)
    elif isinstance(thing, Graph):
        for name in ("weights", "lengths", "degrees", "components", "neighbor_counts"):
            yield from arrays_of(getattr(thing, name), seen)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from arrays_of(getattr(thing, field.name), seen)
        for name in ("labelled", "reached", "confidence"):
            if isinstance(getattr(type(thing), name, None), property) and getattr(thing, "decision", thing) is not None:
                yield from arrays_of(getattr(thing, name), seen)


def refuses_writing(thing):
    arrays = [array for array in arrays_of(thing, set()) if array.size]
    assert arrays
    for array in arrays:
        if array.dtype != object or array.flags.writeable:
            with pytest.raises(ValueError, match="read-only"):
                array[...] = array.flat[0]


@pytest.mark.parametrize("name", WITHOUT_FEATURES)
def test_nothing_that_a_method_hands_out_can_be_written_to(name):
    graph = ring_of_blobs()
    seeds = [some_seeds(graph, seed=t) for t in range(2)]
    method = METHODS[name]()
    refuses_writing(answer(graph, seeds[0], method))
    refuses_writing(list(method.spread_many(graph, seeds)))
    refuses_writing(method.spread_again(graph, seeds[1], method.spread(graph, seeds[0]), seeds[0]))


def test_nothing_that_a_graph_or_an_estimator_hands_out_can_be_written_to():
    X, truth = blob_points()
    near = NeighborSearch(X).among_themselves(5)
    graph = Graph.from_neighbors(near)
    refuses_writing(near)
    refuses_writing(graph)
    refuses_writing(reach_of(graph, Seeds.from_classes([0], ["a"])))
    refuses_writing([projections_of(graph).sizes, projections_of(graph).volumes])
    refuses_writing(laplacian_of(graph).inverse_diagonal)
    y = np.where(np.arange(truth.size) % 10 == 0, truth, -1)
    model = FewLabelClassifier().fit(X, y)
    named = ("transduction_", "label_distributions_", "scores_", "reached_", "classes_")
    refuses_writing([getattr(model, name) for name in named])
    refuses_writing(model.add_labels([1], [truth[1]]).label_distributions_)
    values = FewLabelRegressor().fit(X, np.where(y < 0, np.nan, y))
    refuses_writing([values.transduction_, values.reached_])


def test_what_comes_back_from_a_pickle_cannot_be_written_to_either():
    X, truth = blob_points()
    y = np.where(np.arange(truth.size) % 10 == 0, truth, -1)
    model = pickle.loads(pickle.dumps(FewLabelClassifier().fit(X, y)))
    refuses_writing(model._answer)
    refuses_writing([model.transduction_, model.label_distributions_, model.scores_])
    refuses_writing(pickle.loads(pickle.dumps(NeighborSearch(X).among_themselves(5))))


def test_columns_that_are_shared_survive_whoever_got_them():
    graph = ring_of_blobs()
    problems = [some_seeds(graph, seed=t) for t in range(2)]
    expected = [spread.scores.copy() for spread in Laplace().spread_many(graph, problems)]
    for spread in METHODS["interface-laplace"]().spread_many(graph, problems):
        with pytest.raises(ValueError, match="read-only"):
            spread.columns[:] = 0
    for spread, scores in zip(Laplace().spread_many(graph, problems), expected, strict=True):
        np.testing.assert_array_equal(spread.scores, scores)


def test_what_is_forgotten_is_made_again_and_nothing_else_is():
    kept = Kept()
    assert (kept.get(Key[int]("fill"), lambda: 1), kept.get(Key[int]("shape"), lambda: 2)) == (1, 2)
    kept.forget(Key[int]("fill"))
    kept.forget(Key[int]("colours"))
    assert (kept.get(Key[int]("fill"), lambda: 3), kept.get(Key[int]("shape"), lambda: 4)) == (3, 2)
