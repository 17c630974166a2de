"""Plans are data: which methods, with which parameters, at which label rates; and what the paper found there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fewlabels.datasets import base_of
from fewlabels.errors import FewlabelsError

__all__ = ["PLANS", "Cell", "Plan", "Spec", "named_plan"]

HOPS = {
    "mnist": {"1": 4, "2": 3, "3": 3, "4": 3, "5": 2},
    "fashion-mnist": {"1": 5, "2": 4, "3": 4, "4": 3, "5": 3},
    "cifar-10": {"1": 3, "2": 3, "3": 2, "4": 2, "5": 2},
}
TARGETS = {"mnist": 0.2, "fashion-mnist": 0.35, "cifar-10": 0.35}
LINEAR = "linear-classifier"
SIZES = "sizes"
DEFAULT, GRID_ROW = "default", "k = "
LOW_RATES = ("1", "2", "3", "4", "5")
HELD_OUT = "defaults"


@dataclass(frozen=True)
class Spec:
    """A method by name with its parameters.

    `positions="truth"` stands for the true interface, and `sizes="told"` for the true class sizes, which only a
    laboratory knows.

    Examples
    --------
    >>> str(Spec("interface-laplace", {"hops": 4, "target_mse": 0.2}))
    'interface-laplace(hops=4,target_mse=0.2)'
    """

    name: str
    params: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        said = ",".join(f"{key}={self.params[key]}" for key in sorted(self.params))
        return f"{self.name}({said})" if said else self.name


@dataclass(frozen=True)
class Cell:
    """One entry of a table: a row, a column, and the method and rate that fill it."""

    row: str
    column: str
    spec: Spec
    rate: str


@dataclass(frozen=True)
class Plan:
    """A table of the paper on one data set."""

    name: str
    title: str
    dataset: str
    cells: tuple[Cell, ...]

    def draws(self, trials: int) -> range:
        """Return the draws to run: all, or the odd ones where the even ones were there to choose a rule by."""
        return range(1, trials, 2) if self.name == HELD_OUT else range(trials)


def interface_laplace(dataset: str, rate: str, **changes: Any) -> Spec:
    """Return Interface Laplace learning with the paper's k and target error, where it tells them, and some changes."""
    params: dict[str, Any] = {}
    base = base_of(dataset)
    if base in HOPS:
        params = {"hops": HOPS[base].get(rate, "auto"), "target_mse": TARGETS[base]}
    return Spec("interface-laplace", {**params, **changes})


METHODS_OF_TABLE_1 = {
    "Laplace": Spec("laplace"),
    "Nearest Neighbor": Spec("nearest-neighbor"),
    "Random Walk": Spec("random-walk"),
    "MBO": Spec("mbo"),
    "WNLL": Spec("wnll"),
    "Centered Kernel": Spec("centered-kernel"),
    "Sparse LP": Spec("sparse-label-propagation"),
    "p-Laplace": Spec("plaplace"),
    "Poisson": Spec("poisson"),
    "V-Poisson": Spec("vpoisson"),
}
INTER = "Inter-Laplace"


def _compared(dataset: str, rates: Sequence[str]) -> list[Cell]:
    cells = [Cell(row, rate, spec, rate) for rate in rates for row, spec in METHODS_OF_TABLE_1.items()]
    return cells + [Cell(INTER, rate, interface_laplace(dataset, rate), rate) for rate in rates]


def _varied(parameter: str, values: dict[str, Any]) -> Callable[[str, Sequence[str]], list[Cell]]:
    def cells(dataset: str, rates: Sequence[str]) -> list[Cell]:
        return [
            Cell(row, rate, interface_laplace(dataset, rate, **({parameter: value} if value is not None else {})), rate)
            for rate in rates
            for row, value in values.items()
        ]

    return cells


def _unbalanced(dataset: str, rates: Sequence[str]) -> list[Cell]:
    specs = {"Poisson": Spec("poisson"), INTER: interface_laplace(dataset, rates[0])}
    return [Cell(row, rate, spec, rate) for rate in rates for row, spec in specs.items()]


def _dirichlet(dataset: str, rates: Sequence[str]) -> list[Cell]:
    def rows(rate: str) -> dict[str, Spec]:
        inter = interface_laplace(dataset, rate)
        return {
            "Laplace": Spec("laplace"),
            "Poisson": Spec("poisson"),
            "Inter-Laplace-D": Spec("interface-laplace-dirichlet", _one_hop_more(inter.params)),
            INTER: inter,
        }

    return [Cell(row, rate, spec, rate) for rate in rates for row, spec in rows(rate).items()]


