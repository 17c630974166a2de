"""
Confidence, and what to label next
==================================

Confidence is a bet, and it ranks: what lies at its end is what to look at. What to ask for next is a question of
its own, which ``suggest`` answers.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from fewlabels import FewLabelClassifier

X, truth = load_digits(return_X_y=True)
X, truth = X[:800], truth[:800]
y = np.full(len(X), -1)
first = np.unique(truth, return_index=True)[1]
y[first] = truth[first]

# %%
# Five labels at a time: those that are suggested, and as many at random.

suggested, random = (FewLabelClassifier("interface-laplace").fit(X, y) for _ in range(2))
rng = np.random.default_rng(0)
order = rng.permutation(np.setdiff1d(np.arange(len(X)), first))
curves = {"suggested": [], "at random": []}
for step in range(5):
    for model, curve in zip((suggested, random), curves.values(), strict=True):
        curve.append(100 * np.mean(model.transduction_ == truth))
    rows = suggested.suggest(5)
    suggested.add_labels(rows, truth[rows])
    rows = order[5 * step : 5 * step + 5]
    random.add_labels(rows, truth[rows])

# %%
# Accuracy of the points above each confidence, for the last model that was asked.

confidence = suggested.label_distributions_.max(axis=1)
right = suggested.transduction_ == truth
levels = np.linspace(0.3, 0.99, 24)
kept = [confidence >= level for level in levels]

figure, (left, middle) = plt.subplots(1, 2, figsize=(10, 3.8))
for name, curve in curves.items():
    left.plot(10 + 5 * np.arange(5), curve, "o-", label=name)
left.set(xlabel="labels", ylabel="accuracy in percent")
left.legend()
middle.plot(100 * levels, [100 * right[some].mean() for some in kept], label="of them right")
middle.plot(100 * levels, [100 * some.mean() for some in kept], "--", label="points above it")
middle.set(xlabel="confidence in percent", ylabel="percent")
middle.legend()
figure.tight_layout()
