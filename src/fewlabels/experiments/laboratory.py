"""What `fewlabels paper` does: run experiments, and write their tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fewlabels.datasets import load_dataset
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.experiment import Experiment, Request, Setting, Subject
from fewlabels.experiments.jobs import work_through
from fewlabels.experiments.plans import checked_rates
from fewlabels.experiments.registry import EXPERIMENTS
from fewlabels.experiments.store import Store
from fewlabels.files import replacing
from fewlabels.progress import say
from fewlabels.report.results import Result, results_page
from fewlabels.report.style import drawn
from fewlabels.report.tables import Table

__all__ = ["perform", "write_page"]


def perform(request: Request, *, only_trials: bool = False, only_tables: bool = False) -> list[Result]:
    """Run what the store lacks, then write every table (.md, .tex, .csv) and picture (.png, .svg).

    With `only_trials` nothing is written but the store, with `only_tables` no trial is run.
    """
    experiments = [EXPERIMENTS[name] for name in request.names]
    _check(request, experiments)
    subjects = _loaded(request, experiments)
    store = Store(request.store, redo_older=request.redo_older)
    if only_tables and not store.trials:
        raise FewlabelsError(f"{request.store}: holds no trials; run the same command without --only-tables first.")
    settings = {
        experiment.name: [
            Setting(experiment, request, store, dataset, subjects) for dataset in experiment.datasets(request)
        ]
        for experiment in experiments
    }
    if not only_tables:
        everything = [setting for each in settings.values() for setting in each]
        tasks = [task for setting in everything for task in setting.experiment.tasks(setting)]
        work_through(tasks, store, "blocks of draws")
    if only_trials:
        return []
    return [
        _written(setting, part, *tabulate(setting))
        for experiment in experiments
        for part, tabulate in {"": experiment.tabulate, **experiment.also}.items()
        for setting in settings[experiment.name]
    ]


def write_page(request: Request, name: str, results: Sequence[Result]) -> Path:
    """Write the run's page and return its place."""
    path = request.folder / f"{name}.html"
    with replacing(path) as file:
        file.write(results_page(results).encode())
    return path


def _check(request: Request, experiments: Sequence[Experiment]) -> None:
    """Refuse rates and rows that are unknown or not used before anything is loaded; say where no draw is left."""
    named = ", ".join(request.names)
    if request.rates and not any(experiment.rates for experiment in experiments):
        raise FewlabelsError(f"{named} has no label rates to choose; leave out --rates.")
    if request.rows and not any(experiment.has_rows for experiment in experiments):
        raise FewlabelsError(f"{named} has no rows to choose; leave out --methods.")
    for experiment in experiments:
        checked_rates(request.rates, experiment.named_rates)
        if request.odd and not experiment.across:
            raise FewlabelsError(f"--odd is for experiments across data sets; leave it out for {experiment.name}.")
        for dataset in experiment.datasets(request):
            experiment.check(experiment, request, dataset)
    for experiment in experiments:
        if not experiment.draws.among(request.trials):
            say(
                f"{experiment.name} has {experiment.draws.name}, and there are none among {request.trials}; "
                f"use --trials {experiment.draws.first + 1} or more"
            )


def _loaded(request: Request, experiments: Sequence[Experiment]) -> dict[str, Subject]:
    """Load every data set that some experiment needs, each once; what cannot be loaded is told together."""
    names = dict.fromkeys(name for experiment in experiments for name in experiment.datasets(request) if name)
    subjects, reasons = {}, []
    for name in names:
        try:
            subjects[name] = Subject(load_dataset(name))
        except FewlabelsError as error:
            reasons.append(str(error))
    if reasons:
        raise FewlabelsError(" ".join([*reasons, "(--dataset digits needs no files.)"]))
    return subjects


def _written(setting: Setting, part: str, table: Table, figure: Any) -> Result:
    """Write a table and its picture under the names of experiment, part and data set."""
    name = "-".join(filter(None, (setting.experiment.name, part, setting.dataset)))
    pictures = {} if figure is None else {kind: drawn(figure, kind) for kind in ("png", "svg")}
    texts = {"md": table.markdown().encode(), "tex": table.latex().encode(), "csv": table.csv().encode()}
    for kind, content in {**texts, **pictures}.items():
        with replacing(setting.request.folder / f"{name}.{kind}") as file:
            file.write(content)
    return Result(
        name=name,
        experiment=setting.experiment.name,
        dataset=setting.dataset,
        table=table,
        picture=pictures.get("svg", b""),
        command=_command(setting),
    )


def _command(setting: Setting) -> str:
    """Return the command that makes one result again."""
    request = setting.request
    command = f"fewlabels paper {setting.experiment.name}"
    datasets = request.datasets if setting.experiment.across else [setting.dataset]
    command += f" --dataset {','.join(datasets)}" if any(datasets) else ""
    command += f" --trials {request.trials}"
    command += " --odd" * request.odd + " --redo-older" * request.redo_older
    command += f" --rates {','.join(request.rates)}" if request.rates else ""
    command += f" --methods '{','.join(request.rows)}'" if request.rows else ""
    return command
