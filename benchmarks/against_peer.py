"""Every compared method beside graphlearning: accuracy on the same graphs and draws, and seconds side by side.

Run: FEWLABELS_DATA=folder python benchmarks/against_peer.py accuracy [--dataset mnist] [--store peer.jsonl]
     FEWLABELS_DATA=folder python benchmarks/against_peer.py speed [--repeats 3]

`accuracy` compares with reference/peer_accuracy.csv beside the data folder; what is done is kept in the store. `speed`
needs `pip install graphlearning`, runs both on one graph in one process, turn by turn, and prints medians.
"""

import argparse
import csv
import os
import time
from pathlib import Path

import numpy as np

from fewlabels.datasets import data_folder, load_dataset
from fewlabels.experiments import Cell, Plan, Spec, Store, run, trial_key
from fewlabels.experiments.runner import method_of
from fewlabels.progress import shown

OURS = {
    "laplace": Spec("laplace"),
    "nearest": Spec("nearest-neighbor"),
    "randomwalk": Spec("random-walk"),
    "mbo": Spec("mbo"),
    "wnll": Spec("wnll"),
    "centered": Spec("centered-kernel"),
    "sparse": Spec("sparse-label-propagation"),
    "plaplace": Spec("plaplace"),
    "poisson_cg": Spec("poisson"),
    "poisson": Spec("poisson", {"solver": "series"}),
}


def accuracy(dataset, path):
    """Print our mean and theirs over the draws that they have, for every method and rate."""
    store, data = Store(path), load_dataset(dataset)
    theirs = {}
    with (data_folder().parent / "reference" / "peer_accuracy.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["dataset"] == dataset and row["method"] in OURS:
                key = row["method"], row["labels_per_class"]
                theirs.setdefault(key, {})[int(row["draw"])] = float(row["accuracy"])
    print("| method | labels per class | draws | theirs | ours | difference |\n|---|---|---|---|---|---|")
    for (method, rate), found in theirs.items():
        spec = OURS[method]
        plan = Plan("peer", "", dataset, (Cell(method, rate, spec, rate),))
        with shown():
            run([plan], store, max(found) + 1)
        ours = [store.trials[trial_key(data, spec, rate, t)].accuracy for t in found]
        means = np.mean(list(found.values())), np.mean(ours)
        print(f"| {method} | {rate} | {len(found)} | {means[0]:.2f} | {means[1]:.2f} | {means[1] - means[0]:+.2f} |")


def speed(repeats):
    """Print seconds of both for a fit on MNIST with one label per class; preparation counts in the first fit only."""
    import graphlearning as gl

    data = load_dataset("mnist")
    seeds = data.seeds("1", 0)
    table = data.neighbors.nearest(10)
    own = np.arange(table.n_points)[:, None]
    J, D = np.hstack([own, table.indices]), np.hstack([0.0 * own, table.distances])
    W = gl.weightmatrix.knn(None, 10, knn_data=(J, D))
    peers = {
        "laplace": gl.ssl.laplace(W),
        "nearest": gl.ssl.graph_nearest_neighbor(W),
        "randomwalk": gl.ssl.randomwalk(W),
        "mbo": gl.ssl.multiclass_mbo(W),
        "wnll": gl.ssl.laplace(W, reweighting="wnll"),
        "centered": gl.ssl.centered_kernel(W),
        "plaplace": gl.ssl.plaplace(W),
        "poisson_cg": gl.ssl.poisson(W),
        "sparse": gl.ssl.sparse_label_propagation(W),
    }
    print(f"MNIST, one label per class, {os.cpu_count()} cores, median of {repeats} (sparse: 1), first fit in brackets")
    print("| method | theirs, s | ours, s | theirs / ours |\n|---|---|---|---|")
    for name, peer in peers.items():
        method = method_of(OURS[name], data)
        times = [[], []]
        for _ in range(1 if name == "sparse" else repeats + 1):
            start = time.perf_counter()
            peer.fit_predict(seeds.indices, seeds.codes)
            middle = time.perf_counter()
            method.scores(data.graph, seeds)
            times[0].append(middle - start)
            times[1].append(time.perf_counter() - middle)
        slow, fast = (np.median(t[1:] or t) for t in times)
        print(
            f"| {name} | {slow:.2f} ({times[0][0]:.2f}) | {fast:.2f} ({times[1][0]:.2f}) | {slow / fast:.1f} |",
            flush=True,
        )


def main():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["accuracy", "speed"])
    parser.add_argument("--dataset", default="mnist")
    parser.add_argument("--store", type=Path, default=Path("peer.jsonl"))
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    if options.what == "speed":
        speed(options.repeats)
    else:
        accuracy(options.dataset, options.store)


if __name__ == "__main__":
    main()
