"""An experiment is one entry of the registry: nothing else has to know its name."""

import pytest
from trials import asked

from fewlabels import FewlabelsError
from fewlabels.experiments import EXPERIMENTS, Experiment, Store, Trial, laboratory, perform
from fewlabels.report.tables import Entry, Table

pytestmark = pytest.mark.usefixtures("blob_data")


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
    assert written == {f"{name}.{kind}" for name in names for kind in ("md", "tex", "csv")} | {
        f"{name}.{kind}" for name in names[:2] for kind in ("png", "svg")
    }
    assert sorted(trial.draw for trial in Store(tmp_path / "out" / "trials.jsonl").trials.values()) == [1, 1, 3, 3]


def test_an_entry_can_run_without_tables_and_be_tabulated_without_a_run(toy, tmp_path):
    request = asked(tmp_path / "out", "toy", datasets=["blobs"])
    with pytest.raises(FewlabelsError, match="holds no trials; run the same command without --only-tables first"):
        perform(request, only_tables=True)
    assert perform(request, only_trials=True) == []
    assert len(Store(request.store).trials) == 2
    assert perform(request, only_tables=True)[0].table.entry("row", "7").values == (10.0, 30.0)


def test_an_entry_that_needs_no_data_set_loads_none(counted, monkeypatch, tmp_path):
    def table(setting):
        return Table("Alone", ["draws"], ["n"], {("draws", "n"): Entry((float(len(setting.draws)),))}), None

    monkeypatch.setitem(EXPERIMENTS, "alone", Experiment(name="alone", title="", tabulate=table, needs_data=False))
    result = perform(asked(tmp_path, "alone", datasets=["no-such-data"]))[0]
    assert (result.name, result.dataset, result.command) == ("alone", "", "fewlabels paper alone --trials 4")
    assert not counted


def test_several_experiments_and_data_sets_load_each_data_set_once(toy, counted, tmp_path):
    request = asked(tmp_path, "loss", "toy", "defaults", rates=["1"], trials=2)
    Store(request.store).append(Trial("other", "0", "m", "1", 0, 50.0, 0.1))
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
    assert len(claimed) == 2, "both plans are Interface Laplace on the same draws, by T steps and converged"
    assert len(Store(request.store).trials) == 6 * 4


def test_an_entry_across_data_sets_runs_once_and_tells_those_that_were_asked_for(counted, monkeypatch, tmp_path):
    def table(setting):
        return Table("Across", ["sets"], ["n"], {("sets", "n"): Entry((float(len(setting.request.datasets)),))}), None

    monkeypatch.setitem(EXPERIMENTS, "wide", Experiment(name="wide", title="", tabulate=table, across=True))
    (result,) = perform(asked(tmp_path, "wide"))
    assert (result.name, result.command) == ("wide", "fewlabels paper wide --dataset blobs,big-blobs --trials 4")
    (result,) = perform(asked(tmp_path, "wide", datasets=[]))
    assert result.command == "fewlabels paper wide --trials 4"
    assert not counted
