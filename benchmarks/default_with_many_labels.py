"""What leaving labels out is worth to the default where there are many: beside drawing labels again, as with few.

Run: FEWLABELS_DATA=folder python benchmarks/default_with_many_labels.py [--labels 1100] [--seed 1] [--sets watch,magic]
"""

import argparse
import time
import warnings

import numpy as np

from fewlabels import FewLabelClassifier
from fewlabels.datasets import DATASETS, load_dataset
from fewlabels.datasets.suite import load_suite, suite_names
from fewlabels.experiments.confidence import calibration_error
from fewlabels.methods import auto


def measured(X, y, nodes):
    """Return accuracy, mean confidence, calibration error and core seconds of the default."""
    given = np.full(y.size, -1)
    given[nodes] = y[nodes]
    start = time.process_time()
    model = FewLabelClassifier().fit(X, given)
    seconds, free = time.process_time() - start, given < 0
    confidence, right = model.label_distributions_[free].max(axis=1), (model.transduction_ == y)[free]
    return 100 * right.mean(), 100 * confidence.mean(), calibration_error(confidence, right), seconds


def features_of(name):
    """Return the features and classes of a set of the suite, or of one of the paper's."""
    if name not in DATASETS:
        return load_suite(name)
    data = load_dataset(name)
    return data.features, data.y


def main():
    """Print a row for each set and rule."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labels", type=int, default=1100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", default=",".join(suite_names()))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rules = {"labels left out": auto.are_many, "labels drawn again": lambda seeds: False}
    print("| set | rule | accuracy | mean confidence | calibration error | core seconds |\n|---|---|---|---|---|---|")
    for name in options.sets.split(","):
        X, y = features_of(name)
        nodes = np.sort(np.random.default_rng(options.seed).permutation(y.size)[: options.labels])
        for rule, are_many in rules.items():
            auto.are_many = are_many
            print(
                "|",
                name,
                "|",
                rule,
                "|",
                " | ".join(f"{value:.1f}" for value in measured(X, y, nodes)),
                "|",
                flush=True,
            )


if __name__ == "__main__":
    main()
