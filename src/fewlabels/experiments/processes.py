"""Whether another process of this machine is still running, on any system."""

from __future__ import annotations

import os
import sys
from typing import Any

__all__ = ["is_running"]

MAY_ASK, STILL_ACTIVE, DENIED = 0x1000, 259, 5
"""Of Windows: the right to ask for an exit code, the code of a process without one, and that it is not ours to ask."""


def is_running(pid: int) -> bool:
    """Tell whether a process is running; one that may not be asked is."""
    if sys.platform == "win32":
        return _is_running_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _is_running_on_windows(pid: int, kernel: Any = None) -> bool:
    """Ask for the exit code: a signal would end the process there."""
    import ctypes

    kernel = kernel or ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(MAY_ASK, False, pid)
    if not handle:
        return bool(kernel.GetLastError() == DENIED)
    try:
        code = ctypes.c_ulong()
        return bool(not kernel.GetExitCodeProcess(handle, ctypes.byref(code)) or code.value == STILL_ACTIVE)
    finally:
        kernel.CloseHandle(handle)
