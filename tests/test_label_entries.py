import numpy as np

from fewlabels import Seeds


def test_unlabelled_signs():
    for y in (
        [-1, 3, -1, 4],
        ["", "cat", "-1", "dog"],
        np.array([np.nan, 3.0, -1.0, 4.0]),
        np.array([None, "cat", "", "dog"], dtype=object),
        np.array([-1, "cat", float("nan"), "dog"], dtype=object),
        [float("nan"), "cat", None, "dog"],
        np.ma.masked_equal([5, 3, 5, 4], 5),
    ):
        assert Seeds.from_y(y).indices.tolist() == [1, 3]
