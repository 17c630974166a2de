"""Label a whole data set from a handful of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fewlabels.errors import FewlabelsError, FewlabelsWarning, MissingExtraError, SolveWarning, UnreachedWarning
from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.loop import LabelingLoop
from fewlabels.methods import (
    MBO,
    WNLL,
    AuctionDynamics,
    CenteredKernel,
    CutSSL,
    InterfaceLaplace,
    InterfaceLaplaceDirichlet,
    InterfaceLaplaceNetwork,
    Laplace,
    NearestNeighbor,
    PConductance,
    PLaplace,
    Poisson,
    PoissonMBO,
    PoissonReweighted,
    RandomWalk,
    Refined,
    SparseLabelPropagation,
    VolumeMBO,
    VPoisson,
)

if TYPE_CHECKING:
    from fewlabels.estimators import FewLabelClassifier, FewLabelRegressor
    from fewlabels.web.notebook import page

__version__ = "0.1.0"

__all__ = [
    "MBO",
    "WNLL",
    "AuctionDynamics",
    "CenteredKernel",
    "CutSSL",
    "FewLabelClassifier",
    "FewLabelRegressor",
    "FewlabelsError",
    "FewlabelsWarning",
    "Graph",
    "InterfaceLaplace",
    "InterfaceLaplaceDirichlet",
    "InterfaceLaplaceNetwork",
    "LabelingLoop",
    "Laplace",
    "MissingExtraError",
    "NearestNeighbor",
    "PConductance",
    "PLaplace",
    "Poisson",
    "PoissonMBO",
    "PoissonReweighted",
    "RandomWalk",
    "Refined",
    "Seeds",
    "SolveWarning",
    "SparseLabelPropagation",
    "UnreachedWarning",
    "VPoisson",
    "VolumeMBO",
    "page",
]


def __getattr__(name: str) -> Any:
    """Import the estimators, and scikit-learn with them, and the page, only when they are asked for."""
    if name in ("FewLabelClassifier", "FewLabelRegressor"):
        from fewlabels import estimators

        return getattr(estimators, name)
    if name == "page":
        from fewlabels.web import notebook

        return notebook.page
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
