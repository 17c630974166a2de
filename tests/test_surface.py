"""What the outside world relies on."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fewlabels
from fewlabels import errors

ROOT = Path(__file__).resolve().parents[1]


def test_public_names_are_frozen():
    assert sorted(fewlabels.__all__) == [
        "AuctionDynamics",
        "CenteredKernel",
        "CutSSL",
        "FewLabelClassifier",
        "FewLabelRegressor",
        "FewlabelsError",
        "FewlabelsWarning",
        "Graph",
        "InterfaceLaplace",
        "InterfaceLaplaceDirichlet",
        "InterfaceLaplaceNetwork",
        "LabelingLoop",
        "Laplace",
        "MBO",
        "MissingExtraError",
        "NearestNeighbor",
        "OneClassWarning",
        "PConductance",
        "PLaplace",
        "Poisson",
        "PoissonMBO",
        "PoissonReweighted",
        "Predictor",
        "RandomWalk",
        "Refined",
        "Seeds",
        "SolveWarning",
        "SparseLabelPropagation",
        "UnreachedWarning",
        "VPoisson",
        "VolumeMBO",
        "WNLL",
        "on_labelled",
        "page",
    ]
    assert all(hasattr(fewlabels, name) for name in fewlabels.__all__)
    assert set(fewlabels.__all__) <= set(dir(fewlabels))
    with pytest.raises(AttributeError, match="no attribute 'Grap'"):
        _ = fewlabels.Grap


def test_every_warning_and_error_has_a_name_at_the_top():
    kinds = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert kinds <= set(fewlabels.__all__)
    assert (ROOT / "src" / "fewlabels" / "py.typed").exists()


def test_importing_brings_in_nothing_heavy():
    heavy = [
        "numpy",
        "scipy",
        "sklearn",
        "matplotlib",
        "faiss",
        "pyarrow",
        "threadpoolctl",
        "tqdm",
        "pyamg",
        "numba",
        "torch",
    ]
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
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 300, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert node.end_lineno - node.lineno + 1 <= 60, f"{path}: {node.name}"
    for path in (ROOT / "tests").rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, path


TESTED_ELSEWHERE = {
    "atlas/kernels.py": "compiled, and tested through its caller in atlas/test_forces.py",
    "distributed/answered.py": "its files are read in distributed/test_labelling.py",
    "distributed/deciding.py": "its confidences are held to those of one machine in distributed/test_labelling.py",
    "distributed/edges.py": "its weights are held to those of one machine in distributed/test_labelling.py",
    "distributed/hops.py": "hops are held to those of one machine in distributed/test_labelling.py",
    "distributed/kernels.py": "compiled, and tested through its caller in distributed/test_scaled.py",
    "distributed/right_sides.py": "its blocks are held to dense ones in distributed/test_steps.py",
    "distributed/rows.py": "its weights are held to those of one machine in distributed/test_labelling.py",
    "distributed/sizes.py": "class sizes are exact in distributed/test_labelling.py",
    "distributed/spreading.py": "every method is held to one machine in distributed/test_labelling.py",
    "distributed/writing.py": "its files are read in cli/test_cluster.py and distributed/test_sturdy.py",
    "neighbors/scan.py": "compiled, and tested through its caller in neighbors/test_pairs.py",
    "solvers/triangular_kernels.py": "compiled, and tested through its caller in solvers/test_triangular.py",
    "solvers/kernels.py": "compiled, and tested through its caller in solvers/test_fused.py",
    "solvers/walk_kernels.py": "compiled, and tested through its caller in solvers/test_fused_walk.py",
    "methods/auction_kernels.py": "compiled, and tested through its caller in methods/test_auction_dynamics.py",
    "methods/p_conductance_kernels.py": "compiled, and tested through its caller in methods/test_p_conductance.py",
    "methods/plaplace_kernels.py": "compiled, and tested beside its caller in methods/test_plaplace.py",
    "methods/sparse_kernels.py": "compiled, and tested through its caller in methods/test_sparse_label_propagation.py",
    "methods/interface_spread.py": "fields alone; methods/test_interface_laplace.py holds each to its formula",
    "tabular/names.py": "names alone; tabular/test_columns.py and tabular/test_label_file.py read files that use them",
}

ACROSS_MODULES = {
    "browser/test_actions.py": "every action of the page, in a browser",
    "browser/test_checking.py": "a checking round, in a browser",
    "browser/test_frame.py": "the page in a frame, in a browser",
    "browser/test_hostile.py": "labels and texts that mean harm, in a browser",
    "browser/test_labelling.py": "digits from nothing to labelled, in a browser",
    "browser/test_map.py": "the map, in a browser",
    "browser/test_never_lost.py": "reloads and killed servers, in a browser",
    "browser/test_read_out.py": "what a screen reader is told, in a browser",
    "browser/test_reports.py": "the report of a labelling, in a browser",
    "browser/test_touch.py": "the page by fingers, in a browser",
    "browser/test_readable.py": "light, dark and narrow, in a browser",
    "distributed/test_sturdy.py": "killed workers and clients, and a full disk",
    "web/test_static.py": "the front end as text, and its types",
    "test_contributing.py": "the recipes of CONTRIBUTING.md",
    "test_documents.py": "the code and links of the README and of every document",
    "test_every_method.py": "what every method owes",
    "test_never.py": "what must never happen, whatever the method",
    "test_never_on_random_graphs.py": "the same on random graphs of the kinds that break things",
    "test_portable.py": "what only some systems have",
    "test_first_hour.py": "what went wrong in a newcomer's first hour",
    "test_random_files.py": "files of every kind, most of them broken",
    "test_reference.py": "what the paper's authors computed",
    "test_rows_as_they_come.py": "order of rows, columns and values that must not move an answer",
    "test_site.py": "the site, built from docs/ and examples/",
    "test_surface.py": "what the outside world relies on",
}


def test_tests_lie_where_the_file_they_test_lies():
    source, tests = ROOT / "src" / "fewlabels", ROOT / "tests"
    modules = {path.relative_to(source) for path in source.rglob("*.py") if not path.name.startswith("__")}
    mirrored = {module.with_name(f"test_{module.name}"): module.as_posix() for module in modules}
    there = {path.relative_to(tests) for path in tests.rglob("test_*.py")}
    assert {mirrored[place] for place in mirrored.keys() - there} == set(TESTED_ELSEWHERE)
    assert {place.as_posix() for place in there - mirrored.keys()} == set(ACROSS_MODULES)
