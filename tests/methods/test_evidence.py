import numpy as np
import pytest
from gallery import ring_of_blobs, some_seeds

from fewlabels import Poisson, Seeds
from fewlabels.green import green, impulses
from fewlabels.methods.contenders import DAMPING, Problem, relabelled
from fewlabels.methods.evidence import Weigher
from fewlabels.systems import projections_of


class Told:
    """A contender that gives the same answer whatever the labels."""

    def __init__(self, name, codes, classes, by_features=False):
        self.name, self._rows, self.by_features = name, np.eye(classes)[codes], by_features

    def scores(self, problems):
        return [self._rows for _ in problems]


@pytest.fixture(name="given")
def _given():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    E = projections_of(graph).centre(impulses(graph, seeds.indices))
    return Problem(graph, seeds, green(graph, E, damping=DAMPING).value)


def test_labels_that_do_not_come_back_cost_weight(given):
    right = Poisson().scores(given.graph, given.seeds).argmax(axis=1)
    classes = given.seeds.targets.shape[1]
    weigher = Weigher(given)
    weigher.add(Told("right", right, classes))
    weigher.add(Told("wrong", (right + 1) % classes, classes))
    found = weigher.weighed()
    assert [each.name for each in found.chosen] == ["right", "wrong"]
    assert [each.returned for each in found.chosen] == [1.0, 0.0]
    assert [each.kept for each in found.chosen] == [1.0, 1.0]
    assert found.chosen[0].weight > 0.99
    assert sum(each.weight for each in found.chosen) == pytest.approx(1.0)
    np.testing.assert_array_equal(found.rows.argmax(axis=1), right)
    np.testing.assert_allclose(found.rows.sum(axis=1), 1.0)


def test_every_label_that_comes_back_counts_alike(given):
    """Labels that come as they come are a sample of all points: most of them are of the large classes."""
    graph, right = given.graph, Poisson().scores(given.graph, given.seeds).argmax(axis=1)
    classes = given.seeds.targets.shape[1]
    nodes = np.concatenate([np.flatnonzero(right == 0)[:8], np.flatnonzero(right == 1)[:2]])
    uneven = Problem(graph, relabelled(given.seeds, nodes, right[nodes]), given.columns[:, :0])
    weigher = Weigher(uneven)
    for name, lost in (("loses the small", 1), ("loses the large", 0)):
        weigher.add(Told(name, np.where(right == lost, 1 - lost, right), classes, by_features=True))
    first, second = weigher.weighed().chosen
    assert (first.name, second.name) == ("loses the small", "loses the large")
    assert (first.returned, second.returned) == (0.8, 0.2)


def test_an_answer_that_does_not_stay_costs_weight(given):
    classes = given.seeds.targets.shape[1]
    rng = np.random.default_rng(0)

    class Fickle:
        name, by_features = "fickle", False

        def scores(self, problems):
            found = [rng.random((given.graph.n_nodes, classes)) for _ in problems]
            for rows in found:
                rows[given.seeds.indices] = given.seeds.targets
            return found

    weigher = Weigher(given)
    weigher.add(Told("steady", Poisson().scores(given.graph, given.seeds).argmax(axis=1), classes))
    weigher.add(Fickle())
    first, second = weigher.weighed().chosen
    assert (first.name, second.name) == ("steady", "fickle")
    assert (first.returned, second.returned) == (1.0, 1.0)
    assert second.kept < 0.5 < first.kept
    assert "of labels returned" in str(second)


def test_what_cuts_more_than_the_others_is_left_out(given):
    right = Poisson().scores(given.graph, given.seeds).argmax(axis=1)
    classes = given.seeds.targets.shape[1]
    mixed = np.random.default_rng(0).permutation(right)
    for within, count in ((1.25, 1), (np.inf, 2)):
        weigher = Weigher(given)
        weigher.add(Told("right", right, classes))
        weigher.add_within(within, Told("mixed", mixed, classes))
        assert len(weigher.weighed().chosen) == count


def test_evenness_tells_how_equal_the_class_sizes_are(given):
    classes = given.seeds.targets.shape[1]
    weigher = Weigher(given)
    weigher.add(Told("one class", np.zeros(given.graph.n_nodes, dtype=int), classes))
    weigher.add(Told("even", np.arange(given.graph.n_nodes) % classes, classes))
    assert weigher.evenness == pytest.approx({"one class": 0.0, "even": 1.0}, abs=1e-3)


def test_what_is_in_favour_counts_more(given):
    right = Poisson().scores(given.graph, given.seeds).argmax(axis=1)
    classes = given.seeds.targets.shape[1]
    weigher = Weigher(given)
    for name in ("one", "other"):
        weigher.add(Told(name, right, classes))
    weight = {each.name: each.weight for each in weigher.weighed({"other": 3.0}).chosen}
    assert weight == pytest.approx({"one": 0.25, "other": 0.75})


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_kinds_that_disagree_count_by_their_weights(given, share):
    """One less four times the product of the weights, times the share of nodes on which they differ."""
    right = Poisson().scores(given.graph, given.seeds).argmax(axis=1)
    classes = given.seeds.targets.shape[1]
    free = np.setdiff1d(np.arange(right.size), given.seeds.indices)
    some = free[: round(share * free.size)]
    other = right.copy()
    other[some] = (other[some] + 1) % classes
    weigher = Weigher(given)
    weigher.add(Told("of the graph", right, classes))
    weigher.add(Told("of features", other, classes, by_features=True))
    found = weigher.weighed()
    one, two = (each.weight for each in found.chosen)
    assert found.redrawn.agreed == pytest.approx([1 - 4 * one * two * some.size / free.size])


def test_a_contender_counts_one_over_the_number_of_its_kind(given):
    right = Poisson().scores(given.graph, given.seeds).argmax(axis=1)
    classes = given.seeds.targets.shape[1]
    weigher = Weigher(given)
    for name in ("one", "two", "three"):
        weigher.add(Told(name, right, classes))
    weigher.add(Told("of features", right, classes, by_features=True))
    weight = {each.name: each.weight for each in weigher.weighed().chosen}
    assert weight == pytest.approx({"of features": 0.5, "one": 1 / 6, "two": 1 / 6, "three": 1 / 6})


@pytest.mark.parametrize(("per_class", "sure"), [(1, False), (2, None), (6, True)])
def test_classifiers_of_features_become_as_sure_as_they_are_stable_with_more_labels(per_class, sure):
    graph = ring_of_blobs()
    truth = Poisson().scores(graph, some_seeds(graph)).argmax(axis=1)
    nodes = np.concatenate([np.flatnonzero(truth == j)[:per_class] for j in range(truth.max() + 1)])
    seeds = Seeds.from_classes(nodes, truth[nodes])
    E = projections_of(graph).centre(impulses(graph, nodes))
    weigher = Weigher(Problem(graph, seeds, green(graph, E, damping=DAMPING).value))
    told = Told("features", truth, truth.max() + 1, by_features=True)
    told._rows = 0.3 * told._rows + 0.3 * np.random.default_rng(0).random(told._rows.shape)
    weigher.add(told)
    weigher.add(Told("graph", truth, truth.max() + 1))
    evidence = {each.name: each for each in weigher.weighed().chosen}
    before = weigher.rows(told._rows).max(axis=1).mean()
    after = weigher.rows(told._rows, evidence["features"].sharpness).max(axis=1).mean()
    assert evidence["graph"].sharpness == 1.0
    if sure is False:
        assert after == pytest.approx(before)
    elif sure is None:
        assert before + 0.01 < after < 0.99
    else:
        assert after == pytest.approx(1.0, abs=0.01)
