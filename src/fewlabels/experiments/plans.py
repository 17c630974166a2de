"""Plans are data: which methods, with which parameters, fill which cells of a table, and on which draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fewlabels.datasets import base_of
from fewlabels.errors import FewlabelsError
from fewlabels.report.tables import CONVERGED

__all__ = [
    "EVERY",
    "FEW",
    "ODD",
    "UNBALANCED",
    "Cell",
    "Draws",
    "Plan",
    "Spec",
    "by_steps_and_converged",
    "checked_rates",
    "interface_laplace",
]

HOPS = {
    "mnist": {"1": 4, "2": 3, "3": 3, "4": 3, "5": 2},
    "fashion-mnist": {"1": 5, "2": 4, "3": 4, "4": 3, "5": 3},
    "cifar-10": {"1": 3, "2": 3, "3": 2, "4": 2, "5": 2},
}
TARGETS = {"mnist": 0.2, "fashion-mnist": 0.35, "cifar-10": 0.35}
LINEAR = "linear-classifier"
SIZES = "sizes"
TRUTH, ROUNDED = "truth", "truth-rounded"
DRAW = "draw"
UNBALANCED = "unbalanced"
T_STEPS = {"solver": "chebyshev"}
"""The paper's T steps: the polynomial of `series`, in fewer products."""


@dataclass(frozen=True)
class Draws:
    """Which of the draws that were asked for an experiment uses.

    Examples
    --------
    >>> ODD.among(6), FEW.among(100)
    (range(1, 6, 2), range(0, 20))
    """

    name: str
    first: int = 0
    step: int = 1
    most: int | None = None

    def among(self, trials: int) -> range:
        """Return the draws to use of 0, ..., trials - 1."""
        last = trials if self.most is None else min(trials, self.most)
        return range(self.first, last, self.step)


EVERY = Draws("all draws")
ODD = Draws("odd draws alone", first=1, step=2)
"""For experiments that judge a rule which was chosen on the even draws."""

FEW = Draws("at most 20 draws", most=20)
"""For experiments that are not the paper's."""


@dataclass(frozen=True)
class Spec:
    """A method by name with its parameters.

    `positions="truth"` stands for the true interface, `"truth-rounded"` for what rounding makes of it, and
    `sizes="told"` for the true class sizes. Only an experiment knows them.
    `random_state="draw"` begins every draw from a random start of its own.

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
    """A table of trials on one data set."""

    name: str
    title: str
    dataset: str
    cells: tuple[Cell, ...]
    draws: Draws = EVERY

    @property
    def columns(self) -> list[str]:
        """The columns of the table, in order."""
        return list(dict.fromkeys(cell.column for cell in self.cells))

    @property
    def rows(self) -> list[str]:
        """The rows of the table, in order."""
        return list(dict.fromkeys(cell.row for cell in self.cells))


def interface_laplace(dataset: str, rate: str, **changes: Any) -> Spec:
    """Return Interface Laplace learning with the paper's k and target error, where it tells them, and some changes."""
    params: dict[str, Any] = {}
    base = base_of(dataset)
    if base in HOPS:
        params = {"hops": HOPS[base].get(rate, "auto"), "target_mse": TARGETS[base]}
    return Spec("interface-laplace", {**params, **changes})


def by_steps_and_converged(rows: Mapping[str, Spec]) -> dict[str, Spec]:
    """Return every row twice: by the paper's T steps, and under them all what the steps tend to.

    Examples
    --------
    >>> [f"{row}: {spec}" for row, spec in by_steps_and_converged({"Poisson": Spec("poisson")}).items()]
    ['Poisson: poisson(solver=chebyshev)', 'Poisson (converged): poisson']
    """
    by_steps = {row: Spec(spec.name, {**spec.params, **T_STEPS}) for row, spec in rows.items()}
    return by_steps | {f"{row}{CONVERGED}": spec for row, spec in rows.items()}


def checked_rates(rates: Sequence[str], named: Sequence[str] = (UNBALANCED,)) -> list[str]:
    """Return rates without repeats and leading zeros; refuse what is neither a number of labels per class nor `named`.

    Examples
    --------
    >>> checked_rates(["1", "01", "unbalanced"])
    ['1', 'unbalanced']
    """
    for rate in rates:
        if rate not in named and not (rate.isdecimal() and rate.isascii() and int(rate)):
            example = ",".join(["1", "5", *named])
            raise FewlabelsError(f"rate {rate!r} is no number of labels per class; use for example --rates {example}.")
    return list(dict.fromkeys(rate if rate in named else rate.lstrip("0") for rate in rates))
