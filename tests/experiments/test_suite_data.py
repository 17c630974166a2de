import threading

import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.datasets.suite import draw_as_they_come, suite_draw
from fewlabels.experiments import Store, suite_data
from fewlabels.experiments.suite_data import AS_THEY_COME, Shelf, checked_names, drawn, identified

pytestmark = pytest.mark.usefixtures("suite_folder")


@pytest.fixture(name="store")
def _store(tmp_path):
    return Store(tmp_path / "out" / "trials.jsonl")


def test_all_that_is_in_the_folder_is_meant_where_nothing_is_named(suite_folder):
    assert checked_names([]) == ["cells", "covtype", "covtype-all", "digits"]
    (suite_folder.parent / "mnist_knn.npz").touch()
    assert checked_names([])[-1] == "mnist"
    assert checked_names(["digits", "cells", "digits"]) == ["digits", "cells"]
    with pytest.raises(FewlabelsError, match=r"'iris' is not in .*which has cells, covtype"):
        checked_names(["cells", "iris"])


def test_a_large_set_is_cut_and_has_few_draws_and_one_of_all_rows(suite_folder, store):
    cut, whole, plain = identified(["covtype", "covtype-all", "cells"])
    assert [each.draws(range(20)) for each in (cut, whole, plain)] == [range(3), range(1), range(20)]
    shelf, X = Shelf(store), np.load(suite_folder / "covtype.npz")["X"]
    rows = np.sort(np.random.default_rng(0).permutation(90)[:60])
    np.testing.assert_array_equal(shelf.data(cut).features, X[rows])
    np.testing.assert_array_equal(shelf.data(whole).features, X)


def test_other_data_of_the_same_name_is_another_set(suite_folder):
    before = identified(["cells"])
    np.savez(suite_folder / "cells.npz", X=np.zeros((90, 3)), y=np.arange(90) % 3)
    assert identified(["cells"]) != before


def test_digits_have_the_neighbours_of_the_paper_and_a_name_of_their_own_in_the_store(store):
    (digits,) = identified(["digits"])
    data = Shelf(store).data(digits)
    assert data.features.shape == (1797, 64)
    assert data.checksum[:16] != digits.checksum, "else other draws of the paper's tables would count"
    assert not (store.path.parent / "neighbors").exists()


def test_draws_are_those_of_the_suite():
    y = np.arange(60) % 3
    np.testing.assert_array_equal(drawn(y, "2", 7), suite_draw(y, 2, 7))
    np.testing.assert_array_equal(drawn(y, AS_THEY_COME, 7), draw_as_they_come(y, 7))
    with pytest.raises(FewlabelsError, match="too few points for 21 labels"):
        drawn(y, "21", 0)


def test_neighbours_are_searched_once_and_kept_beside_the_store(store, monkeypatch):
    searched, real = [], suite_data.NeighborSearch
    monkeypatch.setattr(suite_data, "NeighborSearch", lambda X: (searched.append(len(X)), real(X))[1])
    cells, covtype = identified(["cells", "covtype"])
    shelf = Shelf(store)
    first = shelf.data(cells)
    assert shelf.data(cells) is first
    shelf.data(covtype)
    again = Shelf(Store(store.path)).data(cells)
    assert searched == [90, 60]
    np.testing.assert_array_equal(again.neighbors.indices, first.neighbors.indices)
    np.testing.assert_array_equal(again.neighbors.distances, first.neighbors.distances)


def test_a_process_waits_for_the_neighbours_that_another_searches(store, monkeypatch):
    monkeypatch.setattr(suite_data, "WAIT_SECONDS", 0.01)
    (cells,) = identified(["cells"])
    found = []
    with store.claim(f"neighbors of cells {cells.checksum}"):
        waiting = threading.Thread(target=lambda: found.append(Shelf(store).data(cells)))
        waiting.start()
        waiting.join(0.1)
        assert waiting.is_alive()
    waiting.join(10)
    assert found[0].neighbors.n_points == 90
