"""What commands share: how they complain, how they end, and lists with commas."""

from __future__ import annotations

import argparse
import sys
from typing import TypeAlias

__all__ = ["BAD_INPUT", "BROKEN", "INTERRUPTED", "Commands", "complain", "listed"]

BAD_INPUT, BROKEN, INTERRUPTED = 2, 1, 130

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def complain(sentence: str, code: int) -> int:
    """Write one sentence on standard error and return the exit code."""
    sys.stderr.write(f"fewlabels: {sentence}\n")
    return code


def listed(text: str) -> list[str]:
    """Return the parts of a list with commas.

    Examples
    --------
    >>> listed("1, 5,")
    ['1', '5']
    """
    return [part.strip() for part in text.split(",") if part.strip()]
