"""The paper's three questions: where the interface lies, what its term is, and how strongly it is held back."""

from fewlabels.interface.lanczos import fit_ridge_by_products
from fewlabels.interface.loss import fit_cross_entropy
from fewlabels.interface.network import fit_network
from fewlabels.interface.penalty import PENALTIES, fit_penalised
from fewlabels.interface.positions import (
    beyond_hops,
    farthest,
    given_positions,
    hops_interface,
    least_spread,
    nonzero_laplacian,
    outside_balls,
    share_hops,
)
from fewlabels.interface.ridge import RidgeFit, fit_ridge
from fewlabels.interface.term import gram, interface_term

__all__ = [
    "PENALTIES",
    "RidgeFit",
    "beyond_hops",
    "farthest",
    "fit_cross_entropy",
    "fit_network",
    "fit_penalised",
    "fit_ridge",
    "fit_ridge_by_products",
    "given_positions",
    "gram",
    "hops_interface",
    "interface_term",
    "least_spread",
    "nonzero_laplacian",
    "outside_balls",
    "share_hops",
]
