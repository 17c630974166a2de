"""What a result was made with: versions, machine and date."""

from __future__ import annotations

import datetime
import os
import platform
from importlib.metadata import version

__all__ = ["surroundings"]

PACKAGES = ("fewlabels", "numpy", "scipy", "scikit-learn")


def surroundings() -> str:
    """Return the versions, the machine and the date."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    return f"{versions}; {machine}; {datetime.date.today()}"
