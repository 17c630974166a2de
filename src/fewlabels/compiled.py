"""Compiled kernels: the extra 'fast', numba, is loaded here alone, and only when a kernel is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

__all__ = ["compiled", "kernels_at_hand"]

F = TypeVar("F", bound=Callable[..., Any])


@cache
def kernels_at_hand() -> bool:
    """Tell whether numba, the extra 'fast', is installed."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def compiled(function: F) -> F:
    """Compile on first use and keep the result on disk, where there is a folder for it."""
    import numba

    options = {"nogil": True, "fastmath": {"contract", "reassoc", "nsz", "arcp"}, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
