"""Every compared method beside graphlearning: accuracy on the same graphs and draws, and seconds side by side.

Run: FEWLABELS_DATA=folder python benchmarks/against_peer.py accuracy [--dataset mnist] [--store peer.jsonl]
     FEWLABELS_DATA=folder python benchmarks/against_peer.py speed [--repeats 3] [--methods poisson_mbo,refined]

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
from fewlabels.experiments.plans import SIZES
from fewlabels.experiments.runner import method_of
from fewlabels.progress import shown

OURS = {
    "laplace": Spec("laplace"),
    "nearest": Spec("nearest-neighbor"),
    "randomwalk": Spec("random-walk"),
    "mbo": Spec("mbo"),
    "wnll": Spec("wnll"),
    "pwll": Spec("poisson-reweighted"),
    "centered": Spec("centered-kernel"),
    "sparse": Spec("sparse-label-propagation"),
    "plaplace": Spec("plaplace"),
    "poisson_cg": Spec("poisson"),
    "poisson": Spec("poisson", {"solver": "series"}),
}
AT_SIZES = {"poisson_mbo": Spec("poisson-mbo", {SIZES: "told"}), "refined": Spec("refined", {SIZES: "told"})}
"""Methods that are told the class sizes; `refined` is timed beside their Poisson MBO too."""

ONCE = ("sparse", *AT_SIZES)


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


def speed(repeats, names):
    """Print seconds of both for a fit on MNIST with one label per class; preparation counts in the first fit only."""
    import graphlearning as gl

    data = load_dataset("mnist")
    seeds = data.seeds("1", 0, sizes_told=True)
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
        "pwll": gl.ssl.laplace(W, reweighting="poisson"),
        "centered": gl.ssl.centered_kernel(W),
        "plaplace": gl.ssl.plaplace(W),
        "poisson_cg": gl.ssl.poisson(W),
        "sparse": gl.ssl.sparse_label_propagation(W),
        **dict.fromkeys(AT_SIZES, gl.ssl.poisson_mbo(W, class_priors=seeds.prior)),
    }
    once = f"theirs of {', '.join(ONCE)}: 1"
    print(f"MNIST, one label per class, {os.cpu_count()} cores, median of {repeats} ({once}), first fit in brackets")
    print("| method | theirs, s | ours, s | theirs / ours |\n|---|---|---|---|")
    for name in names or peers:
        method = method_of((OURS | AT_SIZES)[name], data)
        times = [[], []]
        for turn in range(repeats + 1):
            start = time.perf_counter()
            if turn == 0 or name not in ONCE:
                peers[name].fit_predict(seeds.indices, seeds.codes)
                times[0].append(time.perf_counter() - start)
            start = time.perf_counter()
            method.scores(data.graph, seeds)
            times[1].append(time.perf_counter() - start)
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
    parser.add_argument("--methods", default="", help="for speed: names with commas, all if none are given")
    options = parser.parse_args()
    if options.what == "speed":
        speed(options.repeats, [name for name in options.methods.split(",") if name])
    else:
        accuracy(options.dataset, options.store)


if __name__ == "__main__":
    main()
