"""The demonstration: 1,797 handwritten digits from one label each."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from fewlabels.answer import answer
from fewlabels.files import replacing
from fewlabels.graph import Graph
from fewlabels.labels import draw
from fewlabels.methods import InterfaceLaplace, Laplace, Method, Poisson
from fewlabels.progress import say, track
from fewlabels.report import Accuracy, DemoResult, Labelling, demo_page, flat_map

__all__ = ["run_demo"]

METHODS: dict[str, Method] = {
    "Interface Laplace": InterfaceLaplace(),
    "Poisson": Poisson(),
    "Laplace": Laplace(),
}


def run_demo(page: Path, draws: int = 20, *, command: str = "fewlabels demo") -> list[Accuracy]:
    """Label scikit-learn's digits from one label per class, write a page, and return each method's accuracy."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    X, y = digits.data, digits.target
    say(f"connecting {len(X):,} digits with their 10 nearest")
    graph = Graph.from_features(X)
    hits: dict[str, list[float]] = {name: [] for name in METHODS}
    seconds: dict[str, list[float]] = {name: [] for name in METHODS}
    say(f"labelling from one label per class, {draws} draws, {len(METHODS)} methods")
    for t in track(range(draws), "draws"):
        seeds = draw(y, 1, random_state=t)
        others = np.setdiff1d(np.arange(len(y)), seeds.indices)
        for name, method in METHODS.items():
            start = time.perf_counter()
            predicted = method.scores(graph, seeds).argmax(axis=1)
            seconds[name].append(time.perf_counter() - start)
            hits[name].append(100 * float(np.mean(predicted[others] == y[others])))
    accuracies = [
        Accuracy(name, float(np.mean(hits[name])), float(np.std(hits[name])), float(np.median(seconds[name])))
        for name in METHODS
    ]

    seeds = draw(y, 1, random_state=0)
    decision = answer(graph, seeds, METHODS["Interface Laplace"]).labelled
    drawn, places = flat_map(graph, seeds.indices)
    labelling = Labelling(
        title="Ten labels, 1,797 digits",
        method="Interface Laplace learning",
        classes=np.arange(10),
        codes=decision.labels.astype(np.int64),
        confidence=decision.confidence,
        reached=decision.reached,
        seeds=seeds.indices,
        ids=[f"digit {i}" for i in range(len(y))],
        drawn=drawn,
        places=places,
        command=command,
    )
    with replacing(page) as file:
        file.write(demo_page(labelling, DemoResult(digits.images, y, accuracies, draws)).encode())
    return accuracies
