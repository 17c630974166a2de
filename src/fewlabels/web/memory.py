"""Memory that a solve needed for a moment goes back to the system, so that the page stays as small as its data."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

__all__ = ["give_back"]


def give_back() -> bool:
    """Ask the C library to return memory that is free; tell whether it could be asked.

    glibc keeps what a thread frees for that thread, which after large arrays of growing sizes is much.
    """
    library = _library()
    if library is None:
        return False
    library.malloc_trim(0)
    return True


@cache
def _library() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None
