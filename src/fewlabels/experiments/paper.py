"""The tables of trials, as data: for each its methods, their parameters and its label rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from fewlabels.experiments.experiment import Setting
from fewlabels.experiments.planning import heading, lead_of, planned, seconds_table
from fewlabels.experiments.plans import (
    DRAW,
    LINEAR,
    ROUNDED,
    SIZES,
    T_STEPS,
    TRUTH,
    Cell,
    Spec,
    by_steps_and_converged,
    interface_laplace,
)
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = [
    "CLASS_SIZES",
    "DIRICHLET",
    "HIGH_RATE",
    "HOPS",
    "LOSS",
    "NETWORK",
    "NEW_FEATURES",
    "PENALTY",
    "POSITIONS",
    "POSITIONS_BY_SIZE",
    "RIVALS",
    "TABLE1",
    "TARGET_MSE",
    "UNBALANCED",
    "ZERO_MEAN",
    "by_rate",
]

LOW_RATES = ("1", "2", "3", "4", "5")
INTER = "Inter-Laplace"
OURS = "Refined by MBO (ours)"
COMPARED = {
    "Laplace": Spec("laplace"),
    "Nearest Neighbor": Spec("nearest-neighbor"),
    "Random Walk": Spec("random-walk"),
    "MBO": Spec("mbo", {"random_state": DRAW}),
    "WNLL": Spec("wnll"),
    "Centered Kernel": Spec("centered-kernel"),
    "Sparse LP": Spec("sparse-label-propagation"),
    "p-Laplace": Spec("plaplace"),
}
PLACES = {
    "Remove k-hop": None,
    "Ground truth": TRUTH,
    "Ground truth as rounded": ROUNDED,
    "Training": "training",
    "All": "all",
    "Random": "random",
    "Laplace-base": "laplace",
    "Poisson-base": "poisson",
    "Geodesic": "geodesic",
}
SIZED = {row: PLACES[row] for row in ("Remove k-hop", "Random", "Laplace-base", "Poisson-base", "Geodesic")}
"""Positions that have as many nodes as k hops leave."""

SIZED_HOPS = range(2, 6)
PENALTIES = {"squared l2": None, "l1": "l1", "l2": "l2", "l-infinity": "linf"}
GRID_HOPS = {str(k): k for k in range(-1, 5)}
GRID_TARGETS = {f"{t:.2f}": t for t in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)}

Cells = Callable[[str, Sequence[str]], list[Cell]]


def by_rate(rows: Callable[[str, str], Mapping[str, Spec]]) -> Cells:
    """Return cells whose columns are label rates, from the rows of each data set and rate."""

    def cells(dataset: str, rates: Sequence[str]) -> list[Cell]:
        return [Cell(row, rate, spec, rate) for rate in rates for row, spec in rows(dataset, rate).items()]

    return cells


def _varied(parameter: str, values: Mapping[str, Any]) -> Cells:
    """Return cells of Interface Laplace learning, a row for each value of one parameter; None leaves it as it is."""
    changes = _changes(parameter, values)

    def rows(dataset: str, rate: str) -> dict[str, Spec]:
        return by_steps_and_converged({row: interface_laplace(dataset, rate, **each) for row, each in changes.items()})

    return by_rate(rows)


def _changes(parameter: str, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {row: {} if value is None else {parameter: value} for row, value in values.items()}


def _sized(dataset: str, rates: Sequence[str]) -> list[Cell]:
    """Return cells whose columns are numbers of hops at a rate, which fix the size of an interface."""
    return [
        Cell(row, _hops_heading(k, rate), interface_laplace(dataset, rate, hops=k, **T_STEPS, **each), rate)
        for rate in rates
        for k in SIZED_HOPS
        for row, each in _changes("positions", SIZED).items()
    ]


def _hops_heading(k: int, rate: str) -> str:
    return f"k = {k}, {heading(rate)}"


def _shares(setting: Setting) -> tuple[Table, None]:
    """Return what share of the nodes k hops leave on each draw."""
    data, row = setting.data, "beyond k hops"
    labelled = {rate: [data.seeds(rate, t).indices for t in setting.draws] for rate in setting.rates}
    entries = {
        (row, _hops_heading(k, rate)): Entry(
            tuple(100.0 * float(np.mean(data.graph.hops_from(each) > k)) for each in draws)
        )
        for rate, draws in labelled.items()
        for k in SIZED_HOPS
    }
    notes = ["Percent of all nodes, mean ± deviation over the draws.", f"{surroundings()}."]
    title = f"{setting.experiment.title}, share of the nodes: {data.title}"
    return Table(title, [row], [column for _, column in entries], entries, notes=notes), None


def _ours_and_poisson(dataset: str, rate: str) -> dict[str, Spec]:
    return by_steps_and_converged({"Poisson": Spec("poisson"), INTER: interface_laplace(dataset, rate)})


def _compared(dataset: str, rate: str) -> dict[str, Spec]:
    by_sources = {"Poisson": Spec("poisson"), "V-Poisson": Spec("vpoisson")}
    return {**COMPARED, **by_steps_and_converged({**by_sources, INTER: interface_laplace(dataset, rate)})}


def _dirichlet(dataset: str, rate: str) -> dict[str, Spec]:
    inter = interface_laplace(dataset, rate)
    return {
        "Laplace": Spec("laplace"),
        "Inter-Laplace-D": Spec("interface-laplace-dirichlet", _one_hop_more(inter.params)),
        **_ours_and_poisson(dataset, rate),
    }


def _one_hop_more(params: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters for values on the interface, which want a smaller one; the paper does not tell its k."""
    hops = params.get("hops")
    return {**params, "hops": hops + 1} if isinstance(hops, int) else params


