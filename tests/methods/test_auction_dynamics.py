import numpy as np
import pytest
from gallery import ring_of_blobs, some_seeds
from oracles import one_hot
from scipy.optimize import linprog

from fewlabels import AuctionDynamics, FewlabelsError, NearestNeighbor
from fewlabels.methods.auction_dynamics import auctioned
from fewlabels.volumes import class_sizes


def best_total(bids, lower, upper):
    """Return the largest total bid of any labels that keep to the bounds: the assignment as a linear programme."""
    n, c = bids.shape
    rows = np.kron(np.eye(n), np.ones(c))
    columns = np.kron(np.ones(n), np.eye(c))
    bounds = np.vstack([columns, -columns]), np.concatenate([upper, -lower])
    return -linprog(-bids.ravel(), A_ub=bounds[0], b_ub=bounds[1], A_eq=rows, b_eq=np.ones(n)).fun


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("lower", "upper"), [([20, 15, 5], [20, 15, 5]), ([18, 10, 0], [40, 14, 10]), ([0] * 3, [40] * 3)]
)
def test_an_auction_finds_the_best_labels_within_the_bounds(seed, lower, upper):
    bids = np.random.default_rng(seed).normal(size=(40, 3))
    lower, upper = np.array(lower), np.array(upper)
    offsets = auctioned(bids, lower, upper)
    labels = (bids + offsets).argmax(axis=1)
    sizes = np.bincount(labels, minlength=3)
    assert ((lower <= sizes) & (sizes <= upper)).all()
    assert (offsets[(sizes > lower) & (sizes < upper)] == 0).all(), "neither price nor incentive inside the bounds"
    np.testing.assert_allclose(bids[np.arange(40), labels].sum(), best_total(bids, lower, upper), atol=1e-6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("lower", "upper"), [([20, 15, 5, 0], [20, 15, 5, 0]), ([18, 10, 0, 0], [40, 14, 10, 40])])
def test_compiled_passes_find_the_offsets_of_the_table(seed, lower, upper, monkeypatch):
    pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    bids = np.random.default_rng(seed).normal(size=(40, 4)).round(1)
    expected = auctioned(bids, np.array(lower), np.array(upper))
    monkeypatch.setattr("fewlabels.methods.auction_dynamics.kernels_pay", lambda n: True)
    np.testing.assert_array_equal(auctioned(bids, np.array(lower), np.array(upper)), expected)


def test_a_class_without_room_is_never_chosen():
    bids = np.array([[0.0, 5.0], [0.0, 6.0]])
    assert (bids + auctioned(bids, np.array([0, 0]), np.array([2, 0]))).argmax(axis=1).tolist() == [0, 0]


def test_a_start_changes_nothing():
    bids = np.random.default_rng(0).normal(size=(60, 3))
    bounds = np.array([10, 10, 10]), np.array([25, 20, 40])
    start = auctioned(bids + 0.3, np.array([5, 30, 5]), np.array([60, 60, 60]))
    labels = [(bids + auctioned(bids, *bounds, begun)).argmax(axis=1) for begun in (None, start)]
    np.testing.assert_array_equal(*labels)


def test_a_round_diffuses_the_classes_of_the_nearest_labels():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    start = NearestNeighbor().scores(graph, seeds)
    sizes = class_sizes(seeds.prior, graph.n_nodes)
    codes = (start + auctioned(start, sizes, sizes)).argmax(axis=1)
    codes[seeds.indices] = seeds.codes
    W = graph.weights.toarray()
    walk = (W / W.sum(axis=1, keepdims=True) + 0.15 * np.eye(len(W))) / 1.15
    u = np.linalg.matrix_power(walk, 4) @ one_hot(codes, 3)
    others = np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)
    shift = (AuctionDynamics(0.0, rounds=1, steps=4, temperature=0.0).scores(graph, seeds) - u)[others]
    np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=1e-5)


@pytest.mark.parametrize("slack", [0.0, 0.2])
def test_classes_keep_to_their_bounds(slack):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    sizes = class_sizes(seeds.prior, graph.n_nodes)
    have = np.bincount(AuctionDynamics(slack).scores(graph, seeds).argmax(axis=1), minlength=sizes.size)
    assert (np.abs(have - sizes) <= slack * sizes + seeds.size + 1).all(), "labels are held beyond the bounds"


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (AuctionDynamics(-0.1), "slack=-0.1 must be a number of at least 0 and at most 1"),
        (AuctionDynamics(temperature=-1), "temperature=-1 must be a number of at least 0"),
        (AuctionDynamics(steps=0), "steps=0 must be a whole number"),
    ],
    ids=str,
)
def test_bad_parameters_get_one_sentence(method, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        method.scores(ring_of_blobs(), some_seeds(ring_of_blobs()))
