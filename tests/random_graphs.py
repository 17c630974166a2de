"""Random graphs of the kinds that break things, and what every method owes to each of them.

Run: python tests/random_graphs.py [--count 20000] [--seed 0] [--methods poisson,laplace]

Goes through the kinds in turn, each graph with every method, and ends with exit code 1 and the seed of the graph at the
first exception that is not our own, NaN, or given label that is lost.
"""

import argparse
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sp
from tqdm import tqdm

from fewlabels import FewlabelsError, Graph, Seeds
from fewlabels.decision import decide
from fewlabels.methods import METHODS

WITHOUT_FEATURES = [name for name in METHODS if name != "interface-laplace-network"]


def parts(rng):
    """Return blobs far apart: from one part to as many as there are points."""
    n = int(rng.integers(2, 60))
    centres = 100.0 * rng.normal(size=(int(rng.integers(1, n + 1)), 3))
    return Graph.from_features(centres[rng.integers(len(centres), size=n)] + rng.normal(size=(n, 3)), n_neighbors=3)


def wide_weights(rng):
    """Return a random graph whose weights span twelve orders of magnitude."""
    n = int(rng.integers(2, 40))
    W = sp.random_array((n, n), density=min(1.0, 4.0 / n), rng=rng, format="csr")
    W.data[:] = 10.0 ** rng.uniform(-12, 0, size=W.nnz)
    return Graph.from_weights(W, symmetrize=True)


def repeats(rng):
    """Return points that stand there several times each."""
    points = rng.normal(size=(int(rng.integers(1, 12)), 2))
    n = int(rng.integers(2, 60))
    return Graph.from_features(points[rng.integers(len(points), size=n)], n_neighbors=int(rng.integers(1, 12)))


def chain(rng):
    """Return a long path with some shortcuts."""
    n = int(rng.integers(2, 80))
    W = sp.diags_array(rng.random(n - 1) + 0.01, offsets=1, shape=(n, n)).tolil()
    for a, b in rng.integers(n, size=(int(rng.integers(0, 3)), 2)):
        W[a, b] = W[b, a] = 1.0
    return Graph.from_weights(sp.csr_array(W), symmetrize=True)


def star(rng):
    """Return hubs with many leaves, some of them joined by a thread."""
    n, hubs = int(rng.integers(3, 60)), int(rng.integers(1, 3))
    W = sp.lil_array((n, n))
    for leaf in range(hubs, n):
        W[leaf, rng.integers(hubs)] = rng.random() + 0.1
    if hubs > 1 and rng.random() < 0.5:
        W[0, 1] = 10.0 ** rng.uniform(-10, 0)
    return Graph.from_weights(sp.csr_array(W), symmetrize=True)


def single_edges(rng):
    """Return pairs of nodes, and nodes without any edge."""
    n = int(rng.integers(2, 40))
    W = sp.lil_array((n, n))
    for a in range(0, n - 1, 2):
        if rng.random() < 0.7:
            W[a, a + 1] = rng.random() + 0.1
    return Graph.from_weights(sp.csr_array(W), symmetrize=True)


KINDS = (parts, wide_weights, repeats, chain, star, single_edges)


def problem(kind, seed):
    """Return a random graph of a kind and labels on some of its nodes."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    graph = kind(rng)
    size = int(rng.integers(1, min(12, graph.n_nodes) + 1))
    nodes = rng.choice(graph.n_nodes, size=size, replace=False)
    return graph, Seeds.from_classes(nodes, rng.integers(int(rng.integers(1, 4)), size=size), balanced=True)


def check(graph, seeds, name):
    """Raise AssertionError unless the method refuses in its own words, or answers every node and keeps the labels."""
    try:
        scores = METHODS[name]().scores(graph, seeds)
        decision = decide(scores, graph, seeds)
    except FewlabelsError:
        return
    assert np.isfinite(scores).all()
    assert np.isfinite(decision.probabilities).all()
    assert np.allclose(decision.probabilities.sum(axis=1), 1)
    assert (decision.codes[seeds.indices] == seeds.codes).all()


def check_all(kind, seed, names=WITHOUT_FEATURES):
    """Check every method on one graph; what is kept with it serves the next method."""
    graph, seeds = problem(kind, seed)
    for name in names:
        try:
            check(graph, seeds, name)
        except Exception as error:
            error.add_note(f"{kind.__name__}, seed {seed}, {name}")
            raise


def main():
    """Check many graphs, and say which one failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--methods", default=",".join(WITHOUT_FEATURES))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    start = time.perf_counter()
    for place in tqdm(range(options.count), desc="graphs", mininterval=5, disable=None):
        kind, seed = KINDS[place % len(KINDS)], options.seed + place // len(KINDS)
        try:
            check_all(kind, seed, options.methods.split(","))
        except Exception as error:
            sys.exit(f"{error.__notes__[-1]}: {type(error).__name__}: {error}")
    seconds = time.perf_counter() - start
    sys.stdout.write(f"{options.count:,} graphs, {seconds:.0f} s: every method answered or refused in words\n")


if __name__ == "__main__":
    main()
