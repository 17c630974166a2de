"""Blocks of cells: balanced, each a region."""

from itertools import pairwise

import numpy as np

from fewlabels.distributed.blocks import bisected


def test_blocks_are_balanced_and_lie_together():
    rng = np.random.default_rng(0)
    centres, weights = rng.normal(size=(400, 3)), rng.uniform(0.5, 1.5, 400)
    order, first = bisected(centres, weights, 7)
    assert sorted(order.tolist()) == list(range(400))
    sums = np.add.reduceat(weights[order], first[:-1])
    assert sums.max() / sums.mean() < 1.15
    spread = [centres[order[a:b]].var(axis=0).sum() for a, b in pairwise(first)]
    assert np.mean(spread) < 0.6 * centres.var(axis=0).sum()
