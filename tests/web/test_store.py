import numpy as np
import pytest
from gallery import blob_points

from fewlabels import Graph
from fewlabels.neighbors import find_neighbors
from fewlabels.web.store import Store


@pytest.fixture(name="near")
def _near():
    return find_neighbors(blob_points()[0], 5)


def test_what_is_kept_comes_back_for_the_same_data_alone(tmp_path, near):
    store, graph = Store(tmp_path / "labels.jsonl", "data 1"), Graph.from_neighbors(near)
    places = np.random.default_rng(0).uniform(-1, 1, size=(graph.n_nodes, 2)).astype(np.float32)
    assert (store.neighbors(), store.map(graph), store.asked(9)) == (None, None, [])
    store.keep_neighbors(near)
    store.keep_map(graph, places)
    store.keep_asked([3, 1, 8])
    assert np.array_equal(store.neighbors().indices, near.indices)
    assert np.array_equal(store.neighbors().distances, near.distances)
    assert np.array_equal(store.map(graph), places)
    assert store.asked(9) == [3, 1, 8]
    assert store.asked(8) == []
    other = Store(tmp_path / "labels.jsonl", "data 2")
    assert (other.neighbors(), other.asked(9)) == (None, [])
    assert other.map(Graph.from_neighbors(near, n_neighbors=3)) is None


def test_damaged_files_count_as_absent(tmp_path, near):
    store, graph = Store(tmp_path / "labels.jsonl", "data"), Graph.from_neighbors(near)
    store.keep_neighbors(near)
    store.keep_asked([1])
    store.keep_map(graph, np.zeros((graph.n_nodes, 2), dtype=np.float32))
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:100])
    assert (store.neighbors(), store.map(graph), store.asked(9)) == (None, None, [])


def test_nothing_is_kept_without_a_place_or_where_none_can_be_written(tmp_path, near):
    graph = Graph.from_neighbors(near)
    for store in (Store(None, "data"), Store(tmp_path / "none" / "labels.jsonl", "data")):
        store.keep_neighbors(near)
        store.keep_asked([1])
        store.keep_map(graph, np.zeros((graph.n_nodes, 2), dtype=np.float32))
        assert (store.neighbors(), store.map(graph), store.asked(9)) == (None, None, [])
    assert list(tmp_path.iterdir()) == []
