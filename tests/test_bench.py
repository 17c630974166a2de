"""What is compared for speed must give the same labels; time itself is not tested."""

import numpy as np
import pytest
from gallery import blob_points

from fewlabels import FewlabelsError, Graph, InterfaceLaplace, Seeds
from fewlabels.bench import run_bench
from fewlabels.bench.growth import mixture
from fewlabels.bench.textbook import textbook_labels
from fewlabels.cli import main
from fewlabels.solvers import CG


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
    assert [solve.residual <= tol for solve, tol in zip(found.solves, (4e-3, 6e-2), strict=True)] == [True, True]


def test_bench_measures_and_draws(tmp_path, capsys):
    page = tmp_path / "bench.html"
    assert (
        main(["bench", "--what", "fit,peers,labels", "--dataset", "digits", "--repeats", "1", "--out", str(page)]) == 0
    )
    said = capsys.readouterr().out
    assert "textbook: one fit" in said
    assert "one fit: textbook / ours" in said
    assert "| labels | fit, s |" in said
    assert page.read_text().count("<svg") == 2


def test_bench_refuses_what_it_does_not_know():
    with pytest.raises(FewlabelsError, match="choose from fit, peers, labels, growth"):
        run_bench(["colour"], "digits")


def test_the_mixture_has_its_classes():
    X, y = mixture(500)
    assert X.shape == (500, 64)
    assert set(y) == set(range(10))
