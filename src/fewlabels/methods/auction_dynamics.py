"""Auction dynamics (Jacobs, Merkurjev and Esedoglu, 2018): MBO whose classes keep to upper and lower bounds."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.compiled import kernels_pay
from fewlabels.diffusion import diffused
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread, refuse_below
from fewlabels.methods.nearest_neighbor import NearestNeighbor
from fewlabels.progress import track
from fewlabels.volumes import class_sizes

__all__ = ["AuctionDynamics", "auctioned"]

Block = NDArray[np.float64]
Sizes = NDArray[np.int64]

SWEEPS = 60
"""Prices that a class takes in an auction at most, in the mean."""

WITHIN = 1e-3
"""How nearly a round keeps to the bounds, as a share of all nodes."""

UNCHANGED = 1e-4
"""The dynamics end when fewer nodes than this share change."""


@dataclass(eq=False)
class AuctionDynamics(Method):
    """u <- P^s (one-hot labels), then labels of the largest total u whose class sizes keep to bounds, and again.

    P is a slightly lazy random walk, and given labels are held. Class j has between (1 - slack) N_j and
    (1 + slack) N_j nodes, N_j its share of the prior. The best labels are argmax_j (u_j + t_j - p_j) with a price p_j
    for a class that is at its upper bound and an incentive t_j for one that is at its lower, which an auction finds.

    The paper's nodes bid one by one; here a class takes the price at which all its bids are cleared at once, which ends
    at the same prices up to ties. The paper leaves the kernel open and begins from the nearest labels, as this does.

    Parameters
    ----------
    slack : float
        How far a class may be from its size, as a share of it: 0 for exact sizes.
    rounds, steps : int
        At most so many rounds of so many steps of diffusion.
    temperature : float
        Deviation of the noise that is added to u, in deviations of u; it falls to zero over the first half of the
        rounds. The paper's way out of poor local minima.
    random_state : int
        Seed of the noise.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> AuctionDynamics().scores(path, Seeds.from_classes([0, 5], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    slack: float = 0.1
    _: KW_ONLY
    rounds: int = 50
    steps: int = 15
    temperature: float = 0.1
    random_state: int = 0

    def _spread(self, graph: Graph, seeds: Seeds) -> Spread:
        if seeds.is_regression:
            raise FewlabelsError("auction dynamics is for classes; use another method for values.")
        self._check()
        sizes = class_sizes(seeds.prior, graph.n_nodes)
        lower = np.floor((1.0 - self.slack) * sizes).astype(np.int64)
        upper = np.minimum(np.ceil((1.0 + self.slack) * sizes), graph.n_nodes).astype(np.int64)
        scores = NearestNeighbor().spread(graph, seeds).scores
        offsets = auctioned(scores, lower, upper)
        labels = (scores + offsets).argmax(axis=1)
        rng, u = np.random.default_rng(self.random_state), np.asarray(scores)
        for round_ in track(range(self.rounds), "auction dynamics"):
            labels[seeds.indices] = seeds.codes
            u = diffused(graph, np.eye(sizes.size, dtype=np.float32)[labels], self.steps).astype(np.float64)
            heat = self.temperature * max(0.0, 1.0 - 2.0 * round_ / self.rounds)
            bids = u + heat * u.std() * rng.normal(size=u.shape) if heat else u
            offsets = auctioned(bids, lower, upper, offsets, WITHIN)
            before, labels = labels, (bids + offsets).argmax(axis=1)
            if not heat and np.mean(before != labels) < UNCHANGED:
                break
        scores = u + offsets
        scores[seeds.indices] = seeds.targets * (1.0 + np.abs(scores).max())
        return Spread(scores, ())

    def _check(self) -> None:
        refuse_below(1, steps=self.steps)
        refuse_below(0, rounds=self.rounds)
        for name, value, most in (("slack", self.slack, 1.0), ("temperature", self.temperature, np.inf)):
            if not isinstance(value, (int, float, np.number)) or not 0 <= value <= most:
                bound = f" and at most {most:g}" if most < np.inf else ""
                raise FewlabelsError(f"{name}={value!r} must be a number of at least 0{bound}.")


def auctioned(bids: Block, lower: Sizes, upper: Sizes, start: Block | None = None, within: float = 0.0) -> Block:
    """Return incentives less prices, b, so that argmax(bids + b) has between `lower` and `upper` rows of each class.

    b_j is positive only for a class at its lower bound and negative only for one at its upper: these labels have the
    largest total bid of all that keep to the bounds. A class without room is never chosen. The class that is farthest
    from where it belongs takes its price, until none is farther than `within`, a share of all rows. A `start` from
    similar bids saves work.

    Examples
    --------
    >>> bids = np.array([[1.0, 0.0], [0.8, 0.0], [0.2, 0.0], [0.1, 0.0]])
    >>> (bids + auctioned(bids, np.array([0, 1]), np.array([4, 4]))).argmax(axis=1).tolist()
    [0, 0, 0, 1]
    >>> auctioned(bids, np.array([0, 0]), np.array([4, 4])).tolist()
    [0.0, 0.0]
    """
    live = np.flatnonzero(upper > 0)
    least, most = lower[live], upper[live]
    closed = -2.0 * (float(np.ptp(bids)) + 1.0)
    b = np.zeros(live.size) if start is None else start[live].copy()
    ask = (_Passes if live.size > 1 and kernels_pay(len(bids)) else _Table)(bids[:, live], b, closed)
    for _ in range(SWEEPS * live.size):
        sizes = ask.sizes()
        # With an incentive a class belongs at its lower bound, with a price at its upper, with neither between them.
        missed = np.maximum(np.where(b < 0, most, least) - sizes, sizes - np.where(b > 0, least, most))
        j = int(missed.argmax())
        if missed[j] <= within * len(bids):
            break
        b[j] = _cleared(ask.needed(j), int(least[j]), int(most[j]))
        ask.offer(j)
    offsets = np.full(bids.shape[1], closed + min(0.0, 2.0 * float(b.min())))
    offsets[live] = b
    return offsets


class _Table:
    """What rows choose and need at offsets b, from a table of all bids + b."""

    def __init__(self, bids: Block, b: Block, closed: float) -> None:
        self._bids, self._b, self._v = bids, b, bids + b
        self._alone = -np.inf if b.size > 1 else closed

    def sizes(self) -> Sizes:
        """Return how many rows choose each class."""
        return np.bincount(self._v.argmax(axis=1), minlength=self._b.size)

    def needed(self, j: int) -> Block:
        """Return what every row wants to be paid to join class j; what it was offered is taken back."""
        self._v[:, j] = self._alone
        return np.asarray(self._v.max(axis=1) - self._bids[:, j])

    def offer(self, j: int) -> None:
        """Add b_j to the bids for class j."""
        self._v[:, j] = self._bids[:, j] + self._b[j]


class _Passes:
    """The same by a compiled pass over the bids each time, which costs less than a table's."""

    def __init__(self, bids: Block, b: Block, closed: float) -> None:
        self._bids, self._b = np.ascontiguousarray(bids, dtype=np.float64), b

    def sizes(self) -> Sizes:
        from fewlabels.methods import auction_kernels as kernels

        return np.asarray(kernels.counted(self._bids, self._b))

    def needed(self, j: int) -> Block:
        from fewlabels.methods import auction_kernels as kernels

        return np.asarray(kernels.needed_by(self._bids, self._b, j))

    def offer(self, j: int) -> None:
        """Do nothing: every pass adds b."""


def _cleared(needed: Block, lower: int, upper: int) -> float:
    """Return the offset nearest zero at which a class gets between `lower` and `upper` rows.

    `needed` is what every row wants to be paid to join the class.
    """
    willing = int((needed < 0).sum())
    if lower <= willing <= upper:
        return 0.0
    wanted = upper if willing > upper else lower
    if wanted == 0 or wanted == needed.size:
        edge = float(needed.min() if wanted == 0 else needed.max())
        return edge + (-1e-9 if wanted == 0 else 1e-9) * (1.0 + abs(edge))
    parts = np.partition(needed, [wanted - 1, wanted])
    return float(parts[wanted - 1] + parts[wanted]) / 2.0
