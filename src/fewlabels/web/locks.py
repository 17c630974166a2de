"""One process at a time: a lock of the operating system on an open file, which ends with the process."""

from __future__ import annotations

import os
import sys

__all__ = ["lock"]

FAR = 2**40
"""Windows locks bytes, and nobody else may read those; so one is locked where the file has none."""


def lock(descriptor: int) -> bool:
    """Lock an open file for this process until it is closed; tell whether nobody else had."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
