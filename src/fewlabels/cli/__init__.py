"""The command line, one file per command."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

__all__ = ["main", "start"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; an interrupt is heard from the first moment on, while libraries are loaded as well."""
    try:
        from fewlabels.cli.running import run

        return run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("fewlabels: interrupted; no file was written or changed.\n")
        return 130


def start() -> None:
    """Run the command of this process, and end with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)
