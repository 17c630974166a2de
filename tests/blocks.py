"""The code blocks of the README and of every document, with what kind each is."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MADE = {"gallery", "generated", "tables", "_static", "_templates", "_extensions"}
"""Folders of `docs/` that a build writes, or that hold no documents."""
COMMANDS = ("fewlabels ", "python ", "python3 ")


@dataclass(frozen=True)
class Block:
    """A code block: where it stands, its kind ("python", "sh", "text" or a directive) and its text."""

    document: str
    line: int
    kind: str
    text: str


def documents():
    """Return every document that a person wrote, by its path from the top."""
    pages = (path for path in (ROOT / "docs").rglob("*.md") if not MADE & set(path.parts))
    pages = (path for path in pages if path.relative_to(ROOT).as_posix() != "docs/reference/commands.md")
    return sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *pages])


def blocks_of(document):
    """Return the blocks of a document in order, fenced ones and indented ones."""
    found, lines, place = [], (ROOT / document).read_text(encoding="utf-8").splitlines(), 0
    while place < len(lines):
        start, line = place, lines[place]
        place += 1
        if fence := re.match(r"(`{3,})(.*)", line):
            while lines[place] != fence[1]:
                place += 1
            found.append(Block(document, start + 1, fence[2].strip(), "\n".join(lines[start + 1 : place])))
            place += 1
        elif line.startswith("    ") and not lines[start - 1].strip() and not _in_a_list(lines, start):
            while place < len(lines) and (lines[place].startswith("    ") or not lines[place].strip()):
                place += 1
            text = "\n".join(each[4:] for each in lines[start:place]).rstrip().replace("\\\n", " ")
            found.append(Block(document, start + 1, _kind_of(text), text))
    return found


def _in_a_list(lines, start):
    above = next((line for line in reversed(lines[:start]) if line.strip() and not line.startswith(" ")), "")
    return re.match(r"([-*]|\d+\.) ", above) is not None


def _kind_of(text):
    """Tell what an indented block is: commands, Python that could run, or neither."""
    if all(line.startswith(COMMANDS) for line in text.splitlines() if line.strip()):
        return "sh"
    try:
        ast.parse(text)
    except SyntaxError:
        return "text"
    return "python"
