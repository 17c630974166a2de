import numpy as np
import pytest
from oracles import nearest_neighbors

from fewlabels.neighbors import find_neighbors

pytestmark = pytest.mark.usefixtures("small_blocks")


@pytest.mark.parametrize("recall", [0.7, 0.95, 1.0])
def test_cells_find_what_they_state(recall):
    X = np.random.default_rng(3).normal(size=(3000, 6))
    found = find_neighbors(X, 8, search="approximate")
    truth = nearest_neighbors(X, 8)[1]
    share = (found.distances <= truth[:, -1:] * (1 + 1e-9)).mean()
    assert share >= 0.95 - 0.01
    assert abs(share - found.recall) < 0.02
    exact = find_neighbors(X, 8, search="approximate", recall=recall)
    assert exact.recall >= recall
