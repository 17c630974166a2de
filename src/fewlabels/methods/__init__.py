"""Ways to spread labels over a graph, one file each."""

from __future__ import annotations

from fewlabels.errors import FewlabelsError
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.interface_laplace import InterfaceLaplace
from fewlabels.methods.laplace import Laplace
from fewlabels.methods.poisson import Poisson

__all__ = ["METHODS", "InterfaceLaplace", "Laplace", "Method", "Poisson", "Spread", "named_method"]

METHODS: dict[str, type[Method]] = {
    "interface-laplace": InterfaceLaplace,
    "laplace": Laplace,
    "poisson": Poisson,
}


def named_method(method: str | Method) -> Method:
    """Return the method that a name stands for, with its default parameters; a method is returned as it is.

    Examples
    --------
    >>> named_method("poisson")
    Poisson(solver='auto')
    """
    if isinstance(method, Method):
        return method
    if not isinstance(method, str) or method not in METHODS:
        raise FewlabelsError(f"method={method!r} is not known; choose one of {', '.join(METHODS)}, or give a method.")
    return METHODS[method]()
