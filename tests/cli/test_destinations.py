import io
import sys
from pathlib import Path

import numpy as np
import pytest
from labelling import read, write

from fewlabels import FewlabelsError
from fewlabels.cli import main
from fewlabels.cli.destinations import TABLES, called, check_new, named_columns


def terminal(monkeypatch, answer):
    """Let somebody sit at a terminal and type an answer."""
    for name, stream in (("stdin", io.StringIO(answer)), ("stderr", io.StringIO())):
        stream.isatty = lambda: True
        monkeypatch.setattr(sys, name, stream)


def test_a_result_is_overwritten_only_when_that_is_wanted(folder, capsys, monkeypatch):
    write("result.csv", "precious")
    command = ["label", "-q", "features.npy", "labels.csv", "-o", "result.csv", "--method", "laplace"]
    assert main(command) == 2
    assert "result.csv: exists already; add --force" in capsys.readouterr().err
    assert Path("result.csv").read_text() == "precious\n"
    assert main([*command, "--force"]) == 0
    assert len(read("result.csv")) == 160
    for answer, wanted in (("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("", False)):
        with monkeypatch.context() as patch:
            terminal(patch, answer)
            if wanted:
                check_new(Path("result.csv"), TABLES, (), force=False)
            else:
                with pytest.raises(FewlabelsError, match="exists already"):
                    check_new(Path("result.csv"), TABLES, (), force=False)


def test_pages_and_models_are_not_overwritten_either(folder, capsys):
    for option, name in (("--report", "page.html"), ("--save", "model.npz")):
        write(name, "precious")
        assert main(["label", "-q", "features.npy", "labels.csv", "-o", "result.csv", option, name]) == 2
        assert f"{name}: exists already" in capsys.readouterr().err
        assert not Path("result.csv").exists()


def test_standard_output_needs_no_file():
    check_new(Path("-"), TABLES, (), force=False)
    check_new(None, TABLES, (), force=False)
    assert called(Path("-")) == "standard output"
    assert list(named_columns(np.array(["a", 2]), np.eye(2))) == ["p(a)", "p(2)"]
