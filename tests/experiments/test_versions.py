"""A version changes with the code behind an answer, and with nothing else."""

import sys

import pytest

from fewlabels.experiments.versions import _code, _file, _imported, code_version, modules_behind
from fewlabels.methods import METHODS

CACHED = (code_version, modules_behind, _imported, _file, _code)


@pytest.fixture(name="package")
def _package(tmp_path, monkeypatch):
    """Return a way to write a module of a small package that stands for ours, and to ask for the version of another."""
    monkeypatch.setattr("fewlabels.experiments.versions.PACKAGE", "toylabels")
    monkeypatch.setattr("fewlabels.experiments.versions.version", lambda package: "7.0")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "toylabels").mkdir()

    def write(name, text):
        (tmp_path / "toylabels" / f"{name}.py").write_text(text)
        for name in [each for each in sys.modules if each.startswith("toylabels")]:
            del sys.modules[name]
        for function in CACHED:
            function.cache_clear()

    write("__init__", "")
    write("solve", "def solve(b):\n    return 2 * b\n")
    write("method", "from toylabels.solve import solve\n\n\ndef spread(b):\n    return solve(b)\n")
    write("other", "ANSWER = 42\n")
    yield write
    for function in CACHED:
        function.cache_clear()


def test_a_version_follows_the_code_that_is_imported_and_no_other(package):
    before = code_version("toylabels.method")
    assert before.startswith("7.0+")
    package("other", "ANSWER = 43\n")
    assert code_version("toylabels.method") == before
    package("solve", "def solve(b):\n    return 3 * b\n")
    assert code_version("toylabels.method") != before


def test_words_about_the_code_do_not_count(package):
    before = code_version("toylabels.method")
    package("solve", '"""Solve."""\n\n\ndef solve(b):\n    """Twice b."""\n    return 2 * b  # exact\n')
    assert code_version("toylabels.method") == before


def test_a_module_that_is_imported_in_a_function_counts_and_its_package_does_not(package):
    package("method", "def spread(b):\n    from toylabels import solve as way\n    return way.solve(b)\n")
    assert modules_behind("toylabels.method") == ("toylabels.method", "toylabels.solve")


def test_methods_stand_alone():
    for name, method in METHODS.items():
        behind = modules_behind(method.__module__)
        assert "fewlabels.methods" not in behind, f"{name} would change with every method that is added"
        assert "fewlabels.graph" in behind


def test_a_method_that_was_made_in_a_session_has_a_version_too():
    assert code_version("__main__") != code_version("fewlabels.methods.poisson")
