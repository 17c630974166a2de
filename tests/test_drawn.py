import numpy as np
import pytest
from gallery import disconnected, ring_of_blobs, some_seeds

from fewlabels import Poisson, Seeds
from fewlabels.drawn import MOST_DRAWS, Redrawn, drawn_again
from fewlabels.labels import draw


def seeds_of(drawn, place):
    each = drawn.draws[place]
    return Seeds.from_classes(each.nodes, each.codes, n_classes=drawn.classes.size, balanced=False)


@pytest.mark.parametrize("make", [ring_of_blobs, disconnected])
def test_scores_are_those_of_poisson_learning_from_the_drawn_labels(make):
    graph = make()
    seeds = some_seeds(graph)
    codes = Poisson().scores(graph, seeds).argmax(axis=1)
    drawn = drawn_again(graph, seeds, codes)
    assert 2 <= len(drawn.draws) <= MOST_DRAWS
    for place in range(len(drawn.draws)):
        fresh = seeds_of(drawn, place)
        wanted = Poisson(solver="direct")._spread(graph, fresh).scores
        found = drawn.scores(place, graph, seeds) / np.maximum(seeds.class_weights, 1e-9)
        reached = np.isin(graph.components, graph.components[fresh.indices])
        np.testing.assert_allclose(found[reached], wanted[reached], atol=2e-2 * np.abs(wanted).max())


def test_as_many_are_drawn_of_each_class_and_component_and_no_given_ones():
    graph = disconnected()
    seeds = some_seeds(graph)
    codes = Poisson().scores(graph, seeds).argmax(axis=1)
    codes[seeds.indices] = seeds.codes
    for each in drawn_again(graph, seeds, codes).draws:
        np.testing.assert_array_equal(codes[each.nodes], each.codes)
        groups = [
            sorted(zip(graph.components[nodes].tolist(), names.tolist(), strict=True))
            for nodes, names in ((each.nodes, each.codes), (seeds.indices, seeds.codes))
        ]
        assert groups[0] == groups[1]


def test_a_class_that_has_no_other_node_gives_its_own_label():
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([0, 50, 51], ["rare", "usual", "usual"])
    codes = np.ones(graph.n_nodes, dtype=np.int64)
    codes[0] = 0
    for each in drawn_again(graph, seeds, codes).draws:
        assert each.nodes[each.codes == 0].tolist() == [0]
        assert not set(each.nodes[each.codes == 1].tolist()) & {50, 51}


def test_after_one_more_label_most_stays_and_the_sums_are_those_of_a_fresh_start():
    graph = ring_of_blobs()
    truth = Poisson().scores(graph, some_seeds(graph)).argmax(axis=1)
    few = draw(truth, 2, random_state=0)
    first = drawn_again(graph, few, truth)
    free = np.setdiff1d(np.arange(graph.n_nodes), few.indices)[7]
    more = Seeds.from_classes([*few.indices, free], [*few.codes, truth[free]])
    again, fresh = drawn_again(graph, more, truth, first), drawn_again(graph, more, truth)
    for old, new, wanted in zip(first.draws, again.draws, fresh.draws, strict=True):
        assert len(set(new.nodes.tolist()) - set(old.nodes.tolist())) <= 2
        assert sorted(new.nodes.tolist()) == sorted(wanted.nodes.tolist())
        np.testing.assert_allclose(new.sums, wanted.sums, atol=3e-2 * np.abs(wanted.sums).max())


def test_a_new_class_between_the_old_ones_finds_its_column():
    graph = ring_of_blobs()
    truth = Poisson().scores(graph, some_seeds(graph)).argmax(axis=1)
    few = Seeds.from_classes([0, 60], ["a", "c"])
    codes = (truth > 1).astype(np.int64)
    first = drawn_again(graph, few, codes)
    more = Seeds.from_classes([0, 30, 60], ["a", "b", "c"])
    three = np.minimum(truth, 2)
    again, fresh = drawn_again(graph, more, three, first), drawn_again(graph, more, three)
    for new, wanted in zip(again.draws, fresh.draws, strict=True):
        np.testing.assert_allclose(new.sums, wanted.sums, atol=3e-2 * np.abs(wanted.sums).max())


@pytest.mark.parametrize(("classes", "times"), [(3, 5), (20, 2), (40, 2)])
def test_labels_of_many_classes_are_drawn_again_less_often(classes, times):
    graph = ring_of_blobs()
    seeds = Seeds.from_classes([0, 50, 90], [0, 1, 2], n_classes=classes)
    assert len(drawn_again(graph, seeds, np.arange(graph.n_nodes) % 3).draws) == times


def test_labels_that_most_draws_contradict_are_told_the_clearest_first():
    seeds = Seeds.from_classes([3, 1, 4], ["cat", "dog", "owl"])
    votes = [[0, 1, 0, 0, 2], [0, 0, 0, 1, 0], [0, 2, 0, 1, 0], [0, 1, 0, 1, 0]]
    redrawn = Redrawn((), tuple((0.25, np.array(vote)) for vote in votes), np.ones(1))
    nodes, instead = redrawn.against(seeds)
    assert (nodes.tolist(), instead.tolist()) == ([3, 4], [1, 0])
    even = Redrawn((), ((0.5, np.array(votes[0])), (0.5, np.array(votes[1]))), np.ones(1))
    assert even.against(seeds)[0].size == 0


def test_what_redrawn_labels_say_is_carried_over_to_other_classes_by_name():
    block, votes = np.log([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]), ((0.5, np.array([0, 2])), (0.5, np.array([1, 2])))
    found = Redrawn((block,), votes, np.ones(1)).for_classes(np.array(["a", "b", "c"]), np.array(["a", "b", "new"]))
    np.testing.assert_allclose(found.blocks[0][:, :2], block[:, :2])
    assert (found.blocks[0][:, 2] <= block.min()).all()
    assert [vote.tolist() for _, vote in found.votes] == [[0, 1], [1, 1]]
    assert [weight for weight, _ in found.votes] == [0.5, 0.5]
