from itertools import zip_longest

import pytest
from gallery import ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, Seeds
from fewlabels.methods.groups import in_blocks, spread_in_groups


@pytest.mark.parametrize("widths", [[], [3], [50], [10] * 9, [1, 39, 1, 40, 41, 2, 2], list(range(1, 30))])
def test_blocks_are_full_and_hold_every_problem_once_in_order(widths):
    blocks = [list(range(len(widths)))[block] for block in in_blocks(widths, 40)]
    assert [place for block in blocks for place in block] == list(range(len(widths)))
    for block, after in zip_longest(blocks, blocks[1:], fillvalue=()):
        total = sum(widths[place] for place in block)
        assert total <= 40 or len(block) == 1
        assert not after or total + widths[after[0]] > 40, "the next one would have fitted in"


def test_problems_go_in_groups_and_alone_where_a_table_has_no_room(monkeypatch):
    graph = ring_of_blobs()
    monkeypatch.setattr("fewlabels.methods.groups.TABLE_ENTRIES", 10 * graph.n_nodes)
    problems = [some_seeds(graph, per_class=each) for each in (1, 2, 4, 1, 1)]
    groups = []

    def grouped(_, group):
        groups.append([seeds.size for seeds in group])
        return [("grouped", seeds.size) for seeds in group]

    found = spread_in_groups(graph, problems, lambda _, seeds: ("alone", seeds.size), grouped)
    assert found == [("grouped", 3), ("grouped", 6), ("alone", 12), ("grouped", 3), ("grouped", 3)]
    assert groups == [[3, 6], [3, 3]]


def test_labels_beyond_the_graph_are_refused_before_anything_is_solved():
    graph = ring_of_blobs()
    problems = [some_seeds(graph), Seeds.from_classes([0, 999], [0, 1])]
    with pytest.raises(FewlabelsError, match="node 999 is labelled"):
        spread_in_groups(graph, problems, lambda *_: 1 / 0, lambda *_: 1 / 0)
