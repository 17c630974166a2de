"""The README and every document: their code runs, their commands are commands, their links lead somewhere."""

import re
import shlex
import tomllib
from importlib.util import find_spec

import pytest
from blocks import ROOT, blocks_of, documents
from gallery import blob_points

from fewlabels.cli import main
from fewlabels.cli.running import _parser

RUN = {"label", "suggest", "predict"}
"""Commands that take seconds are run; those that serve, train, start workers or take minutes are only parsed."""
NOT_CODE = {
    "features X ──► neighbors ──► weights ──►": "docs/architecture.md",
    '"screened-laplace": ScreenedLaplace,': "CONTRIBUTING.md",
    '"brute-force": BruteForce,': "CONTRIBUTING.md",
    "row,label                     id,label": "docs/guide/files.md",
}
"""How blocks begin that are neither Python nor commands: a picture, lines for a registry, files side by side."""
BEFORE = {"model.add_labels(rows, labels)": "rows, labels, new_rows = [15, 16], [5, 6], X[:2]"}
"""What a reader has at hand where a block speaks of it."""
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


@pytest.fixture(autouse=True)
def _desk(tmp_path, monkeypatch):
    """A folder with features and labels, as the documents name them."""
    import numpy as np

    X, truth = blob_points()
    np.save(tmp_path / "features.npy", X)
    np.save(tmp_path / "new.npy", X[:3] + 0.01)
    rows = [int(np.flatnonzero(truth == j)[0]) for j in np.unique(truth)]
    (tmp_path / "labels.csv").write_text("row,label\n" + "".join(f"{row},c{truth[row]}\n" for row in rows))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("document", [name for name in documents() if name != "CONTRIBUTING.md"])
def test_every_code_block_runs(document, capsys):
    """Those of CONTRIBUTING.md are recipes, which test_contributing.py follows."""
    names = {}
    for block in blocks_of(document):
        if block.kind == "python" and not _lacks(block):
            for words, code in BEFORE.items():
                if words in block.text:
                    exec(code, names)
            padded = "\n" * block.line + block.text
            exec(compile(padded, document, "exec"), names)
        elif block.kind == "sh":
            for line in block.text.splitlines():
                for command in line.split("&&"):
                    _try(shlex.split(command, comments=True))


def _lacks(block):
    needed = re.match(r"# needs (\w+)", block.text)
    return needed is not None and find_spec(needed[1]) is None


def _try(words):
    if words[:1] == ["fewlabels"]:
        _parser().parse_args(words[1:])
        assert words[1] not in RUN or "--cluster" in words or main([*words[1:], "--quiet"]) == 0
    elif words[1:4] == ["-m", "pip", "install"]:
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
            "optional-dependencies"
        ]
        assert set(re.findall(r"\w+", words[-1])) <= extras.keys()
    elif len(words) > 1 and words[1].endswith(".py"):
        assert (ROOT / words[1]).is_file()
    else:
        assert words[:3] in (["python3", "-m", "venv"], ["python3", "-m", "sphinx"], [".", ".venv/bin/activate"])


@pytest.mark.parametrize("document", documents())
def test_every_block_is_of_a_known_kind(document):
    for block in blocks_of(document):
        assert block.kind.startswith("{") or block.kind in ("python", "sh", "text"), block
        if block.kind == "text":
            assert document in [NOT_CODE[start] for start in NOT_CODE if block.text.startswith(start)], block


@pytest.mark.parametrize("document", documents())
def test_every_link_leads_to_a_file(document):
    """Pages that a build makes (the gallery, tables, commands) are checked in test_site.py."""
    text = re.sub(r"```.*?```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.S)
    for target in LINK.findall(text):
        if "gallery/" not in target:
            assert (ROOT / document).parent.joinpath(target).exists(), target
