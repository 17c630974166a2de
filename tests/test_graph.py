import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from gallery import blob_points, path, ring_of_blobs

from fewlabels import FewlabelsError, Graph
from fewlabels.neighbors import Neighbors, find_neighbors


def test_lengths_are_the_distances_along_the_edges():
    X, _ = blob_points()
    X = np.vstack([X, X[:1]])
    graph = Graph.from_features(X, n_neighbors=6)
    edges = graph.weights.tocoo()
    expected = np.linalg.norm(X[edges.row] - X[edges.col], axis=1)
    np.testing.assert_allclose(graph.lengths.tocoo().data, expected, atol=1e-12)
    np.testing.assert_array_equal(graph.lengths.indices, graph.weights.indices)


def test_features_neighbours_and_weights_are_doors_to_one_graph():
    X, _ = blob_points()
    graph = Graph.from_features(X, n_neighbors=6)
    near = find_neighbors(X, 9)
    for other in (
        Graph.from_neighbors(near, n_neighbors=6),
        Graph.from_neighbors(near.indices[:, :6], near.distances[:, :6]),
        Graph.from_weights(graph.weights),
        Graph.from_weights(graph.weights.toarray()),
        Graph.from_weights(sp.coo_matrix(graph.weights)),
        Graph.from_weights(nx.from_scipy_sparse_array(sp.csr_array(graph.weights))),
    ):
        np.testing.assert_allclose(other.weights.toarray(), graph.weights.toarray(), atol=1e-12)


def test_networkx_nodes_keep_their_order():
    g = nx.Graph()
    g.add_edge("b", "a", weight=2.0)
    g.add_edge("a", "c")
    np.testing.assert_array_equal(Graph.from_weights(g).weights.toarray(), [[0, 2, 0], [2, 0, 1], [0, 1, 0]])


def test_self_loops_and_weightless_edges_are_dropped():
    W = np.array([[5.0, 1, 0], [1, 0, 1e-20], [0, 1e-20, 3]])
    graph = Graph.from_weights(W)
    assert (graph.n_edges, graph.n_components) == (1, 2)


def test_symmetrize_takes_the_mean():
    W = np.array([[0, 1.0], [0, 0]])
    assert Graph.from_weights(W, symmetrize=True).weights[0, 1] == 0.5


def test_the_graph_is_frozen():
    graph = path()
    for part in (graph.weights.data, graph.weights.indices, graph.weights.indptr):
        assert not part.flags.writeable
    W = sp.csr_array(path().weights.toarray())
    Graph.from_weights(W)
    W.data[:] = 7


def test_hops_count_edges_and_mark_what_no_path_reaches():
    W = np.zeros((6, 6))
    W[:4, :4] = path(4).weights.toarray()
    assert Graph.from_weights(W).hops_from(np.array([1])).tolist() == [1, 0, 1, 2, -1, -1]


def test_saved_graphs_come_back_whole(tmp_path):
    graph = ring_of_blobs()
    graph.save(tmp_path / "graph.npz")
    again = Graph.load(tmp_path / "graph.npz")
    assert (again.weights != graph.weights).nnz == 0
    assert (again.lengths != graph.lengths).nnz == 0
    Graph.from_weights(graph.weights).save(tmp_path / "graph.npz")
    assert Graph.load(tmp_path / "graph.npz").lengths is None
    assert [file.name for file in tmp_path.iterdir()] == ["graph.npz"]


def test_truncated_and_altered_files_are_refused(tmp_path):
    good = tmp_path / "graph.npz"
    ring_of_blobs().save(good)
    whole = good.read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.npz").write_bytes(whole[:length])
        with pytest.raises(FewlabelsError, match=r"cut\.npz"):
            Graph.load(tmp_path / "cut.npz")
    with np.load(good) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["data"] = arrays["data"] * 2
    np.savez(tmp_path / "altered.npz", **arrays)
    with pytest.raises(FewlabelsError, match="altered since it was saved"):
        Graph.load(tmp_path / "altered.npz")
    np.savez(tmp_path / "other.npz", A=np.zeros(2))
    with pytest.raises(FewlabelsError, match="not a graph written by"):
        Graph.load(tmp_path / "other.npz")
    np.savez(tmp_path / "pickled.npz", A=np.array([{}], dtype=object))
    with pytest.raises(FewlabelsError, match=r"pickled\.npz"):
        Graph.load(tmp_path / "pickled.npz")
    with pytest.raises(FewlabelsError, match="no such file"):
        Graph.load(tmp_path / "absent.npz")


def test_a_forged_file_is_refused(tmp_path):
    from fewlabels.files import digest
    from fewlabels.graph import FORMAT

    graph = path()
    good = {"data": graph.weights.data, "indices": graph.weights.indices, "indptr": graph.weights.indptr}
    for change in (
        {"indices": np.full_like(graph.weights.indices, 10**6)},
        {"data": np.full_like(graph.weights.data, np.nan)},
        {"data": np.arange(graph.weights.nnz, dtype=float)},
        {"shape": np.array(3)},
    ):
        arrays = {**good, "shape": np.array([12, 12]), **change}
        np.savez(tmp_path / "forged.npz", **arrays, format=np.array(FORMAT), sha256=np.array(digest(arrays)))
        with pytest.raises(FewlabelsError, match="holds no valid graph"):
            Graph.load(tmp_path / "forged.npz")


def test_every_flipped_byte_is_noticed_or_harmless(tmp_path):
    graph, name = path(), tmp_path / "graph.npz"
    graph.save(name)
    whole = bytearray(name.read_bytes())
    refused = 0
    for place in range(0, len(whole), 7):
        broken = bytearray(whole)
        broken[place] ^= 0xFF
        name.write_bytes(broken)
        try:
            again = Graph.load(name)
        except FewlabelsError:
            refused += 1
        else:
            assert (again.weights != graph.weights).nnz == 0
    assert refused > 50


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Graph.from_weights(np.zeros((2, 3))), "must be square"),
        (lambda: Graph.from_weights(np.zeros(3)), "must be square"),
        (lambda: Graph.from_weights(np.array([[0, 1], [0, 0]])), "symmetrize=True"),
        (lambda: Graph.from_weights(np.array([[0, -1], [-1, 0]])), "negative"),
        (lambda: Graph.from_weights(np.array([[0, np.nan], [np.nan, 0]])), "NaN or infinity"),
        (lambda: Graph.from_weights(np.array([[0, 1e-200], [1e-200, 0]])), "rescale"),
        (lambda: Graph.from_weights(np.array([["a", "b"], ["c", "d"]])), "must be numbers"),
        (lambda: Graph.from_weights(np.eye(2) * 1j), "complex"),
        (lambda: Graph.from_features(np.ones((4, 2)) * 1j), "not real numbers"),
        (lambda: Graph.from_features(np.ma.masked_equal(np.eye(3), 1)), "masked array"),
        (lambda: Graph.from_neighbors(np.array([[1], [0]])), "give distances"),
        (lambda: Graph.from_neighbors(np.array([[1], [9]]), np.ones((2, 1))), "neighbour index 9 in a table of 2"),
        (lambda: Graph.from_features(np.eye(3), weights="linear"), "choose one of gaussian, uniform"),
        (lambda: Graph.from_neighbors(Neighbors(np.array([[1], [0]]), np.ones((2, 1))), n_neighbors=3), "lists 1 per"),
    ],
)
def test_bad_input_gets_one_sentence(make, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        make()
