"""Fixtures; real data is found through FEWLABELS_DATA, or in the folder that lies beside a checkout."""

import os
from pathlib import Path

import numpy as np
import pytest

from fewlabels import Graph, Seeds
from fewlabels.neighbors import Neighbors

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_file(folder, name):
    data = Path(os.environ.get("FEWLABELS_DATA", BESIDE))
    path = data / name if folder == "data" else data.parent / folder / name
    if not path.exists():
        pytest.skip(f"needs {folder}/{name}; set FEWLABELS_DATA to a data folder that has it")
    return path


@pytest.fixture(scope="session")
def shared_graph():
    made = {}

    def make(name):
        if name not in made:
            near = Neighbors.load(shared_file("data", f"{name}_knn.npz"))
            made[name] = Graph.from_neighbors(near, n_neighbors=10)
        return made[name]

    return make


@pytest.fixture(scope="session")
def shared_labels():
    return lambda name: np.load(shared_file("data", f"{name}_labels.npz"))["y"]


@pytest.fixture(scope="session")
def shared_reference():
    return lambda name: np.load(shared_file("reference", f"{name}.npz"))


SHARED = Path(os.environ.get("FEWLABELS_DATA", BESIDE))


@pytest.fixture(scope="session")
def shared_arrays():
    def load(name):
        if not (SHARED / f"{name}.npz").exists():
            pytest.skip(f"needs data/{name}.npz; set FEWLABELS_DATA to a data folder that has it")
        return np.load(SHARED / f"{name}.npz")

    return load


@pytest.fixture
def path_graph():
    return Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))


@pytest.fixture
def path_seeds():
    return Seeds.from_classes([0, 5], [0, 1])
