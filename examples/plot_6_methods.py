"""
Methods compared, on the same graph and labels
==============================================

Every method has the same two calls. A graph keeps what was solved for it, so that comparing costs little.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from fewlabels import (
    WNLL,
    Graph,
    InterfaceLaplace,
    Laplace,
    NearestNeighbor,
    Poisson,
    RandomWalk,
)
from fewlabels.labels import draw

X, truth = load_digits(return_X_y=True)
graph = Graph.from_features(X)
methods = [NearestNeighbor(), Laplace(), WNLL(), RandomWalk(), Poisson(), InterfaceLaplace()]
rates, draws = (1, 2, 5), 5

accuracy = np.zeros((len(methods), len(rates), draws))
for column, rate in enumerate(rates):
    for t in range(draws):
        seeds = draw(truth, rate, random_state=t)
        others = np.setdiff1d(np.arange(len(X)), seeds.indices)
        for row, method in enumerate(methods):
            found = method.scores(graph, seeds).argmax(axis=1)
            accuracy[row, column, t] = np.mean(found[others] == truth[others])

# %%
# Mean and deviation over five draws of labels. The axis begins where the differences are.

figure, axis = plt.subplots(figsize=(8, 3.8))
names = [type(method).__name__ for method in methods]
for column, (rate, marker) in enumerate(zip(rates, "osD", strict=True)):
    values = 100 * accuracy[:, column]
    heights = np.arange(len(methods)) + 0.2 * (column - 1)
    axis.errorbar(values.mean(axis=1), heights, xerr=values.std(axis=1), fmt=marker, label=f"{rate} per class")
axis.set_yticks(range(len(methods)), names)
axis.set_xlabel("accuracy in percent on the digits without a label")
axis.grid(axis="x", alpha=0.3)
axis.legend()
figure.tight_layout()