def _one_hop_more(params: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters for values on the interface, which want a smaller one; the paper does not tell its k."""
    hops = params.get("hops")
    return {**params, "hops": hops + 1} if isinstance(hops, int) else params


def _network(dataset: str, rates: Sequence[str]) -> list[Cell]:
    def rows(rate: str) -> dict[str, Spec]:
        inter = interface_laplace(dataset, rate)
        return {"free": inter, "network": Spec("interface-laplace-network", inter.params)}

    return [Cell(row, rate, spec, rate) for rate in rates for row, spec in rows(rate).items()]


def _new_features(dataset: str, rates: Sequence[str]) -> list[Cell]:
    def rows(rate: str) -> dict[str, Spec]:
        return {"Linear classifier": Spec(LINEAR), INTER: interface_laplace(dataset, rate)}

    return [Cell(row, rate, spec, rate) for rate in rates for row, spec in rows(rate).items()]


def _defaults(dataset: str, rates: Sequence[str]) -> list[Cell]:
    def rows(rate: str) -> dict[str, Spec]:
        grid = {
            f"{GRID_ROW}{k} and target {goal:g}": Spec("interface-laplace", {"hops": k, "target_mse": goal})
            for k in range(-1, 7)
            for goal in (0.1, 0.2, 0.3, 0.4, 0.6)
        }
        by_hops = {"positions": "hops", "target_mse": 0.2}
        return {
            DEFAULT: Spec("interface-laplace"),
            "hop rule and target 0.2": Spec("interface-laplace", by_hops),
            "Poisson": Spec("poisson"),
            **grid,
        }

    return [Cell(row, rate, spec, rate) for rate in rates for row, spec in rows(rate).items()]


def _class_sizes(dataset: str, rates: Sequence[str]) -> list[Cell]:
    told = {SIZES: "told"}
    rows = {
        "Inter-Laplace": Spec("interface-laplace"),
        "Poisson at the sizes": Spec("refined", {"steps": (), **told}),
        "Poisson refined by MBO": Spec("refined", told),
        "Poisson MBO": Spec("poisson-mbo", told),
        "Volume MBO": Spec("volume-mbo", told),
    }
    return [Cell(row, rate, spec, rate) for rate in rates for row, spec in rows.items()]


POSITIONS = {
    "Remove k-hop": None,
    "Ground truth": "truth",
    "Training": "training",
    "All": "all",
    "Random": "random",
    "Laplace-base": "laplace",
    "Poisson-base": "poisson",
    "Geodesic": "geodesic",
}
GRID_HOPS = {str(k): k for k in range(-1, 5)}
GRID_TARGETS = {f"{t:.2f}": t for t in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)}

PLANS: dict[str, tuple[str, tuple[str, ...], Callable[[str, Sequence[str]], list[Cell]]]] = {
    "table1": ("Accuracy of the compared methods", LOW_RATES, _compared),
    "positions": ("Interface positions", ("1",), _varied("positions", POSITIONS)),
    "loss": ("Squared error and cross-entropy", LOW_RATES, _varied("loss", {"MSE": None, "CE": "cross-entropy"})),
    "penalty": (
        "Penalty on the interface term",
        ("1",),
        _varied("penalty", {"squared l2": None, "l1": "l1", "l2": "l2", "l-infinity": "linf"}),
    ),
    "zero-mean": ("Zero mean of the scores", LOW_RATES, _varied("zero_mean", {"with": None, "without": False})),
    "hops": ("Accuracy against k", LOW_RATES, _varied("hops", GRID_HOPS)),
    "target-mse": ("Accuracy against the target error", LOW_RATES, _varied("target_mse", GRID_TARGETS)),
    "unbalanced": ("Unbalanced labels, 1 for even classes and 5 for odd ones", ("unbalanced",), _unbalanced),
    "high-rate": ("100 labels per class", ("100",), _compared),
    "dirichlet": ("Dirichlet-type interface term", ("1",), _dirichlet),
    "network": ("Network-parametrised interface term", ("1",), _network),
    HELD_OUT: ("The default beside a grid of k and target errors", LOW_RATES, _defaults),
    "class-sizes": ("True class sizes told", ("1", "5"), _class_sizes),
    "new-features": ("A linear classifier and Interface Laplace on the same features", ("1",), _new_features),
}


def checked_rates(rates: Sequence[str]) -> list[str]:
    """Return rates without repeats and leading zeros; refuse what is no number of labels per class.

    Examples
    --------
    >>> checked_rates(["1", "01", "unbalanced"])
    ['1', 'unbalanced']
    """
    for rate in rates:
        if rate != "unbalanced" and not (rate.isdecimal() and rate.isascii() and int(rate)):
            raise FewlabelsError(f"rate {rate!r} is no number of labels per class; use for example --rates 1,5.")
    return list(dict.fromkeys(rate if rate == "unbalanced" else rate.lstrip("0") for rate in rates))


def named_plan(name: str, dataset: str, rates: Sequence[str] = (), rows: Sequence[str] = ()) -> Plan:
    """Return a plan of the paper, with other rates or fewer rows if asked for.

    Examples
    --------
    >>> [cell.row for cell in named_plan("loss", "mnist", rates=["1"]).cells]
    ['MSE', 'CE']
    """
    if name not in PLANS:
        raise FewlabelsError(f"no experiment is called {name!r}; choose all, LIST or one of {', '.join(PLANS)}.")
    title, usual, cells_of = PLANS[name]
    cells = cells_of(dataset, tuple(checked_rates(rates)) or usual)
    known = list(dict.fromkeys(cell.row for cell in cells))
    wanted = [next((row for row in known if row.lower() == asked.strip().lower()), asked) for asked in rows]
    if unknown := [row for row in wanted if row not in known]:
        raise FewlabelsError(f"{name} has no row {unknown[0]!r}; it has {', '.join(known)}.")
    return Plan(name, title, dataset, tuple(cell for cell in cells if not wanted or cell.row in wanted))
