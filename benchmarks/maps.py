"""Compare the map with UMAP and t-SNE: seconds, and the share of points that their 10 nearest on the map get right.

A point is right if most of its 10 nearest others on the map are of its true class. UMAP and t-SNE, with their own
defaults, start from the features; ours starts from the graph, whose making is timed beside it.

Run: python benchmarks/maps.py digits mnist fashion-mnist --peers umap     (needs: pip install umap-learn)
     python benchmarks/maps.py digits --peers umap,tsne
     python benchmarks/maps.py --points 1000000
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from fewlabels import Graph
from fewlabels.atlas import drawing
from fewlabels.datasets import load_dataset

NEAREST, CLUSTERS, FEATURES, NOISE = 10, 50, 64, 1.4


def right_by_neighbours(places: np.ndarray, y: np.ndarray) -> float:
    """Return the percentage of points whose nearest others on the map, by majority, are of their class."""
    nearest = cKDTree(places).query(places, NEAREST + 1, workers=-1)[1]
    own = nearest == np.arange(len(y))[:, None]
    own[~own.any(axis=1), -1] = True
    others = y[nearest[~own].reshape(len(y), NEAREST)]
    votes = np.stack([(others == c).sum(axis=1) for c in np.unique(y)], axis=1)
    return 100 * float(np.mean(np.unique(y)[votes.argmax(axis=1)] == y))


def timed(make: Callable[[], Any]) -> tuple[Any, str]:
    """Return what was made, and the seconds by the clock and of all cores together."""
    start, busy = time.perf_counter(), time.process_time()
    made = make()
    return made, f"{time.perf_counter() - start:.1f} | {time.process_time() - busy:.1f}"


def drawn(graph: Graph) -> tuple[np.ndarray, str, str]:
    """Return the finished map, when the first one was there, and what all took."""
    start, when, found = time.perf_counter(), [], []

    def watched() -> np.ndarray:
        for places in drawing(graph):
            when.append(time.perf_counter() - start)
            found[:] = [places]
        return found[0]

    return *timed(watched), f"{when[0]:.1f}"


def peer(name: str, X: np.ndarray) -> np.ndarray:
    """Return another library's map."""
    if name == "umap":
        import umap

        return np.asarray(umap.UMAP().fit_transform(X))
    from sklearn.manifold import TSNE

    return np.asarray(TSNE(n_jobs=-1).fit_transform(X))


def mixture(points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return clusters that overlap, so that their graph is connected, and which cluster each point is of."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLUSTERS, FEATURES)).astype(np.float32)
    y = rng.integers(CLUSTERS, size=points)
    return np.float32(NOISE) * rng.standard_normal((points, FEATURES), dtype=np.float32) + centres[y], y


def row(points: str, what: str, first: str, seconds: str, right: float) -> None:
    """Print a line of the table."""
    print(f"| {points} | {what} | {first} | {seconds} | {right:.2f} |", flush=True)


def main() -> None:
    """Print one table for all data sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", metavar="DATASET")
    parser.add_argument("--peers", default="", help="umap, tsne or both, separated by a comma")
    parser.add_argument("--points", type=int, default=0, help="also a mixture of so many points")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    small = Graph.from_features(np.random.default_rng(0).normal(size=(3000, 4)))
    list(drawing(small))  # compiles the kernels, which is done once for an installation
    print("| data | map | first map, s | all, s | core seconds | 10 nearest right, % |\n|---|---|---|---|---|---|")
    for name in options.datasets:
        data = load_dataset(name)
        graph = data.graph
        places, seconds, first = drawn(graph)
        row(name, "ours, from the graph", first, seconds, right_by_neighbours(places, data.y))
        for other in filter(None, options.peers.split(",")):
            X = np.asarray(data.features, dtype=np.float32)
            places, seconds = timed(lambda other=other, X=X: peer(other, X))
            row(name, f"{other}, from the features", "", seconds, right_by_neighbours(places, data.y))
    if options.points:
        X, y = mixture(options.points)
        graph, seconds = timed(lambda: Graph.from_features(X, search="approximate"))
        print(f"| mixture of {options.points:,} | (its graph: {graph}) | | {seconds} | |", flush=True)
        places, seconds, first = drawn(graph)
        row(f"mixture of {options.points:,}", "ours, from the graph", first, seconds, right_by_neighbours(places, y))


if __name__ == "__main__":
    main()
