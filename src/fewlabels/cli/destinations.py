"""Where results go: a file that is not overwritten by accident, or standard output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fewlabels.errors import FewlabelsError

__all__ = ["TABLES", "add_out", "called", "check_new", "is_standard", "named_columns", "tell"]

TABLES = (".csv", ".parquet")
STANDARD = "-"


def add_out(parser: argparse.ArgumentParser, metavar: str = "RESULT") -> None:
    """Add --out and --force."""
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        metavar=metavar,
        help="where to write: .csv or .parquet; - for standard output, as .csv",
    )
    parser.add_argument("--force", action="store_true", help="overwrite files that are there already")


def is_standard(path: Path) -> bool:
    """Tell whether the result goes to standard output."""
    return str(path) == STANDARD


def called(path: Path) -> str:
    """Return what a destination is called in messages."""
    return "standard output" if is_standard(path) else str(path)


def check_new(path: Path | None, endings: Sequence[str], inputs: Sequence[Path], *, force: bool) -> None:
    """Refuse a destination that cannot be written or, unless it is wanted, that would overwrite a file."""
    from fewlabels.tabular import check_destination

    if path is None or is_standard(path):
        return
    check_destination(path, endings, inputs)
    if path.exists() and not force and not _wanted(path):
        raise FewlabelsError(f"{path}: exists already; add --force to overwrite it, or choose another name.")


def _wanted(path: Path) -> bool:
    """Ask whoever sits at the terminal; where nobody does, nothing is overwritten."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"{path} exists already; overwrite it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def tell(out: Path, text: str) -> None:
    """Say what was done: on standard output, or on standard error where the result is on standard output."""
    (sys.stderr if is_standard(out) else sys.stdout).write(text)


def named_columns(classes: Any, probabilities: Any) -> dict[str, Any]:
    """Return the probabilities of each class, by the name of their column."""
    return {f"p({name})": probabilities[:, place] for place, name in enumerate(classes)}
