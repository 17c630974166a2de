"""
Texts: topics from two labels each
==================================

Texts become vectors, and vectors whose length means nothing are compared by ``metric="cosine"``. Here they are news
articles where these are at hand, else short notes made of the words of six topics, many words being common to all.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import confusion_matrix

from fewlabels import FewLabelClassifier, FewlabelsError
from fewlabels.datasets.suite import load_suite

TOPICS = {
    "cooking": "oven bake flour onion garlic simmer taste sauce butter pepper knife dish",
    "sailing": "mast sail harbour wind anchor deck tide crew knot wave rope buoy",
    "gardening": "soil seed bloom prune root compost leaf shade water pot hedge weed",
    "cycling": "pedal chain gear wheel brake hill saddle tyre sprint climb pump frame",
    "music": "chord melody tempo violin choir note rhythm score stage tune string drum",
    "astronomy": "star orbit lens galaxy comet telescope moon dust light planet eclipse night",
}
COMMON = "time day people good first long place work hand part light water start end small great week night"
rng = np.random.default_rng(0)


def made_notes(count=1200):
    names = rng.choice(list(TOPICS), count)
    notes = []
    for name in names:
        own = rng.choice(TOPICS[name].split(), rng.integers(2, 6))
        others = rng.choice(" ".join(TOPICS.values()).split(), 2)
        notes.append(" ".join([*own, *others, *rng.choice(COMMON.split(), 8)]))
    return notes, names


try:
    X, truth = load_suite("news20")
    some = np.sort(rng.permutation(len(X))[:2000])
    X, names = X[some], np.array([f"group {code}" for code in truth[some]])
except FewlabelsError:
    notes, names = made_notes()
    print("A note on", names[0], "-", notes[0])
    words = TfidfVectorizer().fit_transform(notes)
    X = TruncatedSVD(20, random_state=0).fit_transform(words)

# %%
# Two labels for each topic. Labels are words; the empty one says that there is none.

y = np.full(len(names), "", dtype=object)
for name in np.unique(names):
    y[rng.choice(np.flatnonzero(names == name), 2, replace=False)] = name
model = FewLabelClassifier(metric="cosine").fit(X, y)
right = model.transduction_ == names
confidence = model.label_distributions_.max(axis=1)
print(f"{right.mean():.1%} of {len(names):,} texts right from {np.sum(y != '')} labels")
print(f"{right[confidence > 0.9].mean():.1%} of the {np.sum(confidence > 0.9):,} above 90% confidence")

# %%
# Which topics are taken for which:

table = confusion_matrix(names, model.transduction_, normalize="true")
figure, axis = plt.subplots(figsize=(6.5, 5.5))
picture = axis.imshow(table, cmap="Blues", vmin=0, vmax=1)
axis.set_xticks(range(len(table)), model.classes_, rotation=60, ha="right", fontsize=8)
axis.set_yticks(range(len(table)), model.classes_, fontsize=8)
axis.set(xlabel="label", ylabel="topic")
figure.colorbar(picture, label="share of the topic")
figure.tight_layout()
