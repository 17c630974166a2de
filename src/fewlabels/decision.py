"""Scores -> labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.confidence import entries, in_favour_of, trusted_rows
from fewlabels.drawn import Drawn, Redrawn, drawn_again
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.kept import ReadOnlyArrays, read_only
from fewlabels.labels import Seeds
from fewlabels.reach import reach_of
from fewlabels.volumes import class_sizes, constrained_codes

__all__ = ["Decision", "decide"]

Block = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class Decision(ReadOnlyArrays):
    """A label and a confidence for every node; its arrays are read-only.

    Attributes
    ----------
    labels : ndarray, shape (n,)
        The given label at seeds; elsewhere the most probable one, or the one that keeps to the class sizes.
    codes : ndarray of int, shape (n,)
        The column of each label.
    probabilities : ndarray, shape (n, c)
        Rows sum to one; one-hot at seeds, zero for classes without a label in the node's component, the prior where
        no label reaches.
    reached : ndarray of bool, shape (n,)
    offsets : ndarray, shape (c,)
        What was added to the scores of each class to give it its size; zero where sizes are free.
    doubt : ndarray, shape (n,)
        One less the distance between the two most probable classes, before nodes were ranked: which label is open.
    drawn : Drawn or None
        The labels that were drawn again for it; None where that was done before.
    """

    labels: NDArray[Any]
    codes: NDArray[np.int64]
    probabilities: Block
    reached: NDArray[np.bool_]
    offsets: NDArray[np.float64]
    doubt: NDArray[np.float64]
    drawn: Drawn | None = None

    @property
    def confidence(self) -> NDArray[np.float64]:
        """The probability of the label given to each node; where there is one class, one of two that may be.

        One class alone tells nothing apart: nodes that were not labelled may as well belong to another.
        """
        if self.probabilities.shape[1] == 1:
            return read_only(1.0 - self.doubt / 2.0)
        return read_only(entries(self.probabilities, self.codes))


def decide(
    scores: NDArray[np.float64],
    graph: Graph,
    seeds: Seeds,
    *,
    keep_sizes: bool = False,
    before: Decision | None = None,
    redrawn: Redrawn | None = None,
    beyond: NDArray[np.float64] | None = None,
) -> Decision:
    """Turn a method's scores into labels and probabilities.

    Probabilities are as sure as the labels are stable: as many labels as were given are drawn again from the nodes just
    labelled, and spread anew by Poisson learning; the share of nodes that keep their label is the mean confidence.
    With `keep_sizes` every class gets exactly its share of the prior, given labels counted. What was drawn again in a
    decision `before`, for other labels on the same graph, is used as far as it still holds; nothing is drawn where what
    labels drawn again say is known already (`redrawn`). Nodes that no label reaches get the prior, or the distributions
    that are told for them (`beyond`).

    Examples
    --------
    >>> graph = Graph.from_weights(np.diag(np.ones(2), 1) + np.diag(np.ones(2), -1))
    >>> seeds = Seeds.from_classes([0, 2], ["cat", "dog"])
    >>> decide(np.array([[1.0, -1.0], [0.5, -0.5], [-1.0, 1.0]]), graph, seeds).labels.tolist()
    ['cat', 'cat', 'dog']
    """
    if seeds.classes is None:
        raise FewlabelsError("seeds carry values, not classes; for regression the scores are the answer.")
    reach = reach_of(graph, seeds)
    offsets = np.zeros(scores.shape[1])
    if keep_sizes:
        codes, offsets = _with_sizes(scores, seeds)
    else:
        codes = np.where(reach.possible, scores, -np.inf).argmax(axis=1)
        codes[~reach.nodes] = seeds.prior.argmax() if beyond is None else beyond[~reach.nodes].argmax(axis=1)
        codes[seeds.indices] = seeds.codes
    drawn = None
    if redrawn is None and seeds.size < codes.size:
        drawn = drawn_again(graph, seeds, codes, None if before is None else before.drawn)
        redrawn = drawn.told(graph, seeds)
    rows, doubt = trusted_rows(scores + offsets, graph, seeds, codes, reach, redrawn)
    rows[~reach.nodes] = seeds.prior if beyond is None else beyond[~reach.nodes]
    if keep_sizes:
        rows = in_favour_of(codes, rows)
    rows[seeds.indices] = seeds.targets
    doubt[~reach.nodes if scores.shape[1] > 1 else slice(None)] = 1.0
    doubt[seeds.indices] = 0.0
    return Decision(seeds.classes[codes], codes, rows, reach.nodes, offsets, doubt, drawn)


def _with_sizes(scores: NDArray[np.float64], seeds: Seeds) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return classes in the sizes of the prior, the given labels kept, and the offsets."""
    given = np.bincount(seeds.codes, minlength=scores.shape[1])
    sizes = class_sizes(seeds.prior, len(scores)) - given
    if (sizes < 0).any():
        assert seeds.classes is not None
        least = int(sizes.argmin())
        raise FewlabelsError(
            f"class '{seeds.classes[least]}' has {given[least]} labels but its class prior is only "
            f"{seeds.prior[least]:.3g}, or {given[least] + sizes[least]} points; raise its share."
        )
    free = np.ones(len(scores), dtype=bool)
    free[seeds.indices] = False
    codes = np.empty(len(scores), dtype=np.int64)
    codes[seeds.indices] = seeds.codes
    if not free.any():
        return codes, np.zeros(scores.shape[1])
    codes[free], offsets = constrained_codes(scores[free], sizes)
    return codes, offsets
