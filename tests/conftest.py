"""Fixtures; real data is found through FEWLABELS_DATA, or in the folder that lies beside a checkout."""

import importlib
import os
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from gallery import blob_points, ring_of_blobs
from labelling import NAMES, write
from trials import TINY, TOY

from fewlabels import Graph, Seeds
from fewlabels.cli import main
from fewlabels.datasets import load_dataset
from fewlabels.experiments import EXPERIMENTS
from fewlabels.neighbors import Neighbors, NeighborSearch

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


@pytest.fixture(scope="module", name="graph")
def _graph():
    return ring_of_blobs()


@pytest.fixture(name="problem")
def _problem():
    X, truth = blob_points(noise=0.35)
    y = np.where(np.arange(truth.size) % 40 == 5, truth, -1)
    return X, y, truth


@pytest.fixture(name="folder")
def _folder(tmp_path, monkeypatch):
    """A folder with 160 points in four blobs, as features.npy, and one label of each, as labels.csv."""
    monkeypatch.chdir(tmp_path)
    X, y = blob_points(noise=0.3)
    np.save("features.npy", X)
    write("labels.csv", "row,label", *[f"{row},{NAMES[y[row]]}" for row in (5, 45, 85, 125)])
    return tmp_path


@pytest.fixture
def compiled_everywhere(monkeypatch):
    """Take the compiled way on small graphs too, with aggregates of several nodes."""
    pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    monkeypatch.setattr("fewlabels.compiled.PAY_FROM", 0)
    monkeypatch.setattr("fewlabels.systems.coarse.MOST_AGGREGATES_SMALL", 4)
    monkeypatch.setattr("fewlabels.systems.coarse.ENOUGH_AGGREGATES", 4)
    monkeypatch.setattr("fewlabels.solvers.auto.SMALL_GRAPH", 0)
    monkeypatch.setattr("fewlabels.solvers.auto.STIFF_DEPTH", 10_000)


@pytest.fixture(params=[30_000, 0], ids=["columns apart", "rows shared"])
def columns_apart_or_rows_shared(request, monkeypatch):
    """Let each thread solve for columns of its own, as on small graphs, then let all share the rows."""
    for module in ("fused", "fused_walk"):
        monkeypatch.setattr(f"fewlabels.solvers.{module}.FEW_ROWS", request.param)


@pytest.fixture
def small_blocks(monkeypatch):
    """Let a few hundred points make many blocks, the last of them cut off."""
    pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    monkeypatch.setattr("fewlabels.compiled.PAY_FROM", 2)
    monkeypatch.setattr("fewlabels.neighbors.pairs.BLOCK_SIZE", 64)
    monkeypatch.setattr("fewlabels.neighbors.pairs.TILE_ROWS", 24)


@pytest.fixture
def no_data(monkeypatch, tmp_path):
    """A data folder that does not exist: digits come from scikit-learn, with draws of their own."""
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path / "no-data"))


@pytest.fixture
def blob_data(monkeypatch, tmp_path):
    """Two small data sets, the name of one of which is the end of the other's."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("FEWLABELS_DATA", str(folder))
    rng, y = np.random.default_rng(0), np.arange(90) % 3
    for name in ("blobs", "big-blobs"):
        np.savez(folder / f"{name}_features.npz", Z=np.eye(3)[y] + 0.1 * rng.normal(size=(90, 3)), y=y)


@pytest.fixture
def suite_folder(monkeypatch, tmp_path):
    """A data folder with two small sets of the suite: three blobs each, and one blob far from all others."""
    folder = tmp_path / "data" / "suite"
    folder.mkdir(parents=True)
    monkeypatch.setenv("FEWLABELS_DATA", str(folder.parent))
    for seed, name in enumerate(("covtype", "cells")):
        rng, y = np.random.default_rng(seed), np.arange(90) % 3
        X = 3 * np.eye(3)[y] + 0.4 * rng.normal(size=(90, 3)) + 100.0 * (np.arange(90) >= 72)[:, None]
        np.savez(folder / f"{name}.npz", X=X.astype(np.float32), y=y.astype(np.int16))
    monkeypatch.setattr("fewlabels.experiments.suite_data.CUT", {"covtype": 60})
    return folder


@pytest.fixture(scope="session", name="unbroken")
def _unbroken(tmp_path_factory):
    """The store of a tiny run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("unbroken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWLABELS_DATA", str(folder / "no-data"))
        assert main([*TINY, "--out", str(folder)]) == 0
    return folder / "trials.jsonl"


@pytest.fixture(name="toy")
def _toy(monkeypatch):
    monkeypatch.setitem(EXPERIMENTS, "toy", TOY)


@pytest.fixture(name="counted")
def _counted(monkeypatch):
    """Count loads of data sets and searches for neighbours."""
    counts = Counter()

    def load(name):
        counts[f"load {name}"] += 1
        return load_dataset(name)

    class Counted(NeighborSearch):
        def among_themselves(self, *arguments, **options):
            counts["search"] += 1
            return super().among_themselves(*arguments, **options)

    rooms = [module for name, module in sys.modules.items() if name.startswith("fewlabels.experiments")]
    for module in rooms:
        if hasattr(module, "load_dataset"):
            monkeypatch.setattr(module, "load_dataset", load)
    monkeypatch.setattr("fewlabels.datasets.load.NeighborSearch", Counted)
    return counts


@pytest.fixture
def entries_at_once(monkeypatch):
    """Let a test say how many rows times columns are solved for together."""
    module = importlib.import_module("fewlabels.solvers.solve")
    return lambda entries: monkeypatch.setattr(module, "ENTRIES_AT_ONCE", entries)
