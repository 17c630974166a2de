"""The same labels on a cluster as on one machine, in any number of blocks."""

import numpy as np
import pytest
from distributed_running import by_row, gathered, one_machine, run, weights_of

from fewlabels import Graph, Seeds
from fewlabels.distributed import label
from fewlabels.distributed.scratch import load
from fewlabels.errors import FewlabelsError
from fewlabels.methods import InterfaceLaplace


@pytest.mark.parametrize("blocks", [2, 5])
def test_blocks_hold_the_graph_of_one_machine_and_give_its_labels(client, blobs, tmp_path, blocks):
    X, y, rows = blobs
    seeds = Seeds.from_classes(rows, y[rows])
    found = run(client, tmp_path, X, seeds, blocks=blocks)
    graph, expected = one_machine(X, seeds)
    np.testing.assert_allclose(weights_of(found), graph.weights.toarray(), rtol=1e-12)
    assert found.graph.count == blocks
    assert found.pictured.n_edges == graph.n_edges
    codes = gathered(found, "codes")
    assert (codes == expected.labelled.codes).mean() >= 0.999
    scores = by_row(found, lambda block: found.scores.block(block)[2])
    assert np.linalg.norm(scores - expected.spread.scores) < 0.15 * np.linalg.norm(expected.spread.scores)
    assert found.residuals["columns"] <= 3e-3
    assert found.residuals["scores solve"] <= 0.15
    confidence = gathered(found, "confidence")
    assert np.abs(confidence - expected.labelled.confidence).mean() < 0.01
    assert (confidence[rows] == 1.0).all()
    assert gathered(found, "reached").all()


@pytest.mark.parametrize("method", ["poisson", "laplace"])
def test_other_methods_give_the_labels_of_one_machine(client, blobs, tmp_path, method):
    X, y, rows = blobs
    seeds = Seeds.from_classes(rows, y[rows])
    found = run(client, tmp_path, X, seeds, blocks=3, method=method)
    _, expected = one_machine(X, seeds, method)
    assert (gathered(found, "codes") == expected.labelled.codes).mean() >= 0.998


@pytest.mark.parametrize("hops", [-1, 0, 2])
def test_an_interface_beyond_hops_is_that_of_one_machine(client, blobs, tmp_path, hops):
    X, y, rows = blobs
    far = np.concatenate([X, X[:60] + 500.0])
    seeds = Seeds.from_classes(np.append(rows, y.size), np.append(y[rows], 1))
    found = run(client, tmp_path, far, seeds, blocks=3, hops=hops)
    graph = Graph.from_features(far)
    expected = InterfaceLaplace(hops).spread(graph, seeds)
    folder = next((tmp_path / "scratch").glob("interface-*"))
    interface = by_row(found, lambda block: load(folder / f"interface-{block}.npy"))
    np.testing.assert_array_equal(np.flatnonzero(interface), expected.interface)
    codes = by_row(found, lambda block: found.scores.block(block)[2]).argmax(axis=1)
    assert (codes == expected.scores.argmax(axis=1)).mean() >= 0.995


def test_class_sizes_are_kept_exactly(client, blobs, tmp_path):
    X, y, rows = blobs
    prior = np.array([0.1, 0.2, 0.2, 0.2, 0.3])
    seeds = Seeds.from_classes(rows, y[rows], class_prior=prior)
    found = run(client, tmp_path, X, seeds, blocks=3, keep_sizes=True)
    codes = gathered(found, "codes")
    np.testing.assert_array_equal(np.bincount(codes), prior * y.size)
    _, expected = one_machine(X, seeds, keep_sizes=True)
    assert (codes == expected.labelled.codes).mean() >= 0.99


