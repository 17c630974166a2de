"""Compiled kernels: the extra 'fast', numba, is loaded here alone, and only when a kernel is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

__all__ = ["compiled", "kernels_at_hand", "kernels_pay"]

F = TypeVar("F", bound=Callable[..., Any])

PAY_FROM = 3_000
"""Nodes from which the compiled kernels pay for themselves."""


@cache
def kernels_at_hand() -> bool:
    """Tell whether numba, the extra 'fast', is installed."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def kernels_pay(n_nodes: int) -> bool:
    """Tell whether compiled kernels are at hand and a graph is large enough for them."""
    return n_nodes >= PAY_FROM and kernels_at_hand()


def compiled(function: F) -> F:
    """Compile on first use and keep the result on disk, where there is a folder for it."""
    import numba

    options = {"nogil": True, "fastmath": {"contract", "reassoc", "nsz", "arcp"}, "error_model": "numpy"}
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    except RuntimeError:
        return cast(F, numba.njit(**options)(function))
