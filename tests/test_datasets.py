"""Data sets come from a folder of files, and a folder that is wrong is told so in a sentence."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.cli import main
from fewlabels.datasets import data_folder, load_dataset, make_features
from fewlabels.datasets.images import load_images
from fewlabels.datasets.load import METRIC_OF
from fewlabels.datasets.vae import vae_features
from fewlabels.experiments import Store, named_plan, table_of
from fewlabels.experiments.published import published


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    return tmp_path


def points(n=60):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    return np.eye(3)[y] + 0.1 * rng.normal(size=(n, 3)), y


def test_the_folder_is_the_one_that_is_named(folder, monkeypatch):
    assert data_folder() == folder
    monkeypatch.delenv("FEWLABELS_DATA")
    assert data_folder().name == "fewlabels"


def test_neighbours_are_computed_where_only_features_lie(folder):
    Z, y = points()
    np.savez(folder / "toy_features.npz", Z=Z, y=y)
    data = load_dataset("toy")
    assert data.graph.n_nodes == 60
    assert data.neighbors.n_neighbors == 10
    assert data.features.shape == (60, 3)


def test_a_table_of_neighbours_and_labels_is_enough(folder):
    Z, y = points()
    distances = np.sqrt(((Z[:, None] - Z[None]) ** 2).sum(axis=2))
    J = np.argsort(distances, axis=1)[:, :12]
    np.savez(folder / "toy_knn.npz", J=J, D=np.take_along_axis(distances, J, axis=1))
    with pytest.raises(FewlabelsError, match=r"add toy_labels\.npz"):
        load_dataset("toy")
    np.savez(folder / "toy_labels.npz", y=y)
    data = load_dataset("toy")
    assert data.features is None
    assert data.neighbors.n_neighbors == 11
    np.savez(folder / "toy_features.npz", Z=Z, y=y)
    assert load_dataset("toy").checksum == data.checksum


def test_fixed_draws_beside_the_data_are_used(folder):
    Z, y = points()
    np.savez(folder / "toy_features.npz", Z=Z, y=y)
    own = load_dataset("toy")
    np.savez(folder / "draws_toy.npz", r1=np.array([[3, 1, 2], [6, 4, 5]]))
    fixed = load_dataset("toy")
    assert fixed.seeds("1", 1).indices.tolist() == [6, 4, 5]
    assert fixed.seeds("1", 2).indices.tolist() == own.seeds("1", 2).indices.tolist()
    assert fixed.checksum != own.checksum


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "data set 'toy' is not in"),
        ({"toy_features.npz": {"X": np.ones((3, 2))}}, "has no array Z"),
        ({"toy_features.npz": {"Z": np.ones((30, 2)), "y": np.zeros(29, dtype=int)}}, "disagree about the number"),
    ],
)
def test_a_wrong_folder_gets_one_sentence(folder, files, sentence):
    for name, arrays in files.items():
        np.savez(folder / name, **arrays)
    with pytest.raises(FewlabelsError, match=sentence):
        load_dataset("toy")


def test_a_damaged_file_is_refused(folder):
    (folder / "toy_features.npz").write_bytes(b"PK not really")
    with pytest.raises(FewlabelsError, match=r"damaged, truncated or not an \.npz"):
        load_dataset("toy")


def some_images(folder, name="toy", n=300):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    X = np.clip(120 * np.kron(np.eye(3), np.ones((1, 12)))[y] + rng.integers(0, 60, size=(n, 36)), 0, 255)
    np.savez(folder / f"{name}_images.npz", X=X.reshape(n, 6, 6).astype(np.uint8), y=y)


def test_pixels_become_a_data_set(folder, capsys):
    some_images(folder)
    assert main(["features", "toy", "--model", "pixels"]) == 0
    data = load_dataset("toy")
    assert data.features.shape == (300, 36)
    assert data.features.max() <= 1.0
    assert data.neighbors.n_neighbors == 30
    assert main(["features", "toy", "--model", "pixels"]) == 2
    assert "is there already" in capsys.readouterr().err


def test_made_neighbours_are_those_that_loading_would_find(folder, monkeypatch):
    monkeypatch.setitem(METRIC_OF, "toy", "cosine")
    some_images(folder)
    path = make_features("toy", "pixels", folder, folder)
    made = load_dataset("toy").neighbors
    path.with_name("toy_knn.npz").unlink()
    np.testing.assert_allclose(made.distances[:, :5], load_dataset("toy").neighbors.distances[:, :5], atol=1e-6)


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


def test_without_torch_one_sentence(folder, monkeypatch):
    some_images(folder)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(FewlabelsError, match=r"fewlabels\[torch\]"):
        make_features("toy", "vae", folder, folder)


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


def test_the_authors_files_load_by_their_own_names(folder):
    Z, y = points()
    distances = np.sqrt(((Z[:, None] - Z[None]) ** 2).sum(axis=2))
    J = np.argsort(distances, axis=1)[:, :12]
    np.savez(folder / "MNIST_vae.npz", J=J, D=np.take_along_axis(distances, J, axis=1))
    np.savez(folder / "mnist_labels.npz", labels=y)
    np.savez(folder / "draws_mnist.npz", r1=np.array([[3, 1, 2]]))
    data = load_dataset("MNIST_vae")
    assert data.y.tolist() == y.tolist()
    assert data.seeds("1", 0).indices.tolist() == [3, 1, 2]
    plan = named_plan("table1", "MNIST_vae", ["1"], ["Inter-Laplace"])
    assert plan.cells[0].spec.params == {"hops": 4, "target_mse": 0.2}
    assert table_of(plan, Store(folder / "t.jsonl"), 1).published["Poisson", "1"] == (90.58, 4.07)
    assert published("table1", "MNIST_vae2")["Poisson", "1"] == (93.11, 3.87)