def test_parts_without_labels_get_the_prior_and_classes_without_labels_nothing(client, blobs, tmp_path):
    X, y, _ = blobs
    far = np.concatenate([X, X[:200] + 500.0, X[:150] - 700.0])
    rows = np.concatenate([[np.flatnonzero(y == j)[0] for j in (0, 1, 2)], [y.size + 3]])
    seeds = Seeds.from_classes(rows, [0, 1, 2, 1], class_prior=[0.5, 0.3, 0.2])
    found = run(client, tmp_path, far, seeds, blocks=4)
    _, expected = one_machine(far, seeds)
    codes, confidence, reached = (gathered(found, name) for name in ("codes", "confidence", "reached"))
    np.testing.assert_array_equal(reached, expected.labelled.reached)
    assert found.unreached == (~reached).sum()
    assert not reached[-150:].any()
    np.testing.assert_array_equal(codes[-150:], 0)
    np.testing.assert_allclose(confidence[-150:], 0.5)
    beside = np.flatnonzero(reached[y.size : -150]) + y.size
    assert beside.size
    np.testing.assert_array_equal(codes[beside], 1)
    np.testing.assert_array_equal(codes[~reached], 0)
    assert (codes == expected.labelled.codes).mean() >= 0.998


def test_cells_find_what_the_approximate_search_of_one_machine_finds(client, blobs, tmp_path):
    X, y, rows = blobs
    seeds = Seeds.from_classes(rows, y[rows])
    found = run(client, tmp_path, X, seeds, blocks=3, search="approximate", recall=0.9)
    exact, _ = one_machine(X, seeds)
    edges, true = weights_of(found) > 0, exact.weights.toarray() > 0
    assert 0.9 <= found.recall < 1.0
    assert (edges & true).sum() / true.sum() > 0.88


@pytest.mark.parametrize("search", ["exact", "approximate"])
def test_repeated_rows_do_not_fall_apart_into_copies(client, tmp_path, search):
    rng = np.random.default_rng(0)
    X = np.concatenate([np.repeat(rng.normal(size=(20, 4)), 30, axis=0), rng.normal(size=(600, 4))]).astype(np.float32)
    seeds = Seeds.from_classes([0, 700], ["a", "b"])
    found = run(client, tmp_path, X, seeds, blocks=2, search=search)
    assert gathered(found, "reached").mean() > 0.95


def test_a_dask_array_is_labelled_and_the_answer_is_one(client, blobs, tmp_path):
    import dask.array as da

    X, y, rows = blobs
    seeds = Seeds.from_classes(rows, np.array(list("abcde"))[y[rows]])
    answer = label(client, da.from_array(X, chunks=(500, 6)), seeds, n_neighbors=8, scratch=tmp_path, blocks=2)
    codes = client.compute(answer.codes).result()
    assert answer.codes.shape == answer.confidence.shape == (y.size,)
    assert (codes == y).mean() > 0.9
    assert answer.classes[codes[rows]].tolist() == list(np.array(list("abcde"))[y[rows]])
    with pytest.raises(FewlabelsError, match="positions= is not offered on a cluster"):
        label(client, da.from_array(X), seeds, positions="training")
    made = sum(told.made for told in answer.told)
    again = label(client, da.from_array(X, chunks=(500, 6)), seeds, n_neighbors=8, scratch=tmp_path, blocks=2)
    assert made > 0
    assert sum(told.made for told in again.told) == 0


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "mbo"}, "not offered on a cluster"),
        ({"search": "nothing"}, "not known"),
        ({"metric": "nothing"}, "not known"),
        ({"blocks": 0}, "at least one"),
        ({"hops": "many"}, "whole number"),
        ({"hops": 50}, "leaves no interface"),
        ({"hops": 2, "method": "poisson"}, "hops are for interface-laplace"),
        ({"n_neighbors": 0}, "at least one neighbour"),
    ],
)
def test_what_is_not_offered_is_refused(client, blobs, tmp_path, settings, said):
    X, y, rows = blobs
    with pytest.raises(FewlabelsError, match=said):
        run(client, tmp_path, X, Seeds.from_classes(rows, y[rows]), **{"blocks": 2, **settings})


def test_values_and_rows_that_are_not_there_are_refused(client, blobs, tmp_path):
    X, y, rows = blobs
    with pytest.raises(FewlabelsError, match="regression"):
        run(client, tmp_path, X, Seeds.from_values(rows, y[rows]), blocks=2)
    with pytest.raises(FewlabelsError, match="node 5000"):
        run(client, tmp_path, X, Seeds.from_classes([0, 5000], [0, 1]), blocks=2)
