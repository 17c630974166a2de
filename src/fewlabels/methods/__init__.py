"""Ways to spread labels over a graph, one file each."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, cast

from fewlabels.errors import FewlabelsError
from fewlabels.methods.auction_dynamics import AuctionDynamics
from fewlabels.methods.auto import Auto
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.centered_kernel import CenteredKernel
from fewlabels.methods.cut_ssl import CutSSL
from fewlabels.methods.evidence import Evidence
from fewlabels.methods.interface_laplace import InterfaceLaplace
from fewlabels.methods.interface_laplace_dirichlet import InterfaceLaplaceDirichlet
from fewlabels.methods.interface_laplace_network import InterfaceLaplaceNetwork
from fewlabels.methods.laplace import Laplace
from fewlabels.methods.mbo import MBO
from fewlabels.methods.nearest_neighbor import NearestNeighbor
from fewlabels.methods.p_conductance import PConductance
from fewlabels.methods.plaplace import PLaplace
from fewlabels.methods.poisson import Poisson
from fewlabels.methods.poisson_mbo import PoissonMBO
from fewlabels.methods.poisson_reweighted import PoissonReweighted
from fewlabels.methods.random_walk import RandomWalk
from fewlabels.methods.refined import Refined
from fewlabels.methods.sparse_label_propagation import SparseLabelPropagation
from fewlabels.methods.volume_mbo import VolumeMBO
from fewlabels.methods.vpoisson import VPoisson
from fewlabels.methods.weighed import WeighedSpread
from fewlabels.methods.wnll import WNLL
from fewlabels.spelling import known_names

__all__ = [
    "DEFAULT_METHOD",
    "DEFAULT_REGRESSION",
    "MBO",
    "METHODS",
    "WNLL",
    "AuctionDynamics",
    "Auto",
    "CenteredKernel",
    "CutSSL",
    "Evidence",
    "InterfaceLaplace",
    "InterfaceLaplaceDirichlet",
    "InterfaceLaplaceNetwork",
    "Laplace",
    "Method",
    "NearestNeighbor",
    "PConductance",
    "PLaplace",
    "Poisson",
    "PoissonMBO",
    "PoissonReweighted",
    "RandomWalk",
    "Refined",
    "SparseLabelPropagation",
    "Spread",
    "VPoisson",
    "VolumeMBO",
    "WeighedSpread",
    "named_method",
    "seeded",
]

DEFAULT_METHOD = "auto"
DEFAULT_REGRESSION = "interface-laplace"
MBO_REFINEMENT = "mbo"
METHODS: dict[str, type[Method]] = {
    "auto": Auto,
    "interface-laplace": InterfaceLaplace,
    "interface-laplace-dirichlet": InterfaceLaplaceDirichlet,
    "interface-laplace-network": InterfaceLaplaceNetwork,
    "laplace": Laplace,
    "nearest-neighbor": NearestNeighbor,
    "random-walk": RandomWalk,
    "mbo": MBO,
    "wnll": WNLL,
    "centered-kernel": CenteredKernel,
    "sparse-label-propagation": SparseLabelPropagation,
    "plaplace": PLaplace,
    "poisson": Poisson,
    "vpoisson": VPoisson,
    "poisson-reweighted": PoissonReweighted,
    "p-conductance": PConductance,
    "poisson-mbo": PoissonMBO,
    "volume-mbo": VolumeMBO,
    "auction": AuctionDynamics,
    "cut-ssl": CutSSL,
    "refined": Refined,
}


def named_method(method: str | Method, *, refine: str | None = None) -> Method:
    """Return the method that a name stands for, with its default parameters; a method is returned as it is.

    With `refine="mbo"`, labels are refined at the class sizes: from the scores of the method or, where that is left at
    the default, from what Poisson, Laplace and Interface Laplace learning say at the sizes, a better beginning.

    Examples
    --------
    >>> named_method("poisson")
    Poisson(solver='auto')
    >>> named_method("laplace", refine="mbo").method
    Laplace(order=1, mean_shift=False, solver='auto')
    """
    if refine not in (None, MBO_REFINEMENT):
        raise FewlabelsError(f"refine={refine!r} is not known; choose None or '{MBO_REFINEMENT}'.")
    if refine is not None:
        return Refined() if method == DEFAULT_METHOD else Refined(named_method(method))
    if isinstance(method, Method):
        return method
    if not isinstance(method, str) or method not in METHODS:
        raise FewlabelsError(f"method={method!r} is not known; {known_names(method, METHODS)}, or give a method.")
    return METHODS[method]()


def seeded(method: Method, random_state: int) -> Method:
    """Return the method with what is random in it drawn from this seed; as it is where nothing is.

    Examples
    --------
    >>> seeded(MBO(), 3).random_state, seeded(Poisson(), 3)
    (3, Poisson(solver='auto'))
    """
    if "random_state" not in {each.name for each in fields(cast(Any, method))}:
        return method
    found: Method = replace(cast(Any, method), random_state=random_state)
    return found
