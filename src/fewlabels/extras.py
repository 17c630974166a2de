"""Optional libraries, imported when needed; one that is missing is an error that says how to install it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from fewlabels.errors import FewlabelsError

__all__ = ["torch_for"]


def torch_for(what: str) -> ModuleType:
    """Return torch, or say what needs it and how to install it."""
    try:
        return import_module("torch")
    except ImportError:
        raise FewlabelsError(f"{what} needs torch; install it with pip install 'fewlabels[torch]'.") from None
