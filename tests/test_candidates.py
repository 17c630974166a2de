import numpy as np
from gallery import ring_of_blobs

from fewlabels import Graph
from fewlabels.candidates import MOVED_ON, POOL, Candidates, candidates_of


def test_columns_are_greens_columns_and_are_solved_for_once(monkeypatch):
    graph = ring_of_blobs()
    candidates = Candidates(graph, 0)
    W = graph.weights.toarray()
    n, root = len(W), np.sqrt(W.sum(axis=1))
    H = np.linalg.pinv(np.eye(n) - W / np.outer(root, root), hermitian=True) / np.outer(root, root)
    nodes = np.array([3, 17, 40])
    wanted = ((np.eye(n) - 1 / n) @ H @ (np.eye(n) - 1 / n))[:, nodes]
    np.testing.assert_allclose(candidates.columns(nodes)[0].T, wanted, atol=3e-2 * np.abs(wanted).max())
    solved = []

    def noted(_, nodes):
        solved.append(nodes.tolist())
        return np.zeros((n, nodes.size))

    monkeypatch.setattr(Candidates, "_solved", noted)
    again, inner = candidates.columns(np.array([17, 5, 3]))
    np.testing.assert_allclose(inner, again @ again.T, rtol=1e-4, atol=1e-5 * np.abs(inner).max())
    assert solved == [[5]]
    np.testing.assert_allclose(again[[0, 2]].T, wanted[:, [1, 0]], atol=3e-2 * np.abs(wanted).max())


def test_typical_points_come_first_and_the_window_moves_on():
    graph = Graph.from_features(np.random.default_rng(0).normal(size=(2000, 5)))
    candidates = candidates_of(graph, 0)
    counts = graph.neighbor_counts[candidates.order]
    part = 2000 // POOL
    assert counts[:part].mean() > counts[part : 2 * part].mean() > counts[-part:].mean()
    assert sorted(candidates.order.tolist()) == list(range(2000))
    everything = np.ones(2000, dtype=bool)
    first, second = (candidates.window(everything, labels, 50) for labels in (10, 11))
    assert len(set(first.tolist()) & set(second.tolist())) == 50 - MOVED_ON
    some = everything.copy()
    some[first[:20]] = False
    assert not set(candidates.window(some, 10, 50).tolist()) & set(first[:20].tolist())
    assert candidates.window(some, 10**6, 5000).size == some.sum()
    assert candidates_of(graph, 0) is candidates
    assert candidates_of(graph, 1) is not candidates


def test_of_large_graphs_columns_are_held_at_a_random_part_of_the_nodes(monkeypatch):
    monkeypatch.setattr("fewlabels.candidates.MOST_ENTRIES", 400)
    graph = ring_of_blobs()
    candidates = Candidates(graph, 0)
    nodes = candidates.window(np.ones(graph.n_nodes, dtype=bool), 0, 5)
    (columns, _), rows = candidates.columns(nodes), candidates.rows(5)
    assert rows.size == 80 < graph.n_nodes
    assert columns.shape == (5, 80)
    assert set(nodes.tolist()) <= set(rows.tolist())
