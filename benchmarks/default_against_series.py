"""The default solver against the paper's T steps on MNIST, one label per class: accuracy, agreement and time.

Run: FEWLABELS_DATA=folder python benchmarks/default_against_series.py [--draws 100] [--store draws.csv]

The folder holds mnist_knn.npz and mnist_labels.npz, and a folder reference/ beside it draws_mnist.npz. Each draw is
appended to the store as it is done, so that a run that was interrupted goes on where it was.
"""

import argparse
import csv
import os
import platform
import sys
import time
from pathlib import Path

import numpy as np

from fewlabels import Graph, InterfaceLaplace, Seeds
from fewlabels.neighbors import Neighbors
from fewlabels.solvers.chebyshev import Chebyshev, series_coefficients
from fewlabels.systems import aggregates_of, shape_of

FIELDS = ["draw", "series_accuracy", "default_accuracy", "agreement", "series_seconds", "default_seconds", "T", "steps"]


def fit(graph, seeds, solver):
    """Return the predictions, the spread and the seconds of one fit."""
    start = time.perf_counter()
    found = InterfaceLaplace(hops=4, target_mse=0.2, solver=solver).spread(graph, seeds)
    return found.scores.argmax(axis=1), found, time.perf_counter() - start


def main():
    """Run the draws that the store does not have yet, then print the table of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--store", type=Path, default=Path("default_against_series.csv"))
    options = parser.parse_args()
    if "FEWLABELS_DATA" not in os.environ:
        sys.exit("set FEWLABELS_DATA to the folder that holds mnist_knn.npz")
    data = Path(os.environ["FEWLABELS_DATA"])
    graph = Graph.from_neighbors(Neighbors.load(data / "mnist_knn.npz"), n_neighbors=10)
    y = np.load(data / "mnist_labels.npz")["y"]
    draws = np.load(data.parent / "reference" / "draws_mnist.npz")["r1"][: options.draws]

    start = time.perf_counter()
    fit(graph, Seeds.from_classes(draws[0], y[draws[0]], n_classes=10), "auto")
    first = time.perf_counter() - start

    shape, coarse = shape_of(graph), np.unique(aggregates_of(graph)).size
    terms = {T: series_coefficients(T, Chebyshev.tol).size - 1 for T in (221, 314)}
    print(f"{graph}: depth {shape.depth}, {coarse:,} aggregates; Chebyshev products {terms}")

    done = set()
    if options.store.exists():
        with options.store.open(newline="") as file:
            done = {int(row["draw"]) for row in csv.DictReader(file)}
    with options.store.open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        if file.tell() == 0:
            writer.writeheader()
        for t in sorted(set(range(len(draws))) - done):
            seeds = Seeds.from_classes(draws[t], y[draws[t]], n_classes=10)
            others = np.setdiff1d(np.arange(y.size), draws[t])
            series, long, slow = fit(graph, seeds, "series")
            default, short, fast = fit(graph, seeds, "auto")
            row = [
                t,
                100 * np.mean(series[others] == y[others]),
                100 * np.mean(default[others] == y[others]),
                100 * np.mean(series == default),
                slow,
                fast,
                long.solves[0].n_iter,
                sum(solve.n_iter for solve in short.solves),
            ]
            writer.writerow(dict(zip(FIELDS, row, strict=True)))
            file.flush()
            print(f"draw {t}: series {row[1]:.2f}% in {slow:.1f} s, default {row[2]:.2f}% in {fast:.1f} s", flush=True)

    with options.store.open(newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    column = {key: np.array([row[key] for row in rows]) for key in FIELDS}
    ratio = column["series_seconds"] / column["default_seconds"]
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    print(f"\nMNIST, one label per class, hops 4, target 0.20, {len(rows)} draws; {machine}")
    print(f"accuracy  series {column['series_accuracy'].mean():.2f} ± {column['series_accuracy'].std():.2f}")
    print(f"          default {column['default_accuracy'].mean():.2f} ± {column['default_accuracy'].std():.2f}")
    gap = column["default_accuracy"].mean() - column["series_accuracy"].mean()
    print(f"          difference of the means {gap:+.2f}; labels equal on {column['agreement'].mean():.2f}%")
    print(f"products  series {2 * np.median(column['T']):.0f}, default {np.median(column['steps']):.0f} (medians)")
    slow, fast = np.median(column["series_seconds"]), np.median(column["default_seconds"])
    print(f"seconds   series {slow:.2f}, default {fast:.2f} (medians)")
    print(f"          series / default {np.median(ratio):.1f} (median of the draws)")
    print(f"          the first default fit on a graph, with its preparation: {first:.2f}")


if __name__ == "__main__":
    main()
