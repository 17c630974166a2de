"""Label a whole data set from a handful of labels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fewlabels.errors import (
        FewlabelsError,
        FewlabelsWarning,
        MissingExtraError,
        OneClassWarning,
        SolveWarning,
        UnreachedWarning,
    )
    from fewlabels.estimators import FewLabelClassifier, FewLabelRegressor
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
    from fewlabels.predictor import Predictor
    from fewlabels.scoring import on_labelled
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
    "OneClassWarning",
    "PConductance",
    "PLaplace",
    "Poisson",
    "PoissonMBO",
    "PoissonReweighted",
    "Predictor",
    "RandomWalk",
    "Refined",
    "Seeds",
    "SolveWarning",
    "SparseLabelPropagation",
    "UnreachedWarning",
    "VPoisson",
    "VolumeMBO",
    "on_labelled",
    "page",
]

_HOMES = {
    "errors": (
        "FewlabelsError",
        "FewlabelsWarning",
        "MissingExtraError",
        "OneClassWarning",
        "SolveWarning",
        "UnreachedWarning",
    ),
    "estimators": ("FewLabelClassifier", "FewLabelRegressor"),
    "graph": ("Graph",),
    "labels": ("Seeds",),
    "loop": ("LabelingLoop",),
    "predictor": ("Predictor",),
    "scoring": ("on_labelled",),
    "web.notebook": ("page",),
}
"""Where public names are at home; all others are methods. Each is imported when it is asked for."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for, so that the command answers at once and can be interrupted."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((home for home, names in _HOMES.items() if name in names), "methods")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
