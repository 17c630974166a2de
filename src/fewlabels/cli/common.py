"""What commands share: how they complain, how they end, and lists with commas."""

from __future__ import annotations

import argparse
import sys
from typing import TypeAlias

__all__ = ["BAD_INPUT", "BROKEN", "INTERRUPTED", "Commands", "complain", "listed", "tell"]

PLAIN = str.maketrans({"±": "+-", "–": "-", "’": "'"})
BAD_INPUT, BROKEN, INTERRUPTED = 2, 1, 130

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def complain(sentence: str, code: int) -> int:
    """Write one sentence on standard error and return the exit code."""
    sys.stderr.write(f"fewlabels: {sentence}\n")
    return code


def tell(text: str) -> None:
    """Write on standard output; a terminal that lacks a character gets the nearest it has."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(PLAIN).encode(encoding, "replace").decode(encoding)
    sys.stdout.write(text)


def listed(text: str) -> list[str]:
    """Return the parts of a list with commas.

    Examples
    --------
    >>> listed("1, 5,")
    ['1', '5']
    """
    return [part.strip() for part in text.split(",") if part.strip()]
