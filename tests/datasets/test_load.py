"""Data sets come from a folder of files, and a folder that is wrong is told so in a sentence."""

import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.datasets import load_dataset
from fewlabels.experiments import Store, named_plan, table_of
from fewlabels.experiments.published import published


def points(n=60):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    return np.eye(3)[y] + 0.1 * rng.normal(size=(n, 3)), y


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
    assert plan.cells[0].spec.params == {"hops": 4, "target_mse": 0.2, "solver": "chebyshev"}
    assert table_of(plan, Store(folder / "t.jsonl"), 1).published["Poisson", "1"] == (90.58, 4.07)
    assert published("table1", "MNIST_vae2")["Poisson", "1"] == (93.11, 3.87)


@pytest.mark.usefixtures("no_data")
def test_draws_are_the_same_for_every_method_and_differ_between_trials():
    data = load_dataset("digits")
    assert data.seeds("1", 3).indices.tolist() == load_dataset("digits").seeds("1", 3).indices.tolist()
    assert data.seeds("1", 3).indices.tolist() != data.seeds("1", 4).indices.tolist()
    unbalanced = data.seeds("unbalanced", 0)
    assert np.bincount(unbalanced.codes).tolist() == [1, 5] * 5
