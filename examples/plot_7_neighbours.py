"""
How many neighbours?
====================

Too few, and parts of the graph hold no label. Too many, and connections reach across the border between classes.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from fewlabels import Graph, Poisson, Seeds, UnreachedWarning
from fewlabels.atlas import plane_of

X, truth = load_digits(return_X_y=True)
X, truth = X[:1000], truth[:1000]
seeds = Seeds.from_y(np.where(np.isin(np.arange(1000), np.unique(truth, return_index=True)[1]), truth, -1))

figure, axes = plt.subplots(1, 3, figsize=(11, 4))
for axis, k in zip(axes, (3, 10, 100), strict=True):
    graph = Graph.from_features(X, n_neighbors=k)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)
        found = Poisson().scores(graph, seeds).argmax(axis=1)
    axis.scatter(*plane_of(graph).T, c=found, cmap="tab10", s=5)
    parts = f"{graph.n_components} part{'s' * (graph.n_components > 1)}"
    axis.set_title(f"{k} neighbours, {parts}: {np.mean(found == truth):.0%} right")
    axis.axis("off")
figure.tight_layout()
