"""The site: one command builds it without a warning, and every page, link and picture of it is there."""

import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[1]
SECTIONS = ["start", "guide/index", "gallery/index", "paper", "coming", "reference/index", "contributing"]
LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}

pytest.importorskip("sphinx_gallery", reason="the site needs the extra 'docs'")


class Page(HTMLParser):
    """What a page links to, what it loads, where it can be entered, and its pictures without words."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.entries, self.wordless, self.pictures = [], [], {""}, [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.entries |= {known[key] for key in ("id", "name") if known.get(key)}
        if tag == "a" and known.get("href"):
            self.links.append(known["href"])
        if known.get(LOADS.get(tag)):
            self.loaded.append(known[LOADS[tag]])
        if tag == "img":
            self.pictures += 1
            if "alt" not in known:
                self.wordless.append(known.get("src"))


@pytest.fixture(scope="module", name="site")
def _site(tmp_path_factory):
    """Build a copy, so that nothing is written beside the sources; without data, as it must build anywhere."""
    folder = tmp_path_factory.mktemp("site")
    made = shutil.ignore_patterns("gallery", "generated", "tables", "commands.md", "__pycache__")
    for part in ("docs", "examples", "results"):
        shutil.copytree(ROOT / part, folder / part, ignore=made)
    for file in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / file, folder / file)
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", "docs", "out"]
    surroundings = {key: value for key, value in os.environ.items() if key != "FEWLABELS_DATA"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=surroundings)
    assert done.returncode == 0, done.stderr[-3000:]
    return {path.relative_to(folder / "out").as_posix(): path for path in (folder / "out").rglob("*") if path.is_file()}


@pytest.fixture(scope="module", name="pages")
def _pages(site):
    return {name: Page(path.read_text(encoding="utf-8")) for name, path in site.items() if _is_page(name)}


def _is_page(name):
    return name.endswith(".html") and not name.startswith("_static/")


def test_every_section_is_there_and_reached_from_every_page(pages):
    assert {f"{section}.html" for section in SECTIONS} <= pages.keys()
    for name, page in pages.items():
        found = {_target(name, link)[0] for link in page.links}
        assert {f"{section}.html" for section in SECTIONS} <= found, name


def test_every_link_leads_somewhere(site, pages):
    for name, page in pages.items():
        for link in page.links:
            if urlsplit(link).scheme:
                continue
            target, entry = _target(name, link)
            assert target in site, f"{name}: {link}"
            if target in pages and entry:
                assert entry in pages[target].entries, f"{name}: {link}"


def test_nothing_is_loaded_from_elsewhere_and_everything_loaded_is_there(site, pages):
    for name, page in pages.items():
        for link in page.loaded:
            assert not urlsplit(link).netloc, f"{name}: {link}"
            assert link.startswith("data:") or _target(name, link)[0] in site, f"{name}: {link}"


def test_pages_have_pictures_that_say_what_they_show(pages):
    assert [name for name, page in pages.items() if page.wordless] == []
    examples = [name for name in pages if name.startswith("gallery/plot_")]
    assert len(examples) >= 8
    for name in ["index.html", "start.html", "guide/graph.html", "guide/page.html", "paper.html", *examples]:
        assert pages[name].pictures, name


def test_every_public_name_and_command_has_its_place(site):
    import fewlabels
    from fewlabels.cli.running import COMMANDS

    for name in fewlabels.__all__:
        assert f"reference/generated/fewlabels.{name}.html" in site, f"{name} is missing in docs/reference/index.md"
    commands = site["reference/commands.html"].read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"fewlabels {command.__name__.rpartition('.')[2]}" in commands


def test_formulas_are_drawn_by_the_browser_itself(site, pages):
    assert site["paper.html"].read_text(encoding="utf-8").count("<math ") > 20
    assert not any("mathjax" in link.lower() for page in pages.values() for link in page.loaded)


def _target(name, link):
    """Return the file that a link on a page leads to, and where in it."""
    parts = urlsplit(link)
    folder = Path("/") / Path(name).parent
    path = os.path.normpath(folder / unquote(parts.path)) if parts.path else f"/{name}"
    path = f"{path}/index.html" if parts.path.endswith("/") else path
    return path.lstrip("/"), unquote(parts.fragment)
