"""Ten thousand labels on one graph: time, extra memory, and the labels of the dense way.

Run: FEWLABELS_DATA=folder python benchmarks/many_labels.py [--dataset mnist] [--labels 10000] [--dense]
"""

import argparse
import resource
import time

import numpy as np

from fewlabels import InterfaceLaplace, Seeds
from fewlabels.datasets import load_dataset
from fewlabels.methods import interface_laplace


def main():
    """Print what one fit takes and, with --dense, how many labels equal those from the whole table of columns."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", default="mnist")
    parser.add_argument("--labels", type=int, default=10_000)
    parser.add_argument("--dense", action="store_true", help="also form the table: 8 bytes x nodes x labels")
    options = parser.parse_args()
    data = load_dataset(options.dataset)
    InterfaceLaplace().scores(data.graph, data.seeds("1", 0))
    nodes = np.random.default_rng(0).choice(data.y.size, size=options.labels, replace=False)
    seeds = Seeds.from_classes(nodes, data.y[nodes])
    found, seconds, gigabytes = measured(data, seeds)
    right = 100 * np.mean(found == data.y)
    print(f"{options.labels:,} labels: {seconds:.1f} s, {gigabytes:.2f} GB extra at the peak, accuracy {right:.2f}")
    if options.dense:
        interface_laplace.TABLE_ENTRIES = data.y.size * options.labels
        dense, seconds, gigabytes = measured(data, seeds)
        print(
            f"the dense way: {seconds:.1f} s, {gigabytes:.2f} GB; labels equal on {100 * np.mean(found == dense):.2f}%"
        )


def measured(data, seeds):
    """Return the labels, the seconds and the growth of the process's peak memory."""
    before, start = peak(), time.perf_counter()
    labels = InterfaceLaplace().scores(data.graph, seeds).argmax(axis=1)
    return labels, time.perf_counter() - start, peak() - before


def peak():
    """Return the peak memory of this process so far, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()
