import numpy as np
import pytest
from gallery import some_images

from fewlabels import FewlabelsError
from fewlabels.datasets import load_dataset, make_features
from fewlabels.datasets.vae import vae_features


def test_an_interrupted_training_ends_like_one_that_was_not(folder, tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="the extra 'torch' is not installed")
    some_images(folder)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    make_features("toy", "vae", folder, whole, epochs=4)
    images = np.load(folder / "toy_images.npz")["X"].reshape(300, -1)
    parts.mkdir()
    vae_features(images, parts / "toy_vae_progress.npz", epochs=2)
    with np.load(parts / "toy_vae_progress.npz", allow_pickle=False) as saved:
        assert saved["step mean"] == 2 * np.ceil(300 / 128)
        assert all(saved[name].dtype != object for name in saved.files)
    with pytest.raises(FewlabelsError, match="another seed"):
        vae_features(images, parts / "toy_vae_progress.npz", epochs=2, seed=1)
    make_features("toy", "vae", folder, parts, epochs=4)
    a, b = (np.load(place / "toy_features.npz")["Z"] for place in (whole, parts))
    np.testing.assert_array_equal(a, b)
    assert a.shape == (300, 20)
    assert not list(parts.glob("*progress*"))


def test_the_autoencoder_learns_what_is_in_the_images(folder):
    pytest.importorskip("torch", reason="the extra 'torch' is not installed")
    some_images(folder, n=900)
    make_features("toy", "vae", folder, folder, epochs=25)
    data = load_dataset("toy")
    same = data.y[data.neighbors.indices[:, :5]] == data.y[:, None]
    assert same.mean() > 0.95
