"""The front end as text: nothing in it could run what comes from data, and its types fit."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import fewlabels

STATIC = Path(fewlabels.__file__).parent / "web" / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))
STRICT = "--checkJs --allowJs --noEmit --strict --target es2022 --module es2022 --moduleResolution bundler"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_never_make_html_or_code_from_text(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|new Function|srcdoc", text)
    assert "://" not in text
    assert len(text.splitlines()) <= 300


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere():
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|://", text)
    assert re.findall(r"<script(.*?)>(.*?)</script>", text) == [(' type="module" src="/static/main.js"', "")]
    linked = re.findall(r'(?:src|href)="/static/([^"]+)"', text)
    imported = [name for path in SCRIPTS for name in re.findall(r'from "\./([^"]+)"', path.read_text(encoding="utf-8"))]
    assert {*linked, *imported} | {"types.js"} == {path.name for path in STATIC.iterdir()} - {"index.html"}


def test_types_fit():
    if shutil.which("tsc") is None:
        pytest.skip("checking the types of the front end needs tsc (npm install -g typescript)")
    command = ["tsc", *STRICT.split(), "--lib", "es2022,dom,dom.iterable", "--types", "", *map(str, SCRIPTS)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout
