from types import SimpleNamespace

import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.datasets.images import load_images


def test_a_download_that_fails_or_is_cut_off_leaves_nothing(folder, monkeypatch):
    def no_network(*_, **__):
        raise OSError("no route to host")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", no_network)
    with pytest.raises(FewlabelsError, match=r"could not be downloaded .*mnist_images\.npz"):
        load_images(folder, "mnist")
    short = SimpleNamespace(data=np.zeros((60_000, 784)), target=np.array(["0"] * 60_000))
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: short)
    with pytest.raises(FewlabelsError, match="get them again"):
        load_images(folder, "mnist")
    wrong = SimpleNamespace(data=np.zeros((70_000, 784)), target=np.array(["0"] * 70_000))
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: wrong)
    with pytest.raises(FewlabelsError, match="not the published data set"):
        load_images(folder, "mnist")
    assert not (folder / "mnist_images.npz").exists()


def test_a_whole_download_becomes_the_file_that_is_read_next_time(folder, monkeypatch, shared_arrays):
    arrays = shared_arrays("mnist_images")
    whole = SimpleNamespace(data=arrays["X"].reshape(70_000, 784).astype(float), target=arrays["y"].astype(str))
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: whole)
    X, y = load_images(folder, "mnist")
    monkeypatch.delattr("sklearn.datasets.fetch_openml")
    again = load_images(folder, "mnist")
    np.testing.assert_array_equal(X, again[0])
    np.testing.assert_array_equal(y, again[1])
