from gallery import grid

from fewlabels import Poisson, Seeds


def test_what_a_solver_prepares_is_kept_with_the_graph():
    graph = grid()
    Poisson().scores(graph, Seeds.from_classes([0, 80], [0, 1]))
    kept = sorted(graph.kept)
    assert "factorisation" in kept
    Poisson().scores(graph, Seeds.from_classes([1, 70], [0, 1]))
    assert sorted(graph.kept) == kept
