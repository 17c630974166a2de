"""The paper's three questions: where the interface lies, what its term is, and how strongly it is held back."""

from fewlabels.interface.positions import beyond_hops, given_positions, share_hops
from fewlabels.interface.ridge import RidgeFit, fit_ridge
from fewlabels.interface.term import gram, interface_term

__all__ = ["RidgeFit", "beyond_hops", "fit_ridge", "given_positions", "gram", "interface_term", "share_hops"]
