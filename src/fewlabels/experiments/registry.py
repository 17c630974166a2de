"""Every experiment by name, in the order of the list. A new one is a line here and a file of its own."""

from __future__ import annotations

from collections.abc import Sequence

from fewlabels.errors import FewlabelsError
from fewlabels.experiments import paper
from fewlabels.experiments.confidence import CONFIDENCE
from fewlabels.experiments.defaults import DEFAULTS
from fewlabels.experiments.experiment import Experiment
from fewlabels.experiments.label_next import LABEL_NEXT
from fewlabels.experiments.new_points import NEW_POINTS
from fewlabels.experiments.planning import plan_of
from fewlabels.experiments.plans import Plan
from fewlabels.experiments.suite import SUITE
from fewlabels.experiments.synthetic import CLASSIFICATION, REGRESSION
from fewlabels.experiments.timing import TIMING
from fewlabels.spelling import known_names

__all__ = ["EXPERIMENTS", "chosen", "named_plan"]

EXPERIMENTS: dict[str, Experiment] = {
    each.name: each
    for each in (
        paper.TABLE1,
        paper.POSITIONS,
        paper.POSITIONS_BY_SIZE,
        paper.LOSS,
        paper.PENALTY,
        paper.ZERO_MEAN,
        paper.HOPS,
        paper.TARGET_MSE,
        paper.UNBALANCED,
        paper.HIGH_RATE,
        paper.DIRICHLET,
        paper.NETWORK,
        DEFAULTS,
        paper.CLASS_SIZES,
        paper.RIVALS,
        paper.NEW_FEATURES,
        TIMING,
        CLASSIFICATION,
        REGRESSION,
        CONFIDENCE,
        NEW_POINTS,
        LABEL_NEXT,
        SUITE,
    )
}


def chosen(names: Sequence[str]) -> list[str]:
    """Return the experiments of these names, each once; "all" stands for every one.

    Examples
    --------
    >>> chosen(["loss", "hops", "loss"])
    ['loss', 'hops']
    """
    if unknown := [name for name in names if name != "all" and name not in EXPERIMENTS]:
        known = known_names(unknown[0], ["all", "LIST", *EXPERIMENTS])
        raise FewlabelsError(f"no experiment is called {unknown[0]!r}; {known}.")
    if not names:
        raise FewlabelsError("no experiment is named; choose all, LIST or for example table1,loss.")
    if "all" in names:
        return list(EXPERIMENTS)
    return list(dict.fromkeys(names))


def named_plan(name: str, dataset: str, rates: Sequence[str] = (), rows: Sequence[str] = ()) -> Plan:
    """Return the plan of an experiment on a data set, with other rates or fewer rows if asked for.

    Examples
    --------
    >>> [cell.row for cell in named_plan("loss", "mnist", rates=["1"]).cells]
    ['MSE', 'CE', 'MSE (converged)', 'CE (converged)']
    """
    if name not in EXPERIMENTS or EXPERIMENTS[name].cells is None:
        known = ", ".join(each.name for each in EXPERIMENTS.values() if each.cells is not None)
        raise FewlabelsError(f"no experiment is called {name!r}; choose all, LIST or one of {known}.")
    return plan_of(EXPERIMENTS[name], dataset, rates=rates, rows=rows)
