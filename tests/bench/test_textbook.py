"""What is compared for speed must give the same labels; time itself is not tested."""

import numpy as np
from gallery import blob_points

from fewlabels import Graph, InterfaceLaplace, Seeds
from fewlabels.bench.textbook import textbook_labels
from fewlabels.solvers import CG, SMOOTH_TOL, USUAL_TOL


def test_the_textbook_gives_the_same_labels():
    X, truth = blob_points(noise=0.4, size=80)
    graph = Graph.from_features(X, n_neighbors=8)
    seeds = Seeds.from_classes([int(np.flatnonzero(truth == j)[0]) for j in range(4)], range(4))
    book = textbook_labels(graph.weights, seeds.indices, seeds.codes, 1, 0.2)
    series = InterfaceLaplace(hops=1, target_mse=0.2, solver="series").scores(graph, seeds).argmax(axis=1)
    assert np.mean(book == series) > 0.99


def test_the_textbook_and_the_default_agree_on_mnist(shared_graph, shared_labels, shared_reference):
    graph, y = shared_graph("mnist"), shared_labels("mnist")
    nodes = shared_reference("draws_mnist")["r1"][0]
    seeds = Seeds.from_classes(nodes, y[nodes], n_classes=10)
    book = textbook_labels(graph.weights, seeds.indices, seeds.codes, 4, 0.2)
    found = InterfaceLaplace(hops=4, target_mse=0.2).spread(graph, seeds)
    ours = found.scores.argmax(axis=1)
    assert np.mean(book == ours) > 0.985
    exact = InterfaceLaplace(hops=4, target_mse=0.2, solver=CG(1e-7)).scores(graph, seeds).argmax(axis=1)
    assert np.mean(exact == ours) > 0.995
    assert [solve.residual <= 1.3 * tol for solve, tol in zip(found.solves, (USUAL_TOL, SMOOTH_TOL), strict=True)] == [
        True,
        True,
    ]
