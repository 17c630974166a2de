"""The recipes of CONTRIBUTING.md, followed to the letter: everything generic takes the new thing up."""

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import test_never
from gallery import GALLERY, blob_points
from oracles import laplacian

from fewlabels import FewLabelClassifier, FewlabelsError, Graph, Seeds
from fewlabels.cli import main
from fewlabels.experiments import EXPERIMENTS, Spec
from fewlabels.experiments.paper import by_rate
from fewlabels.experiments.planning import planned
from fewlabels.methods import METHODS
from fewlabels.neighbors import METRICS, SEARCHES, NeighborSearch

TEXT = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def recipe(file, name, line):
    """Return what a recipe's code defines; the line for the registry must stand in the text."""
    code = next(block for block in re.findall(r"```python\n(.*?)```", TEXT, re.S) if block.startswith(f"# {file}\n"))
    assert f"\n    {line}\n" in TEXT
    module = ModuleType("recipe")
    sys.modules["recipe"] = module
    exec(compile(code, file, "exec"), vars(module))
    return getattr(module, name)


@pytest.fixture(name="method")
def _method(monkeypatch):
    kind = recipe(
        "src/fewlabels/methods/screened_laplace.py", "ScreenedLaplace", '"screened-laplace": ScreenedLaplace,'
    )
    monkeypatch.setitem(METHODS, "screened-laplace", kind)
    return kind()


@pytest.fixture(name="files")
def _files(tmp_path, monkeypatch):
    """Features and labels as a user brings them, and the same as a data set for experiments."""
    X, truth = blob_points()
    np.save(tmp_path / "X.npy", X)
    rows = [int(np.flatnonzero(truth == j)[0]) for j in np.unique(truth)]
    (tmp_path / "labels.csv").write_text("row,label\n" + "".join(f"{row},c{truth[row]}\n" for row in rows))
    (tmp_path / "data").mkdir()
    np.savez(tmp_path / "data" / "blobs_features.npz", Z=X, y=truth)
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path / "data"))
    return tmp_path, truth


def label(folder, *options):
    out = folder / "result.csv"
    code = main(
        ["label", str(folder / "X.npy"), str(folder / "labels.csv"), "--out", str(out), "-q", "--force", *options]
    )
    assert code == 0
    return np.array([line.split(",")[1] for line in out.read_text().splitlines()[1:]])


@pytest.mark.parametrize("name", GALLERY)
def test_the_method_is_its_formula(method, name):
    graph = GALLERY[name]()
    if graph.n_components > 1:
        pytest.skip("what nodes without labels get is the same for all methods")
    seeds = Seeds.from_classes([0, graph.n_nodes - 1], [0, 1])
    sources = np.zeros((graph.n_nodes, 2))
    sources[seeds.indices] = np.eye(2)
    expected = np.linalg.solve(laplacian(graph.weights.toarray()) + 0.05 * np.diag(graph.degrees), sources)
    np.testing.assert_allclose(method.scores(graph, seeds), expected, atol=1e-6 * expected.max())


def test_the_estimator_and_the_command_take_the_method(method, files):
    folder, truth = files
    y = np.full(truth.size, -1)
    y[[int(np.flatnonzero(truth == j)[0]) for j in np.unique(truth)]] = np.unique(truth)
    fitted = FewLabelClassifier(method="screened-laplace").fit(np.load(folder / "X.npy"), y)
    assert np.mean(fitted.transduction_ == truth) > 0.75
    found = label(folder, "--method", "screened-laplace")
    assert found.tolist() == [f"c{j}" for j in fitted.transduction_]
    assert np.isfinite(fitted.set_params(method__strength=0.2).fit(np.load(folder / "X.npy"), y).scores_).all()


def test_tables_take_the_method(method, files, monkeypatch):
    folder, _ = files
    entry = planned("toy", "A toy", rates=("1",), cells=by_rate(lambda *_: {"Screened": Spec("screened-laplace")}))
    monkeypatch.setitem(EXPERIMENTS, "toy", entry)
    assert main(["paper", "toy", "--dataset", "blobs", "--trials", "2", "--out", str(folder), "--quiet"]) == 0
    assert re.search(r"\| Screened \| \d+\.\d+ ± \d+\.\d+ \| 2 \|", (folder / "toy-blobs.md").read_text())


