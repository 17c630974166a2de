"""
Images: 1,797 digits from ten labels
====================================

One label per digit, and everything else follows from which images are alike.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from fewlabels import FewLabelClassifier
from fewlabels.atlas import plane_of

digits = load_digits()
X, truth = digits.data, digits.target
first = np.unique(truth, return_index=True)[1]
y = np.full(len(X), -1)
y[first] = truth[first]

# %%
# These ten images are all that is known.

figure, axes = plt.subplots(1, 10, figsize=(9, 1.2))
for axis, row in zip(axes, first, strict=True):
    axis.imshow(digits.images[row], cmap="gray_r")
    axis.set_title(truth[row])
    axis.axis("off")

# %%
# A fit takes no parameters. The model weighs several methods by what your labels say for each.

model = FewLabelClassifier().fit(X, y)
right = model.transduction_ == truth
confidence = model.label_distributions_.max(axis=1)
print(f"{right.mean():.1%} of {len(X):,} digits are right")
for evidence in model.chosen_:
    print(evidence)

# %%
# The map is drawn from the graph alone: a colour for each label, crosses where it is wrong, rings at the ten labels.

places = plane_of(model.graph_)
figure, axis = plt.subplots(figsize=(8, 6))
dots = axis.scatter(*places[right].T, c=model.transduction_[right], cmap="tab10", s=7, vmin=-0.5, vmax=9.5)
axis.scatter(*places[~right].T, c="black", marker="x", s=14, linewidths=0.8, label="wrong")
axis.scatter(*places[first].T, facecolors="none", edgecolors="black", s=110, linewidths=1.8, label="given")
axis.legend(loc="lower right")
axis.axis("off")
figure.colorbar(dots, ticks=range(10), label="label", shrink=0.7)

# %%
# Where it is least sure, it has reason to be.

doubts = np.argsort(confidence)[:20]
figure, axes = plt.subplots(2, 10, figsize=(9, 2.6))
for axis, row in zip(axes.flat, doubts, strict=True):
    axis.imshow(digits.images[row], cmap="gray_r")
    axis.set_title(f"{model.transduction_[row]}, {confidence[row]:.0%}", fontsize=8, color="C2" if right[row] else "C3")
    axis.axis("off")
