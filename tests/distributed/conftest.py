"""One cluster of two workers on this machine for all tests of the room."""

import numpy as np
import pytest

pytest.importorskip("distributed")


@pytest.fixture(scope="session")
def client():
    from fewlabels.distributed.clusters import opened

    with opened("local:2", "1GB") as client:
        yield client


@pytest.fixture(scope="session")
def blobs():
    """Five blobs that touch, their classes, and three labels of each."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(5, 12)) * 2.0
    y = np.repeat(np.arange(5), 240)
    X = (centres[y] + rng.normal(size=(y.size, 12))).astype(np.float32)
    order = rng.permutation(y.size)
    X, y = X[order], y[order]
    rows = np.concatenate([np.flatnonzero(y == j)[:3] for j in range(5)])
    return X, y, rows
