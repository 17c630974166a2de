"""Logistic regression on the features of the labelled points: what one would do without a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import minimize

from fewlabels.compiled import kernels_pay
from fewlabels.labels import Seeds
from fewlabels.soft import SINGLE_HOLDS
from fewlabels.threads import in_blocks_of_rows

__all__ = ["doubtful_probabilities", "linear_probabilities"]

MOST_STEPS, TOL = 100, 1e-3
FEW_TIMES = 2
"""How many times wider than there are rows the features may be to be learnt from as they are."""
IN_ONE_CALL = 1_000_000
"""Rows times features times classes up to which all steps are taken in one compiled call, deaf to interrupts."""
ROUNDING = 1e-14
"""Below this share of the largest, squared lengths are rounding."""

Block = NDArray[np.float64]


def linear_probabilities(
    features: Any,
    seeds: Seeds,
    *,
    nodes: NDArray[np.int64] | None = None,
    known: Block | None = None,
    averaged: Callable[[Block], Block] | None = None,
) -> Block:
    """Return class probabilities of every row of the features, dense or sparse, shape (n, c).

    A class without a label has probability zero.

    Parameters
    ----------
    nodes : ndarray of int, optional
        The rows that are wanted, where not all are.
    known : ndarray, shape (m, d), optional
        Rows to learn from in place of those of the labelled points.
    averaged : callable, optional
        A linear map of columns over all rows that keeps constants, such as a mean over neighbours: the features are
        taken through it. Since a linear classifier is linear in them, its c columns are taken through it instead.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> linear_probabilities(X, Seeds.from_classes([0, 3], ["low", "high"])).argmax(axis=1).tolist()
    [1, 1, 0, 0]
    """
    wanted = features if nodes is None else features[nodes]
    rows = np.zeros((wanted.shape[0], seeds.targets.shape[1]))
    classes = np.unique(seeds.codes)
    if classes.size == 1:
        rows[:, classes] = 1.0
        return rows
    learnt_from = features[seeds.indices] if known is None else known
    codes = np.searchsorted(classes, seeds.codes)
    coefficients, intercepts = _learnt(learnt_from, codes, classes.size, kernels_pay(features.shape[0]))
    coefficients = coefficients.astype(features.dtype if features.dtype.kind == "f" else np.float64)
    slopes = np.empty((len(rows), coefficients.shape[1]))

    def climb(some: slice) -> None:
        slopes[some] = wanted[some] @ coefficients + intercepts

    in_blocks_of_rows(len(slopes), climb)
    slopes = slopes if averaged is None else averaged(np.clip(slopes, -SINGLE_HOLDS, SINGLE_HOLDS, out=slopes))

    def soften(some: slice) -> None:
        rows[some, classes] = _shares(slopes[some])[0]

    in_blocks_of_rows(len(slopes), soften)
    return rows


def doubtful_probabilities(features: Any, seeds: Seeds, far: NDArray[np.bool_]) -> Block:
    """Return class probabilities of every row, on average no surer at those that are far than labels allow.

    With r labels per class they may be r / (r + 1) of the way from chance to certainty: far from its few labels a
    classifier is certain of anything. What is too much goes to all classes that have a label alike.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [900.0]])
    >>> seeds = Seeds.from_classes([0, 1], ["low", "high"])
    >>> doubtful_probabilities(X, seeds, np.array([False, False, True]))[2].round(2).tolist()
    [0.75, 0.25]
    """
    rows = linear_probabilities(features, seeds)
    classes = np.unique(seeds.codes)
    chance, per_class = 1.0 / classes.size, seeds.size / classes.size
    sure = float(rows[far].max(axis=1).mean()) - chance
    kept = (1.0 - chance) * per_class / (per_class + 1.0) / max(sure, 1e-12)
    if classes.size > 1 and kept < 1.0:
        rows[np.ix_(far, classes)] = kept * rows[np.ix_(far, classes)] + (1.0 - kept) * chance
    return rows


def _learnt(known: Any, codes: NDArray[np.int64], classes: int, by_kernels: bool) -> tuple[Block, Block]:
    """Return coefficients, shape (d, k), and intercepts, shape (k,); k is one with two classes, else their number.

    They minimise the mean loss and half the square of the coefficients over the number of rows.
    """
    rows, to_features, middle = _coordinates(known.astype(np.float64))
    width = classes if classes > 2 else 1
    if by_kernels and rows.size * width <= IN_ONE_CALL:
        from fewlabels.linear_kernels import least_loss

        W = least_loss(np.ascontiguousarray(rows), codes, width, TOL, MOST_STEPS)
    else:
        W = _least_loss(rows, codes, width)
    coefficients = to_features(W[:-1])
    return coefficients, W[-1] - middle @ coefficients


def _least_loss(rows: Block, codes: NDArray[np.int64], width: int) -> Block:
    """Return coefficients and, in the last row, intercepts."""
    m, each = len(rows), np.arange(len(rows))

    def loss(flat: Block) -> tuple[float, Block]:
        W = flat.reshape(-1, width)
        shares, log_sums, scores = _shares(rows @ W[:-1] + W[-1])
        value = (log_sums - scores[each, codes]).mean() + 0.5 / m * (W[:-1] ** 2).sum()
        shares[each, codes] -= 1.0
        off = shares[:, -width:] / m
        return float(value), np.vstack([rows.T @ off + W[:-1] / m, off.sum(axis=0)]).ravel()

    start = np.zeros((rows.shape[1] + 1) * width)
    options = {"maxiter": MOST_STEPS, "gtol": TOL}
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x.reshape(-1, width))


def _coordinates(known: Any) -> tuple[Block, Callable[[Block], Block], Block]:
    """Return dense rows to learn from, what takes their coefficients to those of the features, and the mean row.

    The rows are about their mean, which the intercepts make up for: the loss is the same, and its slopes are far more
    alike. The coefficients are combinations of the rows: where there are many more features than rows, these are given
    in coordinates of their span, of which there are no more than rows.
    """
    m, d = known.shape
    middle = np.asarray(known.mean(axis=0)).ravel()
    if d <= FEW_TIMES * m:
        return (known.toarray() if sp.issparse(known) else known) - middle, lambda found: found, middle
    if sp.issparse(known):
        gram = (known @ known.T).toarray()
        gram = gram - gram.mean(axis=0) - gram.mean(axis=1, keepdims=True) + gram.mean()
    else:
        known = known - middle
        gram = known @ known.T
    squares, V = np.linalg.eigh(gram)
    some = squares > ROUNDING * squares[-1]
    V, lengths = V[:, some], np.sqrt(squares[some])
    return V * lengths, lambda found: np.asarray(known.T @ (V / lengths @ found)), middle


def _shares(scores: Block) -> tuple[Block, Block, Block]:
    """Return the softmax of each row, the logarithm of its sum, and the scores; a single column stands against zero."""
    if scores.shape[1] == 1:
        scores = np.hstack([np.zeros_like(scores), scores])
    top = scores.max(axis=1, keepdims=True)
    shares = np.exp(scores - top)
    sums = shares.sum(axis=1, keepdims=True)
    shares /= sums
    return shares, (np.log(sums) + top)[:, 0], scores
