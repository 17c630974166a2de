"""What `fewlabels paper` can do: every table and figure of the paper by name, run, tabulated and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fewlabels.datasets import load_dataset
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.answers import confidence, new_points
from fewlabels.experiments.asking import ask, asked_table
from fewlabels.experiments.plans import HELD_OUT, PLANS, Plan, checked_rates, named_plan
from fewlabels.experiments.regret import regret_table
from fewlabels.experiments.runner import run
from fewlabels.experiments.store import Store
from fewlabels.experiments.summary import surroundings, table_of
from fewlabels.experiments.synthetic import classification, regression
from fewlabels.experiments.timing import timing_table
from fewlabels.files import replacing
from fewlabels.progress import say
from fewlabels.report.charts import chart_of, drawn
from fewlabels.report.results import Result, results_page
from fewlabels.report.tables import Table

__all__ = ["EXPERIMENTS", "Request", "chosen", "perform", "write_page"]

DISC, GRID, TIMING = "synthetic-classification", "synthetic-regression", "timing"
CONFIDENCE, NEW_POINTS, LABEL_NEXT = "confidence", "new-points", "label-next"
EXPERIMENTS = {
    **{name: title for name, (title, _, _) in PLANS.items()},
    TIMING: "Wall time of each stage",
    DISC: "Points in a disc, the interface known",
    GRID: "A cosine on a grid from two labels",
    CONFIDENCE: "Is it as right as it is sure?",
    NEW_POINTS: "Points that come after the fit",
    LABEL_NEXT: "Accuracy against labels asked for",
}
PARAMETERS = {"hops": "k", "target-mse": "target error"}
AT_MOST = 20
"""Draws of experiments that are not the paper's."""


@dataclass(frozen=True)
class Request:
    """What was asked for: experiments by name, data sets, draws, and a folder for store and results."""

    names: Sequence[str]
    datasets: Sequence[str]
    trials: int
    rates: Sequence[str]
    rows: Sequence[str]
    folder: Path

    @property
    def store(self) -> Path:
        """The file that keeps every trial."""
        return self.folder / "trials.jsonl"


def chosen(name: str) -> list[str]:
    """Return the experiments that a name stands for."""
    if name == "all":
        return [each for each in EXPERIMENTS if each != "network" or _torch_is_here()]
    if name not in EXPERIMENTS:
        known = ", ".join(EXPERIMENTS)
        raise FewlabelsError(f"no experiment is called {name!r}; choose all, LIST or one of {known}.")
    return [name]


def _torch_is_here() -> bool:
    try:
        import torch  # noqa: F401
    except ImportError:
        say("network is left out: it needs torch (pip install 'fewlabels[torch]')")
        return False
    return True


def plans_of(request: Request) -> list[Plan]:
    """Return the request's plans of trials; an unknown data set, rate or row is refused before anything runs."""
    plans = [
        named_plan(name, dataset, request.rates, request.rows)
        for dataset in request.datasets
        for name in request.names
        if name in PLANS
    ]
    checked_rates(request.rates)
    if set(request.names) - {DISC, GRID}:
        for dataset in request.datasets:
            load_dataset(dataset)
    return plans


def perform(request: Request, only_trials: bool = False, only_tables: bool = False) -> list[Result]:
    """Run what the store lacks, then write every table (.md, .tex) and picture (.png, .svg).

    With `only_trials` nothing is written but the store, with `only_tables` no trial is run.
    """
    plans = plans_of(request)
    for plan in plans:
        if not plan.draws(request.trials):
            say(f"{plan.name} has odd draws alone, and there are none among {request.trials}; use --trials 2 or more")
    store = Store(request.store)
    if plans and not only_tables:
        run(plans, store, request.trials)
    few = min(request.trials, AT_MOST)
    if LABEL_NEXT in request.names and not only_tables:
        for dataset in request.datasets:
            ask(dataset, few, store)
    if only_trials:
        return []
    results = [
        _written(request, f"{plan.name}-{plan.dataset}", table, _chart(plan.name, table))
        for plan in plans
        for table in [table_of(plan, store, request.trials)]
    ]
    notes = [surroundings() + "."]
    results += [
        _written(request, f"{plan.name}-regret-{plan.dataset}", regret_table(plan, store, request.trials, notes), None)
        for plan in plans
        if plan.name == HELD_OUT
    ]
    if TIMING in request.names:
        for dataset in request.datasets:
            results.append(_written(request, f"{TIMING}-{dataset}", timing_table(dataset, notes), None))
    if CONFIDENCE in request.names:
        for dataset in request.datasets:
            rates = checked_rates(request.rates) or ["1", "5"]
            results.append(_written(request, f"{CONFIDENCE}-{dataset}", *confidence(dataset, few, rates, notes)))
    if NEW_POINTS in request.names:
        for dataset in request.datasets:
            results.append(_written(request, f"{NEW_POINTS}-{dataset}", new_points(dataset, few, notes), None))
    if LABEL_NEXT in request.names:
        for dataset in request.datasets:
            results.append(_written(request, f"{LABEL_NEXT}-{dataset}", *asked_table(dataset, few, store, notes)))
    if DISC in request.names:
        results.append(_written(request, DISC, *classification(few, notes)))
    if GRID in request.names:
        results.append(_written(request, GRID, *regression(notes)))
    return results


def write_page(request: Request, name: str, results: Sequence[Result]) -> Path:
    """Write the run's page and return its place."""
    path = request.folder / f"{name}.html"
    with replacing(path) as file:
        file.write(results_page(results, surroundings()).encode())
    return path


def _chart(name: str, table: Table) -> Any:
    return chart_of(table, "accuracy in percent", PARAMETERS.get(name, ""))


def _written(request: Request, name: str, table: Table, figure: Any) -> Result:
    pictures = {} if figure is None else {kind: drawn(figure, kind) for kind in ("png", "svg")}
    texts = {"md": table.markdown().encode(), "tex": table.latex().encode()}
    for kind, content in {**texts, **pictures}.items():
        with replacing(request.folder / f"{name}.{kind}") as file:
            file.write(content)
    plan = next(each for each in sorted(EXPERIMENTS, key=len, reverse=True) if name.startswith(each))
    dataset = next((each for each in request.datasets if name.endswith(f"-{each}")), "")
    command = f"fewlabels paper {plan}" + (f" --dataset {dataset}" if dataset else "") + f" --trials {request.trials}"
    command += f" --rates {','.join(request.rates)}" if request.rates else ""
    command += f" --methods '{','.join(request.rows)}'" if request.rows else ""
    return Result(name, table, pictures.get("svg", b""), command)
