"""Known small problems: every graph that has ever been awkward."""

import numpy as np
import scipy.sparse as sp

from fewlabels import Graph, Seeds


def path(n=12):
    return Graph.from_weights(np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1))


def ring(n=15):
    W = np.diag(np.ones(n - 1), 1)
    W[0, -1] = 1
    return Graph.from_weights(W + W.T)


def grid(side=9):
    chain = sp.diags_array([np.ones(side - 1)] * 2, offsets=[1, -1])
    eye = sp.eye_array(side)
    return Graph.from_weights(sp.kron(chain, eye) + sp.kron(eye, chain))


def star(n=9):
    W = np.zeros((n, n))
    W[0, 1:] = W[1:, 0] = np.linspace(0.2, 2, n - 1)
    return Graph.from_weights(W)


def two_cliques(size=8):
    block = np.ones((size, size)) - np.eye(size)
    W = np.kron(np.eye(2), block)
    W[0, size] = W[size, 0] = 0.01
    return Graph.from_weights(W)


def blob_points(blobs=4, size=40, noise=0.55, seed=0):
    rng = np.random.default_rng(seed)
    angles = 2 * np.pi * np.arange(blobs) / blobs
    centres = np.c_[np.cos(angles), np.sin(angles)]
    X = np.repeat(centres, size, axis=0) + noise * rng.normal(size=(blobs * size, 2))
    return X, np.repeat(np.arange(blobs), size)


def ring_of_blobs():
    return Graph.from_features(blob_points()[0], n_neighbors=8)


def disconnected():
    X, _ = blob_points(blobs=3, size=30, noise=0.05)
    return Graph.from_features(X, n_neighbors=5)


def isolated_node():
    W = np.zeros((7, 7))
    W[:6, :6] = np.ones((6, 6)) - np.eye(6)
    return Graph.from_weights(W)


def duplicates():
    X, _ = blob_points(blobs=3, size=20)
    return Graph.from_features(np.vstack([X, np.tile(X[:1], (4, 1)), np.tile(X[1:2], (15, 1))]), n_neighbors=6)


def weights_apart():
    rng = np.random.default_rng(3)
    W = np.triu(10.0 ** rng.uniform(-4, 2, size=(40, 40)) * (rng.random((40, 40)) < 0.2), 1)
    return Graph.from_weights(W + W.T)


GALLERY = {
    make.__name__: make
    for make in (
        path,
        ring,
        grid,
        star,
        two_cliques,
        ring_of_blobs,
        disconnected,
        isolated_node,
        duplicates,
        weights_apart,
    )
}

CONNECTED = [name for name in GALLERY if name not in ("disconnected", "isolated_node", "duplicates", "weights_apart")]

TRAIN = np.array([3, 50, 90, 130])
SEEDS = Seeds.from_classes(TRAIN, [0, 1, 2, 3])
"""One label in each of the ring's four blobs."""


def some_seeds(graph, n_classes=3, per_class=2, seed=0):
    """Label a few nodes, the classes in no relation to the graph; an awkward case on purpose."""
    rng = np.random.default_rng(seed)
    m = min(n_classes * per_class, graph.n_nodes - 1)
    nodes = rng.choice(graph.n_nodes, size=m, replace=False)
    return Seeds.from_classes(nodes, np.arange(m) % n_classes, n_classes=n_classes)


def columns(graph, k=3):
    return np.random.default_rng(1).normal(size=(graph.n_nodes, k))


def points(n=700, d=5, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def some_images(folder, name="toy", n=300):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    X = np.clip(120 * np.kron(np.eye(3), np.ones((1, 12)))[y] + rng.integers(0, 60, size=(n, 36)), 0, 255)
    np.savez(folder / f"{name}_images.npz", X=X.reshape(n, 6, 6).astype(np.uint8), y=y)