def _network(dataset: str, rate: str) -> dict[str, Spec]:
    inter = interface_laplace(dataset, rate)
    return by_steps_and_converged({"free": inter, "network": Spec("interface-laplace-network", inter.params)})


def _new_features(dataset: str, rate: str) -> dict[str, Spec]:
    ours = by_steps_and_converged({INTER: interface_laplace(dataset, rate)})
    return {"Linear classifier": Spec(LINEAR), **ours}


def _class_sizes(dataset: str, rate: str) -> dict[str, Spec]:
    told = {SIZES: "told"}
    return {
        INTER: Spec("interface-laplace"),
        "Poisson at the sizes": Spec("refined", {"steps": (), **told}),
        OURS: Spec("refined", told),
        "Poisson MBO": Spec("poisson-mbo", told),
        "Volume MBO": Spec("volume-mbo", told),
        "CutSSL": Spec("cut-ssl", told),
        "Auction at the sizes": Spec("auction", {"slack": 0.0, **told}),
        "Auction within 10% of the sizes": Spec("auction", told),
        "p-conductance at the sizes": Spec("p-conductance", {"at_sizes": True, **told}),
    }


def _rivals(dataset: str, rate: str) -> dict[str, Spec]:
    return {
        INTER: Spec("interface-laplace"),
        "Poisson": Spec("poisson"),
        "Poisson-reweighted Laplace": Spec("poisson-reweighted"),
        "p-conductance": Spec("p-conductance"),
    }


TABLE1 = planned("table1", "Accuracy of the compared methods", rates=LOW_RATES, cells=by_rate(_compared))
POSITIONS = planned("positions", "Interface positions", rates=("1",), cells=_varied("positions", PLACES))
POSITIONS_BY_SIZE = planned(
    "positions-by-size",
    "Interface positions of equal size, against k",
    rates=("1",),
    cells=_sized,
    also={"share": _shares},
)
LOSS = planned(
    "loss",
    "Squared error and cross-entropy",
    rates=LOW_RATES,
    cells=_varied("loss", {"MSE": None, "CE": "cross-entropy"}),
)
PENALTY = planned("penalty", "Penalty on the interface term", rates=("1",), cells=_varied("penalty", PENALTIES))
ZERO_MEAN = planned(
    "zero-mean",
    "Zero mean of the scores",
    rates=LOW_RATES,
    cells=_varied("zero_mean", {"with": None, "without": False}),
)
HOPS = planned("hops", "Accuracy against k", rates=LOW_RATES, cells=_varied("hops", GRID_HOPS), axis="k")
TARGET_MSE = planned(
    "target-mse",
    "Accuracy against the target error",
    rates=LOW_RATES,
    cells=_varied("target_mse", GRID_TARGETS),
    axis="target error",
)
UNBALANCED = planned(
    "unbalanced",
    "Unbalanced labels, 1 for even classes and 5 for odd ones",
    rates=("unbalanced",),
    cells=by_rate(_ours_and_poisson),
)
HIGH_RATE = planned("high-rate", "100 labels per class", rates=("100",), cells=by_rate(_compared))
DIRICHLET = planned("dirichlet", "Dirichlet-type interface term", rates=("1",), cells=by_rate(_dirichlet))
NETWORK = planned("network", "Network-parametrised interface term", rates=("1",), cells=by_rate(_network))
CLASS_SIZES = planned(
    "class-sizes",
    "True class sizes told",
    rates=("1", "5"),
    cells=by_rate(_class_sizes),
    also={"lead": lead_of(OURS), "seconds": seconds_table},
)
RIVALS = planned(
    "rivals",
    "Newer methods that are told no class sizes",
    rates=("1", "5"),
    cells=by_rate(_rivals),
    also={"lead": lead_of(INTER), "seconds": seconds_table},
)
NEW_FEATURES = planned(
    "new-features",
    "A linear classifier and Interface Laplace on the same features",
    rates=("1",),
    cells=by_rate(_new_features),
)
