"""An experiment is one entry of the registry: nothing else has to know its name."""

import csv
import sys
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest

from fewlabels.cli import main
from fewlabels.datasets import load_dataset
from fewlabels.experiments import (
    EXPERIMENTS,
    ODD,
    Cell,
    Experiment,
    Request,
    Spec,
    Store,
    Subject,
    Task,
    Trial,
    laboratory,
    named_plan,
    perform,
    planned,
    registry,
    runner,
)
from fewlabels.neighbors import NeighborSearch
from fewlabels.report.style import house_figure
from fewlabels.report.tables import Entry, Table


@pytest.fixture(autouse=True)
def _own_data(monkeypatch, tmp_path):
    """Two small data sets, the name of one of which is the end of the other's."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("FEWLABELS_DATA", str(folder))
    rng, y = np.random.default_rng(0), np.arange(90) % 3
    for name in ("blobs", "big-blobs"):
        np.savez(folder / f"{name}_features.npz", Z=np.eye(3)[y] + 0.1 * rng.normal(size=(90, 3)), y=y)


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


@pytest.fixture(name="toy")
def _toy(monkeypatch):
    monkeypatch.setitem(EXPERIMENTS, "toy", TOY)


@pytest.fixture(name="counted")
def _counted(monkeypatch):
    """Count loads of data sets and searches for neighbours."""
    counts = Counter()

    def load(name):
        counts[f"load {name}"] += 1
        return load_dataset(name)

    class Counted(NeighborSearch):
        def among_themselves(self, *arguments, **options):
            counts["search"] += 1
            return super().among_themselves(*arguments, **options)

    rooms = [module for name, module in sys.modules.items() if name.startswith("fewlabels.experiments")]
    for module in rooms:
        if hasattr(module, "load_dataset"):
            monkeypatch.setattr(module, "load_dataset", load)
    monkeypatch.setattr("fewlabels.datasets.load.NeighborSearch", Counted)
    return counts


def asked(folder, *names, datasets=("blobs", "big-blobs"), trials=4, rates=()):
    return Request(names=names, datasets=datasets, trials=trials, folder=folder, rates=rates)


def test_an_entry_is_run_tabulated_and_written(toy, tmp_path):
    results = perform(asked(tmp_path / "out", "toy"))
    names = ["toy-blobs", "toy-big-blobs", "toy-count-blobs", "toy-count-big-blobs"]
    assert [result.name for result in results] == names
    assert [(result.experiment, result.dataset) for result in results] == [("toy", "blobs"), ("toy", "big-blobs")] * 2
    assert results[1].command == "fewlabels paper toy --dataset big-blobs --trials 4"
    assert [result.table.rows for result in results] == [["row"], ["row"], ["points"], ["points"]]
    assert results[0].table.entry("row", "7").values == (10.0, 30.0), "odd draws, and the entry's own rate"
    assert results[0].picture.startswith(b"<?xml")
    assert results[2].picture == b""
    written = {path.name for path in (tmp_path / "out").iterdir()} - {"trials.jsonl"}
    assert written == {f"{name}.{kind}" for name in names for kind in ("md", "tex")} | {
        f"{name}.{kind}" for name in names[:2] for kind in ("png", "svg")
    }
    assert sorted(trial.draw for trial in Store(tmp_path / "out" / "trials.jsonl").trials.values()) == [1, 1, 3, 3]


def test_an_entry_can_run_without_tables_and_be_tabulated_without_a_run(toy, tmp_path):
    request = asked(tmp_path / "out", "toy", datasets=["blobs"])
    assert perform(request, only_tables=True)[0].table.entry("row", "7").values == ()
    assert perform(request, only_trials=True) == []
    assert len(Store(request.store).trials) == 2


def test_the_command_lists_and_runs_an_entry(toy, tmp_path, capsys):
    assert main(["paper", "LIST"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "toy                        A toy"
    command = ["paper", "toy", "--dataset", "big-blobs", "--trials", "2", "--rates", "7", "--out", str(tmp_path)]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert said.startswith("### Toy: big-blobs\n\n| | 7 | draws |\n|---|---|---|\n| row | 10.00 | 1 |\n")
    assert said.splitlines()[-1] == f"page: {tmp_path / 'toy.html'}"
    assert "Again: <code>fewlabels paper toy --dataset big-blobs --trials 2 --rates 7<" in (
        tmp_path / "toy.html"
    ).read_text(encoding="utf-8")
    assert main(["paper", "toy", "--dataset", "blobs", "--trials", "1", "--out", str(tmp_path)]) == 0
    assert "toy has odd draws alone, and there are none among 1; use --trials 2 or more" in capsys.readouterr().err


def test_an_entry_that_needs_no_data_set_loads_none(counted, monkeypatch, tmp_path):
    def table(setting):
        return Table("Alone", ["draws"], ["n"], {("draws", "n"): Entry((float(len(setting.draws)),))}), None

    monkeypatch.setitem(EXPERIMENTS, "alone", Experiment(name="alone", title="", tabulate=table, needs_data=False))
    result = perform(asked(tmp_path, "alone", datasets=["no-such-data"]))[0]
    assert (result.name, result.dataset, result.command) == ("alone", "", "fewlabels paper alone --trials 4")
    assert not counted


def test_a_plan_is_an_entry_too(monkeypatch, tmp_path):
    def cells(dataset, rates):
        return [Cell(row, rate, Spec("nearest-neighbor"), rate) for rate in rates for row in ("1", "2")]

    plan = planned("tiny", "Tiny", rates=("2",), cells=cells, axis="k")
    monkeypatch.setitem(EXPERIMENTS, "tiny", plan)
    assert [cell.row for cell in named_plan("tiny", "blobs", rows=["2"]).cells] == ["2"]
    result = perform(asked(tmp_path, "tiny", datasets=["blobs"], trials=3))[0]
    assert len(result.table.entry("1", "2").values) == 3
    assert result.table.entry("1", "2").mean > 90
    assert result.table.title == "Tiny: blobs"


@pytest.mark.parametrize("axis", ["k", ""])
def test_the_axis_of_a_chart_is_the_entrys(axis, monkeypatch, tmp_path):
    figures = []
    monkeypatch.setattr(laboratory, "drawn", lambda figure, kind: figures.append(figure) or b"<svg>")

    def cells(dataset, rates):
        return [Cell(str(row), rate, Spec("nearest-neighbor"), rate) for rate in rates for row in (1, 2)]

    plan = planned("tiny", "Tiny", rates=("2",), cells=cells, axis=axis)
    monkeypatch.setitem(EXPERIMENTS, "tiny", plan)
    perform(asked(tmp_path, "tiny", datasets=["blobs"], trials=1))
    axes = figures[0].axes[0]
    assert axes.get_xlabel() == (axis or "accuracy in percent")
    assert axes.get_ylabel() == ("accuracy in percent" if axis else "")


def test_an_entry_whose_extra_is_missing_is_left_out_of_all_alone(toy, monkeypatch, capsys):
    needy = Experiment(name="needy", title="", tabulate=_toy_table, extra="no_such_library")
    monkeypatch.setitem(EXPERIMENTS, "needy", needy)
    names = registry.chosen("all")
    assert "needy" not in names
    assert "toy" in names
    assert registry.chosen("needy") == ["needy"]


def test_a_request_is_refused_before_any_data_set_is_loaded(counted, tmp_path, capsys):
    assert main(["paper", "loss", "--dataset", "blobs", "--methods", "SVM", "--out", str(tmp_path / "out")]) == 2
    assert "loss has no row 'SVM'" in capsys.readouterr().err
    assert main(["paper", "timing", "--dataset", "blobs", "--rates", "x", "--out", str(tmp_path / "out")]) == 2
    assert "rate 'x' is no number" in capsys.readouterr().err
    assert not counted
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["table1", "defaults", "timing", "confidence", "label-next"])
def test_a_command_loads_its_data_set_once_and_searches_neighbours_once(name, counted, tmp_path):
    rows = {"table1": ["--methods", "Laplace,Poisson"], "defaults": ["--methods", "default,Poisson"]}.get(name, [])
    command = ["paper", name, "--dataset", "blobs", "--rates", "1", "--trials", "2", *rows, "--quiet"]
    assert main([*command, "--out", str(tmp_path / "out")]) == 0
    assert counted == {"load blobs": 1, "search": 1}


def test_several_experiments_and_data_sets_load_each_data_set_once(toy, counted, tmp_path):
    request = asked(tmp_path, "loss", "toy", "defaults", rates=["1"], trials=2)
    results = perform(request, only_tables=True)
    assert [result.name for result in results] == [
        "loss-blobs",
        "loss-big-blobs",
        "toy-blobs",
        "toy-big-blobs",
        "toy-count-blobs",
        "toy-count-big-blobs",
        "defaults-blobs",
        "defaults-big-blobs",
        "defaults-regret-blobs",
        "defaults-regret-big-blobs",
    ]
    assert counted == {"load blobs": 1, "load big-blobs": 1, "search": 2}


def test_plans_of_one_command_share_what_uses_the_same_columns(tmp_path, monkeypatch):
    claimed = []

    class Watched(Store):
        def claim(self, key):
            claimed.append(key)
            return super().claim(key)

    monkeypatch.setattr(laboratory, "Store", Watched)
    request = asked(tmp_path, "loss", "zero-mean", datasets=["blobs"], rates=["1"], trials=4)
    perform(request, only_trials=True)
    assert len(claimed) == 1, "both plans are Interface Laplace on the same draws"
    assert len(Store(request.store).trials) == 3 * 4


def test_the_true_interface_is_found_once_and_not_written_into_the_graph(monkeypatch, tmp_path):
    found = []
    real = Subject.true_interface.func
    monkeypatch.setattr(Subject.true_interface, "func", lambda self: (found.append(self), real(self))[1])
    subject = Subject(load_dataset("blobs"))
    plan = named_plan("positions", "blobs", ["1"], ["Ground truth"])
    runner.run([plan], Store(tmp_path / "trials.jsonl"), 8, subjects={"blobs": subject})
    assert found == [subject]
    graph, y = subject.data.graph, subject.data.y
    on_boundary = {i for i in range(y.size) if (y[graph.weights[[i]].indices] != y[i]).any()}
    assert set(subject.true_interface.tolist()) == on_boundary
    assert not any("interface" in str(key) for key in getattr(graph, "memo", {}))


def test_every_published_plan_is_in_the_registry():
    text = (files("fewlabels.experiments") / "published.csv").read_text(encoding="utf-8")
    assert {line["plan"] for line in csv.DictReader(text.splitlines())} <= set(EXPERIMENTS)
