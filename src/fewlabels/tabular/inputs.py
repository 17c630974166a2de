"""Where an input comes from: a file that can be read, or standard input."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.spelling import meant

__all__ = ["STANDARD", "beginning_of", "check_input", "from_standard_input"]

STANDARD = "-"
CALLED = "standard input"
ENDINGS = {b"\x93NUMPY": ".npy", b"PK\x03\x04": ".npz", b"PAR1": ".parquet"}
"""What a file begins with, and how it is named; anything else is text."""


def check_input(path: Path, remedy: str) -> None:
    """Refuse a path that is not a file, and say what it is and what to do."""
    if path.is_file():
        return
    if path.is_dir():
        raise FewlabelsError(f"{path}: is a folder; name a file in it.")
    if path.exists():
        raise FewlabelsError(f"{path}: is not a file but a device or a pipe; give a file, or - for standard input.")
    there = [each.name for each in path.parent.glob("*") if each.is_file()]
    near = meant(path.name, there, alike=0.8)
    raise FewlabelsError(f"{path}: no such file{f' (there is {near})' if near else ''}; {remedy}.")


def beginning_of(path: Path) -> str:
    """Return the ending that fits how a file begins."""
    with path.open("rb") as file:
        start = file.read(8)
    return next((ending for mark, ending in ENDINGS.items() if start.startswith(mark)), ".csv")


@contextmanager
def from_standard_input(source: str | Path) -> Iterator[Path]:
    """Give the path itself, or for - a file that holds what comes from standard input; messages call it that."""
    if str(source) != STANDARD:
        yield Path(source)
        return
    if sys.stdin is None:
        raise FewlabelsError("standard input is closed; name a file.")
    with ExitStack() as stack:
        raw = Path(stack.enter_context(TemporaryDirectory(prefix="fewlabels-"))) / "input"
        with raw.open("wb") as file:
            while some := sys.stdin.buffer.read(1 << 20):
                file.write(some)
        path = raw.rename(raw.with_suffix(beginning_of(raw)))
        said = stack.enter_context(warnings.catch_warnings(record=True))
        try:
            yield path
        except FewlabelsError as error:
            raise type(error)(str(error).replace(str(path), CALLED)) from None
    for each in said:
        warnings.warn(str(each.message).replace(str(path), CALLED), FewlabelsWarning, stacklevel=3)
