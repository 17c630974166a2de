import numpy as np
import pytest
from gallery import ring_of_blobs, some_seeds

from fewlabels import Poisson
from fewlabels.green import green, impulses
from fewlabels.methods.contenders import DAMPING, Problem
from fewlabels.methods.evidence import Weigher
from fewlabels.systems import projections_of


class Told:
    """A contender that gives the same answer whatever the labels."""

    def __init__(self, name, codes, classes):
        self.name, self._rows = name, np.eye(classes)[codes]

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


def test_an_answer_that_does_not_stay_costs_weight(given):
    classes = given.seeds.targets.shape[1]
    rng = np.random.default_rng(0)

    class Fickle:
        name = "fickle"

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
    for within, count in ((1.25, 1), (None, 2)):
        weigher = Weigher(given)
        weigher.add(Told("right", right, classes))
        weigher.add(Told("mixed", mixed, classes), within=within)
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