NEVER = [
    name
    for name, test in vars(test_never).items()
    if name.startswith("test_") and test.__code__.co_varnames[: test.__code__.co_argcount] == ("method",)
]


@pytest.mark.parametrize("name", NEVER)
@pytest.mark.filterwarnings("ignore::fewlabels.UnreachedWarning")
def test_what_must_never_happen_does_not_happen_to_it(method, name):
    getattr(test_never, name)(method)


def test_bad_parameters_of_the_method_are_refused(method):
    graph, seeds = GALLERY["ring_of_blobs"](), Seeds.from_classes([0, 5], [0, 1])
    with pytest.raises(FewlabelsError, match="above zero"):
        type(method)(strength=0.0).scores(graph, seeds)
    with pytest.raises(FewlabelsError, match="for classes"):
        method.scores(graph, Seeds.from_values([0, 1], [0.0, 1.0]))


def test_the_metric_is_taken_up(files, monkeypatch):
    folder, _ = files
    metric = recipe("src/fewlabels/neighbors/metrics.py", "Correlation", "Correlation(),")()
    monkeypatch.setitem(METRICS, metric.name, metric)
    X = np.random.default_rng(0).normal(size=(40, 5))
    gaps = np.sqrt(np.maximum(2 - 2 * np.corrcoef(X), 0))
    np.fill_diagonal(gaps, np.inf)
    found = NeighborSearch(X, metric="correlation").among_themselves(3)
    np.testing.assert_allclose(found.distances, np.sort(gaps, axis=1)[:, :3], atol=1e-7)
    assert Graph.from_features(X, 3, metric="correlation").n_nodes == 40
    y = np.where(np.arange(40) < 4, np.arange(40) % 2, -1)
    assert FewLabelClassifier(metric="correlation", n_neighbors=5).fit(X, y).predict(2 * X[:2] + 1).size == 2
    assert label(folder, "--metric", "correlation").size == len(np.load(folder / "X.npy"))


def test_the_backend_is_taken_up(files, monkeypatch):
    folder, _ = files
    backend = recipe("src/fewlabels/neighbors/brute_force.py", "BruteForce", '"brute-force": BruteForce,')
    plain = label(folder, "--search", "exact")
    monkeypatch.setitem(SEARCHES, "brute-force", backend)
    X = np.load(folder / "X.npy")
    exact, found = (NeighborSearch(X, search=name).among_themselves(5) for name in ("exact", "brute-force"))
    np.testing.assert_allclose(found.distances, exact.distances)
    np.testing.assert_array_equal(label(folder, "--search", "brute-force"), plain)
    with pytest.raises(FewlabelsError, match="brute-force"):
        NeighborSearch(X, search="something")


def test_the_experiment_is_taken_up(files, monkeypatch, capsys):
    folder, _ = files
    entry = recipe("src/fewlabels/experiments/two_methods.py", "TWO_METHODS", "TWO_METHODS,")
    monkeypatch.setitem(EXPERIMENTS, entry.name, entry)
    assert main(["paper", "LIST"]) == 0
    assert "Poisson and WNLL side by side" in capsys.readouterr().out
    command = ["paper", "two-methods", "--dataset", "blobs", "--trials", "2", "--out", str(folder), "--quiet"]
    assert main(command) == 0
    lines = (folder / "trials.jsonl").read_text().splitlines()
    assert len(lines) == 8
    assert main(command) == 0
    assert (folder / "trials.jsonl").read_text().splitlines() == lines
    table = (folder / "two-methods-blobs.md").read_text()
    assert all(f"| {row} | " in table for row in ("Poisson", "WNLL"))
    assert (folder / "two-methods-blobs.png").stat().st_size > 1000
    assert "<svg" in (folder / "two-methods.html").read_text()
