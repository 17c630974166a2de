import numpy as np
import pytest
from gallery import points

from fewlabels import FewlabelsError
from fewlabels.neighbors import Neighbors, find_neighbors


def test_the_common_file_loads_and_saves_with_self_first(tmp_path):
    found = find_neighbors(points(), 5)
    found.save(tmp_path / "knn.npz")
    with np.load(tmp_path / "knn.npz") as file:
        np.testing.assert_array_equal(file["J"][:, 0], np.arange(700))
        np.testing.assert_array_equal(file["D"][:, 0], 0)
        assert file["J"].shape == file["D"].shape == (700, 6)
    again = Neighbors.load(tmp_path / "knn.npz")
    np.testing.assert_array_equal(again.indices, found.indices)
    np.testing.assert_array_equal(again.distances, found.distances)


def test_self_is_dropped_wherever_duplicates_put_it(tmp_path):
    J = np.array([[0, 1, 2], [0, 1, 2], [0, 1, 3], [3, 2, 1]])
    D = np.array([[0.0, 0, 1], [0, 0, 1], [0, 0, 2], [0, 1, 2]])
    np.savez(tmp_path / "knn.npz", J=J, D=D)
    loaded = Neighbors.load(tmp_path / "knn.npz")
    assert loaded.indices.tolist() == [[1, 2], [0, 2], [0, 1], [2, 1]]
    assert loaded.distances.tolist() == [[0, 1], [0, 1], [0, 0], [1, 2]]


def test_a_file_without_the_arrays_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", A=np.zeros(3))
    with pytest.raises(FewlabelsError, match=r"holds \['A'\]; a neighbour file has arrays J and D"):
        Neighbors.load(tmp_path / "other.npz")


def test_tables_are_read_only(tmp_path):
    found = find_neighbors(points(), 5)
    found.save(tmp_path / "knn.npz")
    for table in (found, found.nearest(2), Neighbors.load(tmp_path / "knn.npz")):
        for array in (table.indices, table.distances):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 0
    assert np.shares_memory(found.nearest(2).indices, found.indices)


@pytest.mark.parametrize("hand_over", [np.asarray, lambda a: a[:, :1], lambda a: np.broadcast_to(a, a.shape)])
def test_arrays_of_the_caller_stay_theirs(hand_over):
    indices, distances = np.array([[1, 2], [0, 2], [1, 0]]), np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]])
    table = Neighbors(hand_over(indices), hand_over(distances))
    indices[0, 0], distances[0, 0] = 2, 0.5
    assert table.indices[0, 0] == 1
    assert table.distances[0, 0] == 1.0


def test_arrays_that_nobody_else_writes_to_are_not_copied():
    indices, distances = np.array([[1], [0]]), np.ones((2, 1))
    table = Neighbors.owning(indices, distances)
    assert table.indices is indices
    assert table.distances is distances
    assert Neighbors(indices, distances).indices is indices
    with pytest.raises(ValueError, match="read-only"):
        indices[0, 0] = 0
