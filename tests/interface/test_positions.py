import numpy as np
import oracles
import pytest
from gallery import SEEDS, TRAIN, disconnected, grid

from fewlabels import FewlabelsError, InterfaceLaplace, Laplace, Poisson, Seeds
from fewlabels.interface import POSITIONS


def size_of_hops(graph):
    return InterfaceLaplace(hops=1).spread(graph, SEEDS).interface.size


def test_training_and_all_are_what_they_say(graph):
    assert InterfaceLaplace(positions="training").spread(graph, SEEDS).interface.tolist() == TRAIN.tolist()
    assert InterfaceLaplace(positions="all").spread(graph, SEEDS).interface.size == graph.n_nodes


def test_random_positions_have_the_size_of_the_hops_and_follow_the_seed(graph):
    spread = [InterfaceLaplace(hops=1, positions="random", random_state=t).spread(graph, SEEDS) for t in (0, 0, 1)]
    assert {s.interface.size for s in spread} == {size_of_hops(graph)}
    np.testing.assert_array_equal(spread[0].interface, spread[1].interface)
    assert (spread[0].interface != spread[2].interface).any()
    assert not np.isin(TRAIN, np.concatenate([s.interface for s in spread])).any()


@pytest.mark.parametrize(("name", "base"), [("laplace", Laplace()), ("poisson", Poisson())])
def test_base_positions_have_the_smallest_variance_of_their_scores(graph, name, base):
    found = InterfaceLaplace(hops=1, positions=name).spread(graph, SEEDS).interface
    scores = base.scores(graph, SEEDS)
    variance = (scores - scores.mean(axis=0)).var(axis=1)
    assert found.size == size_of_hops(graph)
    assert variance[found].max() <= np.delete(variance, found).min() + 1e-12


def test_geodesic_positions_are_the_farthest(graph):
    found = InterfaceLaplace(hops=1, positions="geodesic").spread(graph, SEEDS).interface
    distance = oracles.graph_distance(graph.lengths.toarray(), TRAIN).min(axis=1)
    assert found.size == size_of_hops(graph)
    assert distance[found].min() >= np.delete(distance, found).max()


def test_positions_beyond_every_label_are_refused():
    with pytest.raises(FewlabelsError, match="where no label reaches"):
        InterfaceLaplace(positions=[70]).scores(disconnected(), Seeds.from_classes([5, 15], [0, 1]))


def test_given_positions_replace_the_hops():
    graph = grid()
    seeds = Seeds.from_classes([0, 80], [0, 1])
    middle = np.arange(36, 45)
    found = InterfaceLaplace(positions=middle).spread(graph, seeds)
    np.testing.assert_array_equal(found.interface, middle)
    assert found.hops is None
    mask = np.isin(np.arange(81), middle)
    np.testing.assert_allclose(InterfaceLaplace(positions=mask).scores(graph, seeds), found.scores)
    assert np.flatnonzero(np.abs(found.term).sum(axis=1)).tolist() == middle.tolist()


@pytest.mark.parametrize("name", [name for name in POSITIONS if name != "auto"])
def test_a_named_position_is_the_same_with_and_without_room_for_a_table(graph, name, monkeypatch):
    expected = InterfaceLaplace(hops=1, positions=name).spread(graph, SEEDS)
    monkeypatch.setattr("fewlabels.methods.interface_laplace.TABLE_ENTRIES", 0)
    found = InterfaceLaplace(hops=1, positions=name).spread(graph, SEEDS)
    np.testing.assert_array_equal(found.interface, expected.interface)


def test_balls_are_refused_where_no_table_fits_and_auto_takes_the_hops(graph, monkeypatch):
    by_hops = InterfaceLaplace(positions="hops").spread(graph, SEEDS).interface
    monkeypatch.setattr("fewlabels.methods.interface_laplace.TABLE_ENTRIES", 0)
    np.testing.assert_array_equal(InterfaceLaplace().spread(graph, SEEDS).interface, by_hops)
    monkeypatch.setattr("fewlabels.green.MOST_ENTRIES", 0)
    with pytest.raises(FewlabelsError, match="need a table"):
        InterfaceLaplace(positions="balls").spread(graph, SEEDS)
