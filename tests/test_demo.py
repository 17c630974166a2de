import numpy as np
import pytest
from sklearn.datasets import load_digits

from fewlabels import Graph, Poisson
from fewlabels.demo import run_demo
from fewlabels.labels import draw


def test_accuracies_are_those_of_digits_without_a_label(tmp_path, monkeypatch):
    monkeypatch.setattr("fewlabels.demo.flat_map", lambda graph, seeds: (seeds, np.full((seeds.size, 2), 0.5)))
    found = {each.method: each for each in run_demo(tmp_path / "page.html", draws=2)}
    X, y = load_digits(return_X_y=True)
    graph, hits = Graph.from_features(X), []
    for t in range(2):
        seeds = draw(y, 1, random_state=t)
        right = Poisson().scores(graph, seeds).argmax(axis=1) == y
        hits.append(100 * np.delete(right, seeds.indices).mean())
    assert found["Poisson"].mean == pytest.approx(np.mean(hits))
    assert found["Poisson"].deviation == pytest.approx(np.std(hits))
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count(" x='") == 10
