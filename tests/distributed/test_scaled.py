"""The scaled system of a block against the formula, compiled and plain."""

import numpy as np
import pytest
from distributed_running import run, weights_of

from fewlabels import Seeds
from fewlabels.distributed import scaled
from fewlabels.distributed.scaled import ScaledBlock
from fewlabels.distributed.scratch import load


@pytest.fixture(scope="module")
def found(client, blobs, tmp_path_factory):
    X, y, rows = blobs
    return run(client, tmp_path_factory.mktemp("scaled"), X, Seeds.from_classes(rows, y[rows]), blocks=3)


@pytest.fixture(params=[True, False], ids=["compiled", "plain"])
def _compiled(request, monkeypatch):
    if request.param:
        pytest.importorskip("numba")
    monkeypatch.setattr(scaled, "kernels_at_hand", lambda: request.param)


@pytest.mark.usefixtures("_compiled")
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_step_of_a_block_is_that_of_the_formula(found, place):
    graph, rng = found.graph, np.random.default_rng(place)
    order = np.concatenate([load(found.blocks.folder / f"rows-{b}.npy") for b in range(graph.count)])
    W = weights_of(found)[np.ix_(order, order)]
    d = W.sum(axis=1)
    A = np.eye(d.size) - W / np.sqrt(d[:, None] * d)
    block = ScaledBlock.read(graph, place, np.dtype(np.float64))
    nodes = np.concatenate([graph.starts[place] + block.order, load(graph.rows / f"halo-{place}.npy")])
    n = block.size
    R, AP, V_all = rng.normal(size=(3, d.size, 4))
    V, slopes = np.empty((n, 4)), np.zeros(4)
    inner = block.product(R[nodes], V, slopes)
    np.testing.assert_allclose(V, (A @ R)[nodes[:n]], atol=1e-12)
    np.testing.assert_allclose(slopes, (R[nodes[:n]] * V).sum(axis=0))
    root = np.sqrt(d / found.pictured.typical_degree)
    group = np.empty(d.size, dtype=np.int64)
    for each in range(graph.count):
        own = load(graph.around / f"aggregate-{each}.npy")[: graph.size(each)]
        group[graph.starts[each] : graph.starts[each + 1]] = own
    Z = root[:, None] * np.eye(graph.aggregates[-1])[group]
    mine = slice(*graph.aggregates[place : place + 2])
    np.testing.assert_allclose(inner, (Z[nodes[:n]].T @ V)[mine], atol=1e-12)

    lift, drop = rng.normal(size=(2, graph.aggregates[-1], 4))
    length, share = rng.normal(size=(2, 4))
    X, P = rng.normal(size=(2, n, 4))
    expected_AP = V_all + A @ Z @ lift + share * AP
    expected_P = R[nodes[:n]] + (Z @ lift)[nodes[:n]] + share * P
    expected_X, expected_R = X + length * expected_P, R - length * expected_AP - Z @ drop
    blocks = (X, R[nodes], P, AP[nodes])
    parts, squares = (V_all[nodes[:n]], V_all[nodes[n:]]), np.zeros(4)
    outer = block.move((length, share), lift[block.known], drop[block.known], parts, blocks, squares)
    for value, expected in zip(blocks, (expected_X, expected_R[nodes], expected_P, expected_AP[nodes]), strict=True):
        np.testing.assert_allclose(value, expected, atol=1e-11)
    np.testing.assert_allclose(outer, (Z[nodes[:n]].T @ expected_R[nodes[:n]])[mine], atol=1e-11)
    np.testing.assert_allclose(squares, (expected_R[nodes[:n]] ** 2).sum(axis=0))
