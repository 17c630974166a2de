"""The suite: measured as said, stored as it goes, and nothing that breaks ends a run."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from fewlabels.cli import main
from fewlabels.experiments import EXPERIMENTS, Store, suite
from fewlabels.experiments.confidence import calibration_error
from fewlabels.experiments.labellers import LABELLERS, Labelled

pytestmark = pytest.mark.usefixtures("suite_folder")

SOME = ["--methods", "default,poisson,1-nearest-neighbor", "--quiet"]


def lines(folder):
    return [json.loads(line) for line in (folder / "trials.jsonl").read_text().splitlines()]


def test_what_is_measured_is_measured_on_the_points_without_a_label():
    rng = np.random.default_rng(0)
    y, said, sure = rng.integers(3, size=50), rng.integers(3, size=50), rng.uniform(0.4, 1.0, size=50)
    nodes = np.array([0, 7, 9])
    rest = np.setdiff1d(np.arange(50), nodes)
    accuracy, more = suite.measured(Labelled(said, sure), y, nodes)
    assert accuracy == pytest.approx(100 * np.mean(said[rest] == y[rest]))
    assert more == pytest.approx(
        {
            "balanced accuracy": 100 * balanced_accuracy_score(y[rest], said[rest]),
            "calibration error": calibration_error(sure[rest], (said == y)[rest]),
            "mean confidence": 100 * sure[rest].mean(),
        },
        abs=1e-4,
    )
    assert suite.measured(Labelled(said), y, nodes)[1].keys() == {"balanced accuracy"}


def test_a_class_that_is_wholly_labelled_does_not_count_in_the_balance():
    y = np.array([0, 0, 0, 1, 2, 2])
    accuracy, more = suite.measured(Labelled(np.array([0, 0, 1, 1, 2, 2])), y, np.array([0, 3]))
    assert (accuracy, more["balanced accuracy"]) == (75.0, 75.0)


def test_two_processes_share_a_set_and_one_table_is_written_for_all(tmp_path, capsys):
    out = tmp_path / "out"
    command = ["paper", "suite", "--rates", "1,as-they-come", "--trials", "4", *SOME, "--out", str(out)]
    assert main([*command, "--datasets", "cells", "--jobs", "2"]) == 0
    capsys.readouterr()
    assert main([*command, "--datasets", "cells,covtype,covtype-all"]) == 0
    said = capsys.readouterr().out
    counts = {}
    for line in lines(out):
        counts[line["dataset"]] = counts.get(line["dataset"], 0) + 1
    assert counts == {"cells": 4 * 2 * 3, "covtype": 3 * 2 * 3, "covtype-all": 1 * 2 * 3}
    assert not (out / "trials.jsonl.claims").exists()
    assert "| default | " in said
    assert "| cells, as-they-come | " in said
    for part in ("", "-accuracy", "-balanced", "-calibration", "-seconds"):
        assert {"md", "csv", "tex"} <= {path.suffix[1:] for path in out.glob(f"suite{part}.*")}
    assert (out / "suite.png").stat().st_size > 5000
    assert "--dataset cells,covtype,covtype-all --trials 4" in (out / "suite.html").read_text()


def test_the_odd_draws_alone(tmp_path, capsys):
    out = tmp_path / "out"
    command = ["paper", "suite", "--datasets", "cells", "--rates", "1", "--trials", "4", *SOME, "--out", str(out)]
    assert main([*command, "--odd"]) == 0
    assert {line["draw"] for line in lines(out)} == {1, 3}
    assert "--trials 4 --odd" in (out / "suite.html").read_text()
    capsys.readouterr()
    assert main(["paper", "table1", "--dataset", "digits", "--odd", "--out", str(out)]) == 2
    assert "--odd is for experiments across data sets" in capsys.readouterr().err


def test_a_run_goes_on_where_it_stopped_and_tables_run_nothing(tmp_path, monkeypatch, capsys):
    command = ["paper", "suite", "--datasets", "cells", "--rates", "2", *SOME, "--out", str(tmp_path / "out")]
    assert main([*command, "--trials", "1"]) == 0
    before = lines(tmp_path / "out")
    assert main([*command, "--trials", "2"]) == 0
    after = lines(tmp_path / "out")
    assert (len(before), len(after), after[:3]) == (3, 6, before)

    def never(data, nodes):
        raise AssertionError("nothing is to be run")

    monkeypatch.setitem(LABELLERS, "poisson", replace(LABELLERS["poisson"], label=never))
    assert main([*command, "--trials", "2"]) == 0
    assert main([*command, "--trials", "3", "--only-tables"]) == 0
    assert lines(tmp_path / "out") == after


def test_what_breaks_is_stored_with_its_reason_and_ends_nothing(tmp_path, monkeypatch, capsys):
    calls = []

    def broken(data, nodes):
        calls.append(nodes)
        raise ZeroDivisionError("no way")

    monkeypatch.setitem(LABELLERS, "poisson", replace(LABELLERS["poisson"], label=broken))
    out = tmp_path / "out"
    command = ["paper", "suite", "--datasets", "cells", "--rates", "1", "--trials", "2", *SOME, "--out", str(out)]
    assert main(command) == 0
    assert main(command) == 0
    assert len(calls) == 2, "a trial that was refused is not tried again"
    store = Store(out / "trials.jsonl")
    assert set(store.refused.values()) == {"ZeroDivisionError: no way"}
    assert len(store.trials) == 4
    assert "Not done, 2 draws: poisson: ZeroDivisionError: no way" in (out / "suite.md").read_text()


def test_a_rate_that_a_set_has_too_few_points_for_is_refused_by_every_row(tmp_path, capsys):
    out = tmp_path / "out"
    assert (
        main(["paper", "suite", "--datasets", "cells", "--rates", "31", "--trials", "1", *SOME, "--out", str(out)]) == 0
    )
    assert len(Store(out / "trials.jsonl").refused) == 3


def test_every_labeller_runs_on_a_small_set(tmp_path, capsys):
    out = tmp_path / "out"
    command = ["paper", "suite", "--datasets", "cells", "--rates", "2", "--trials", "1", "--quiet", "--out", str(out)]
    assert main(command) == 0
    store = Store(out / "trials.jsonl")
    assert store.refused == {}
    assert len(store.trials) == len(LABELLERS)


def test_there_are_at_most_twenty_draws_by_default():
    assert EXPERIMENTS["suite"].draws.among(100) == range(20)
    assert EXPERIMENTS["suite"].rates == ("1", "2", "5", "as-they-come")
