"""Optional libraries, imported when needed; one that is missing is an error that says how to install it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from fewlabels.errors import MissingExtraError

__all__ = ["optional"]


def optional(module: str, *, extra: str, what: str) -> ModuleType:
    """Return an optional module, or say what needs it and how to install it.

    Examples
    --------
    >>> optional("json", extra="json", what="the example").__name__
    'json'
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.split(".")[0]
        raise MissingExtraError(
            f"{what} needs {package}; install it with: pip install {package}, or in a copy of the folder of fewlabels "
            f"with: pip install '.[{extra}]'"
        ) from None
