import numpy as np
import pytest
from gallery import grid, path, ring_of_blobs

from fewlabels import FewlabelsError, Graph
from fewlabels.atlas import load_plane, plane_of, save_plane
from fewlabels.files import digest, load_arrays, save_arrays


@pytest.fixture
def saved(tmp_path):
    graph = ring_of_blobs()
    places = plane_of(graph)
    save_plane(tmp_path / "map.npz", graph, places)
    return tmp_path / "map.npz", graph, places


def test_a_map_comes_back_as_it_was(saved):
    file, graph, places = saved
    back = load_plane(file, Graph(graph.weights))
    np.testing.assert_array_equal(back, places)
    assert back.dtype == np.float32


@pytest.mark.parametrize("other", [path(160), grid(9)], ids=["as many nodes", "fewer nodes"])
def test_a_map_of_another_graph_is_refused(saved, other):
    with pytest.raises(FewlabelsError, match="of another graph"):
        load_plane(saved[0], other)


def test_one_other_weight_is_another_graph(saved):
    file, graph, _ = saved
    W = graph.weights.copy()
    i, j = 0, W.indices[0]
    W[i, j] = W[j, i] = 2 * W[i, j]
    with pytest.raises(FewlabelsError, match="of another graph"):
        load_plane(file, Graph.from_weights(W))


def test_a_truncated_file_is_refused(saved):
    file, graph, _ = saved
    file.write_bytes(file.read_bytes()[:-300])
    with pytest.raises(FewlabelsError, match="damaged"):
        load_plane(file, graph)


def test_an_altered_file_is_refused(saved):
    file, graph, _ = saved
    arrays = load_arrays(file, "a map")
    arrays["places"][0] = 0.5
    save_arrays(file, arrays)
    with pytest.raises(FewlabelsError, match="altered"):
        load_plane(file, graph)


def test_a_file_of_another_kind_is_refused(tmp_path):
    graph = path()
    graph.save(tmp_path / "graph.npz")
    with pytest.raises(FewlabelsError, match="not a map"):
        load_plane(tmp_path / "graph.npz", graph)
    with pytest.raises(FewlabelsError, match="no such file"):
        load_plane(tmp_path / "none.npz", graph)


def test_places_that_are_no_map_are_neither_written_nor_read(saved):
    file, graph, places = saved
    for wrong in (places[:-1], 2 * places, np.full_like(places, np.nan)):
        with pytest.raises(FewlabelsError, match=r"in \[-1, 1\]"):
            save_plane(file, graph, wrong)
    np.testing.assert_array_equal(load_plane(file, graph), places)
    arrays = load_arrays(file, "a map")
    arrays = {"places": 2 * arrays["places"], "graph": arrays["graph"]}
    save_arrays(file, {**arrays, "format": np.array("fewlabels map 1"), "sha256": np.array(digest(arrays))})
    with pytest.raises(FewlabelsError, match="no valid map"):
        load_plane(file, graph)
