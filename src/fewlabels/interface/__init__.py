"""The paper's three questions: where the interface lies, what its term is, and how strongly it is held back."""

from fewlabels.interface.lanczos import fit_ridge_by_products
from fewlabels.interface.learn import Learner, Term, learn_by_products, refuse_both
from fewlabels.interface.loss import fit_cross_entropy
from fewlabels.interface.network import fit_network
from fewlabels.interface.penalty import PENALTIES, fit_penalised
from fewlabels.interface.positions import POSITIONS, Interface, Place, Position, find_interface, needs_columns
from fewlabels.interface.regions import hops_interface, nonzero_laplacian
from fewlabels.interface.ridge import RidgeFit, fit_ridge
from fewlabels.interface.term import gram, interface_term

__all__ = [
    "PENALTIES",
    "POSITIONS",
    "Interface",
    "Learner",
    "Place",
    "Position",
    "RidgeFit",
    "Term",
    "find_interface",
    "fit_cross_entropy",
    "fit_network",
    "fit_penalised",
    "fit_ridge",
    "fit_ridge_by_products",
    "gram",
    "hops_interface",
    "interface_term",
    "learn_by_products",
    "needs_columns",
    "nonzero_laplacian",
    "refuse_both",
]
