"""What the outside world relies on."""

import subprocess
import sys
from pathlib import Path

import pytest

import fewlabels

ROOT = Path(__file__).resolve().parents[1]


def test_public_names_are_frozen():
    assert sorted(fewlabels.__all__) == [
        "CenteredKernel",
        "FewLabelClassifier",
        "FewLabelRegressor",
        "FewlabelsError",
        "FewlabelsWarning",
        "Graph",
        "InterfaceLaplace",
        "InterfaceLaplaceDirichlet",
        "InterfaceLaplaceNetwork",
        "Laplace",
        "MBO",
        "MissingExtraError",
        "NearestNeighbor",
        "PLaplace",
        "Poisson",
        "PoissonMBO",
        "RandomWalk",
        "Refined",
        "Seeds",
        "SolveWarning",
        "SparseLabelPropagation",
        "UnreachedWarning",
        "VPoisson",
        "VolumeMBO",
        "WNLL",
    ]
    assert all(hasattr(fewlabels, name) for name in fewlabels.__all__)
    assert set(fewlabels.__all__) <= set(dir(fewlabels))
    with pytest.raises(AttributeError, match="no attribute 'Grap'"):
        _ = fewlabels.Grap


def test_importing_brings_in_nothing_heavy():
    heavy = ["sklearn", "matplotlib", "faiss", "pyarrow", "threadpoolctl", "tqdm", "pyamg", "numba", "torch"]
    code = f"import sys, fewlabels; print([m for m in {heavy} if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_ci_runs_the_test_command_of_the_readme():
    command = "python3 -m pip install -e '.[test]' && python3 check.py"
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_readmes_example_runs(tmp_path, monkeypatch, capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    example = text.split("```python\n")[1].split("```")[0]
    assert len(example.strip().splitlines()) <= 15
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec"), {})
    assert float(capsys.readouterr().out.split()[0].rstrip("%")) > 80


def test_the_version_is_told_once():
    assert f'version = "{fewlabels.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"## [{fewlabels.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_files_stay_short():
    for path in (ROOT / "src").rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path
