"""
Single cells: rare types, and sizes that are known
==================================================

Types of cells differ in size a hundredfold. An expert names a few cells of each type; the rest follows. Real pancreas
cells are used where they are at hand, else counts are made: every type raises some genes of its own, and each cell is
read to a depth of its own.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.metrics import balanced_accuracy_score

from fewlabels import FewLabelClassifier, FewlabelsError
from fewlabels.atlas import plane_of
from fewlabels.datasets.suite import load_suite

rng = np.random.default_rng(1)


def made_cells(sizes=(700, 400, 250, 120, 60, 30), genes=400):
    truth = np.repeat(np.arange(len(sizes)), sizes)
    base = rng.gamma(0.6, 0.35, genes)
    rates = np.array([base * np.where(rng.random(genes) < 0.08, rng.gamma(3, 1.4, genes), 1.0) for _ in sizes])
    depth = rng.lognormal(0, 0.4, truth.size)[:, None]
    counts = rng.poisson(depth * rates[truth])
    scaled = np.log1p(1000 * counts / counts.sum(axis=1, keepdims=True))
    return PCA(20, random_state=0).fit_transform(scaled), truth


try:
    X, truth = load_suite("baron")
    some = np.sort(rng.permutation(len(X))[:2500])
    X, truth = X[some], truth[some]
except FewlabelsError:
    X, truth = made_cells()

# %%
# Three cells of each type are named, whatever its size.

types, sizes = np.unique(truth, return_counts=True)
y = np.full(len(X), -1)
for kind in types:
    rows = rng.permutation(np.flatnonzero(truth == kind))[:3]
    y[rows] = kind
model = FewLabelClassifier().fit(X, y)
shares = dict(zip(types.tolist(), (sizes / sizes.sum()).tolist(), strict=True))
told = FewLabelClassifier(class_prior=shares).fit(X, y)
for name, each in {"sizes not told": model, "sizes told": told}.items():
    found = each.transduction_
    print(
        f"{name}: {np.mean(found == truth):.1%} right, "
        f"{balanced_accuracy_score(truth, found):.1%} as the mean over types"
    )

# %%
# The map of the cells, and how many got each type.

places = plane_of(model.graph_)
given = y >= 0
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4))
left.scatter(*places.T, c=model.transduction_, cmap="tab20", s=5)
left.scatter(*places[given].T, facecolors="none", edgecolors="black", s=60)
left.set_title("types found; rings are the cells that were named")
left.axis("off")
width = 0.27
for place, (name, values) in enumerate(
    {"truth": truth, "sizes not told": model.transduction_, "sizes told": told.transduction_}.items()
):
    right.bar(
        np.arange(types.size) + width * (place - 1), [np.sum(values == kind) for kind in types], width, label=name
    )
right.set(xlabel="type", ylabel="cells", yscale="log")
right.legend()
figure.tight_layout()
