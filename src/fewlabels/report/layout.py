"""Where to draw points on a flat map: t-SNE of a sample of the features."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.progress import say

__all__ = ["flat_map"]

DRAWN_POINTS = 2000
COMPONENTS_FIRST = 30


def flat_map(X: Any, always: NDArray[np.int64], seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return at most 2,000 rows (those in `always` first) and a place in the unit square for each.

    The map is for looking at only. Labels come from the graph of all features, never from here.
    """
    n = X.shape[0]
    always = always[:DRAWN_POINTS]
    others = np.setdiff1d(np.arange(n), always)
    rest = np.random.default_rng(seed).permutation(others)[: max(0, DRAWN_POINTS - always.size)]
    rows = np.concatenate([always, np.sort(rest)])
    sample = X[rows].astype(np.float64)
    largest = float(abs(sample).max())
    sample = sample / largest if largest > 0 else sample
    say(f"drawing a map of {rows.size:,} points")
    if rows.size < 5 or float((sample.max(axis=0) - sample.min(axis=0)).max()) == 0:
        places = np.column_stack([np.arange(rows.size), np.zeros(rows.size)]).astype(np.float64)
    else:
        places = _embedded(sample, seed)
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    return rows, np.asarray((places - low) / np.where(span > 0, span, 1.0), dtype=np.float64)


def _embedded(sample: Any, seed: int) -> NDArray[np.float64]:
    """Return the t-SNE of the first principal components."""
    from sklearn.decomposition import PCA, TruncatedSVD
    from sklearn.manifold import TSNE

    width = min(COMPONENTS_FIRST, sample.shape[1] - 1, sample.shape[0] - 1)
    if width >= 2:
        reducer = TruncatedSVD(width, random_state=seed) if sp.issparse(sample) else PCA(width, random_state=seed)
        sample = reducer.fit_transform(sample)
    elif sp.issparse(sample):
        sample = sample.toarray()
    perplexity = min(30.0, (sample.shape[0] - 1) / 4)
    start = "pca" if sample.shape[1] >= 2 else "random"
    places = TSNE(2, perplexity=perplexity, init=start, random_state=seed, max_iter=500).fit_transform(sample)
    return np.asarray(places, dtype=np.float64)
