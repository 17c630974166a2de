import sys

import numpy as np
import pytest
from gallery import some_images

from fewlabels import FewlabelsError
from fewlabels.datasets import load_dataset, make_features
from fewlabels.datasets.load import METRIC_OF


def test_made_neighbours_are_those_that_loading_would_find(folder, monkeypatch):
    monkeypatch.setitem(METRIC_OF, "toy", "cosine")
    some_images(folder)
    path = make_features("toy", "pixels", folder, folder)
    made = load_dataset("toy").neighbors
    path.with_name("toy_knn.npz").unlink()
    np.testing.assert_allclose(made.distances[:, :5], load_dataset("toy").neighbors.distances[:, :5], atol=1e-6)


def test_without_torch_one_sentence(folder, monkeypatch):
    some_images(folder)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(FewlabelsError, match=r"\.\[torch\]"):
        make_features("toy", "vae", folder, folder)
