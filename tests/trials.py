"""Small runs of experiments: a command of a few seconds, what its store keeps, and a toy entry of the registry."""

import subprocess
import sys

from fewlabels.experiments import ODD, Experiment, Request, Store, Task, Trial, named_plan, table_of
from fewlabels.report.style import house_figure
from fewlabels.report.tables import Entry, Table

TINY = ["paper", "loss", "--dataset", "digits", "--rates", "1,2", "--trials", "6", "--quiet"]


def results(path):
    return {key: trial.accuracy for key, trial in Store(path).trials.items()}


def table(path):
    return table_of(named_plan("loss", "digits", ["1", "2"]), Store(path), 6).markdown()


def start(folder):
    return subprocess.Popen(
        [sys.executable, "-m", "fewlabels", *TINY, "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def asked(folder, *names, datasets=("blobs", "big-blobs"), trials=4, rates=()):
    return Request(names=names, datasets=datasets, trials=trials, folder=folder, rates=rates)


def _trial(setting, t):
    return Trial(setting.dataset, "0", "toy", "1", t, 10.0 * t, 0.0)


def _toy_tasks(setting):
    def task(trial):
        return Task(trial.key, lambda: trial.key in setting.store.trials, lambda: setting.store.append(trial))

    return [task(_trial(setting, t)) for t in setting.draws]


def _toy_table(setting):
    kept = [setting.store.trials.get(_trial(setting, t).key) for t in setting.draws]
    values = tuple(trial.accuracy for trial in kept if trial is not None)
    with house_figure(3, 2) as figure:
        figure.subplots().plot(values)
    return Table(f"Toy: {setting.data.title}", ["row"], list(setting.rates), {("row", "7"): Entry(values)}), figure


def _toy_count(setting):
    return Table("Toy, counted", ["points"], ["n"], {("points", "n"): Entry((float(setting.data.y.size),))}), None


TOY = Experiment(
    name="toy",
    title="A toy",
    tabulate=_toy_table,
    tasks=_toy_tasks,
    also={"count": _toy_count},
    draws=ODD,
    rates=("7",),
)
