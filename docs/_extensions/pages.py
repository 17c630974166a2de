"""What the site makes of the project's own files: pages of those above `docs/`, and the help of every command."""

import argparse
import re
from pathlib import Path

from fewlabels.cli.running import _parser

ABOVE = {
    r"\.\./CONTRIBUTING\.md": "contributing.md",
    r"\.\./CHANGELOG\.md": "changelog.md",
    r"\.\./README\.md": "index.md",
    r"\.\./results/([\w-]+)\.md": r"tables/\1.md",
}
"""Links to files above `docs/`, and the pages that show them."""


def links_to_pages(app, name, source):
    """Let links to files above `docs/` lead to the pages that show them."""
    for file, page in ABOVE.items():
        source[0] = re.sub(rf"\]\({file}\)", f"]({page})", source[0])


def write_pages(app):
    """Write a page for every table of `results/`, and one of what the commands say of themselves."""
    folder = Path(app.srcdir)
    for table in sorted((folder.parent / "results").glob("*.md")):
        text = re.sub("^#+ ", "# ", table.read_text(encoding="utf-8"))
        _keep(folder / "tables" / table.name, f"---\norphan: true\n---\n\n{text}")
    commands = next(part for part in _parser()._actions if isinstance(part, argparse._SubParsersAction)).choices
    parts = ["# Commands\n\nWhat `fewlabels COMMAND --help` says.\n"]
    for name, parser in commands.items():
        parser.formatter_class = _Formatter
        parts.append(f"## fewlabels {name}\n\n```text\n{parser.format_help()}```\n")
    _keep(folder / "reference" / "commands.md", "\n".join(parts))


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help of one width, whatever the terminal."""

    def __init__(self, prog):
        super().__init__(prog, width=100)


def _keep(file, text):
    """Write a file that differs, so that unchanged pages are not built again."""
    file.parent.mkdir(exist_ok=True)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def bars_as_they_are(app, what, name, thing, options, lines):
    """Keep |x| of formulas in docstrings from meaning a substitution."""
    for place, line in enumerate(lines):
        if line.startswith("Examples"):
            break
        lines[place] = line.replace("|", r"\|")


def leave_out(app, what, name, thing, skip, options):
    """Leave out what scikit-learn adds to every estimator for the routing of metadata."""
    return skip or name == "get_metadata_routing" or bool(re.fullmatch("set_\\w+_request", name))


def setup(app):
    """Connect them."""
    app.connect("source-read", links_to_pages)
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", bars_as_they_are, priority=400)
    app.connect("autodoc-skip-member", leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
