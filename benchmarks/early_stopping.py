"""What stopping early is worth: T steps beside converged solves, and the default with more and less damping.

    FEWLABELS_DATA=folder python benchmarks/early_stopping.py --datasets baron,digits,texture --draws 4 --out folder

Damping s puts L + s D in the place of L, a resolvent: modes slower than 1 / s steps no longer grow. The
default uses 1e-3.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import numpy as np

from fewlabels import FewLabelClassifier, InterfaceLaplace, Poisson, Seeds
from fewlabels.answer import answer
from fewlabels.cli.common import listed
from fewlabels.datasets import Dataset
from fewlabels.experiments import Store
from fewlabels.experiments.labellers import default_method
from fewlabels.experiments.suite_data import Shelf, drawn, identified
from fewlabels.methods import Method

DAMPED = ("fewlabels.methods.auto", "fewlabels.methods.contenders", "fewlabels.methods.evidence")


def by(method: Method) -> Callable[[Dataset, Seeds], np.ndarray]:
    """Return how a method labels."""
    return lambda data, seeds: seeds.classes[method.scores(data.graph, seeds).argmax(axis=1)]


def damped(damping: float) -> Callable[[Dataset, Seeds], np.ndarray]:
    """Return how the default labels with another damping."""

    def label(data: Dataset, seeds: Seeds) -> np.ndarray:
        with ExitStack() as patched:
            for module in DAMPED:
                patched.enter_context(patch.multiple(module, DAMPING=damping))
            return answer(data.graph, seeds, default_method(data)).labelled.labels

    return label


ROWS = {
    "Poisson, converged": by(Poisson()),
    "Poisson, T steps": by(Poisson(solver="chebyshev")),
    "Interface Laplace, converged": by(InterfaceLaplace()),
    "Interface Laplace, T steps": by(InterfaceLaplace(solver="chebyshev")),
    "default, damping 1e-6": damped(1e-6),
    "default, damping 1e-3": damped(1e-3),
    "default, damping 4e-3": damped(4e-3),
    "default, damping 1e-2": damped(1e-2),
}


def main() -> None:
    """Print the accuracy of every row on every set, mean over the draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", default="baron,digits,texture,satellite,watch,spambase")
    parser.add_argument("--rates", default="1,5")
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    assert FewLabelClassifier().method == "auto"
    shelf = Shelf(Store(options.out / "trials.jsonl"))
    print(f"| | {' | '.join(ROWS)} |\n{'|---' * (len(ROWS) + 1)}|", flush=True)
    for each in identified(listed(options.datasets)):
        data = shelf.data(each)
        for rate in listed(options.rates):
            means = [np.mean([measured(data, rate, t, row) for t in range(options.draws)]) for row in ROWS]
            print(f"| {each.name}, {rate} | {' | '.join(f'{mean:.1f}' for mean in means)} |", flush=True)


def measured(data: Dataset, rate: str, t: int, row: str) -> float:
    """Return the accuracy in percent over the points without a label."""
    nodes = drawn(data.y, rate, t)
    labels = ROWS[row](data, Seeds.from_classes(nodes, data.y[nodes], balanced=True))
    others = np.setdiff1d(np.arange(data.y.size), nodes)
    return 100.0 * float(np.mean(labels[others] == data.y[others]))


if __name__ == "__main__":
    main()
