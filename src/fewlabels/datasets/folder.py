"""Where data lies: the folder that FEWLABELS_DATA names, else the platform's cache folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["cache_folder", "data_folder"]


def data_folder() -> Path:
    """Return the folder of data files; it need not exist yet."""
    named = os.environ.get("FEWLABELS_DATA", "").strip()
    if named:
        return Path(named).expanduser()
    return cache_folder()


def cache_folder() -> Path:
    """Return the platform's folder for what a program keeps; it need not exist yet."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "fewlabels"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "fewlabels"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "fewlabels"
