"""Whatever happens to a run, the table is the same."""

import random
import signal
import time
from dataclasses import replace

import numpy as np
import pytest
from trials import TINY, results, start, table

from fewlabels import MBO, InterfaceLaplace
from fewlabels.cli import main
from fewlabels.datasets import load_dataset
from fewlabels.experiments import Store, named_plan, run
from fewlabels.experiments.experiment import Subject
from fewlabels.experiments.runner import accuracy_of, method_of
from fewlabels.green import green_columns

pytestmark = pytest.mark.usefixtures("no_data")


def test_a_run_killed_again_and_again_ends_as_an_unbroken_one(tmp_path, unbroken):
    rng = random.Random(0)
    for _ in range(4):
        process = start(tmp_path)
        time.sleep(rng.uniform(1.5, 3.0))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert main([*TINY, "--out", str(tmp_path)]) == 0
    assert results(tmp_path / "trials.jsonl") == results(unbroken)
    assert table(tmp_path / "trials.jsonl") == table(unbroken)
    assert not (tmp_path / "trials.jsonl.claims").exists()


def test_two_processes_on_one_plan_equal_one(tmp_path, unbroken):
    both = [start(tmp_path), start(tmp_path)]
    for process in both:
        assert process.wait(timeout=120) == 0, process.stderr.read()
        process.stderr.close()
    assert results(tmp_path / "trials.jsonl") == results(unbroken)
    lines = (tmp_path / "trials.jsonl").read_text().splitlines()
    assert len(lines) == len(results(unbroken))


def test_one_process_runs_what_shares_columns_and_others_go_elsewhere(tmp_path):
    plan = named_plan("dirichlet", "digits", ["1"])
    shared, path = [], tmp_path / "trials.jsonl"

    class Watched(Store):
        def claim(self, key):
            shared.append(key)
            return super().claim(key)

    run([plan], Watched(path), 4)
    assert [key.split()[2] for key in shared if "columns" in key] == ["columns"]
    assert len(shared) == 4, (
        "Laplace and Interface Laplace are one piece of work, all that takes T steps, Poisson, the Dirichlet term"
    )


def test_a_random_start_is_each_draws_own(tmp_path):
    data = load_dataset("digits")
    store, plan = Store(tmp_path / "trials.jsonl"), named_plan("table1", "digits", ["1"], ["MBO"])
    run([plan], store, 3)
    for trial in store.trials.values():
        seeds = data.seeds("1", trial.draw)
        alone = MBO(random_state=trial.draw).scores(data.graph, seeds).argmax(axis=1)
        assert trial.accuracy == round(accuracy_of(alone, data, seeds), 4)


def test_rows_by_steps_are_the_papers_series_and_the_converged_are_not(tmp_path):
    data = load_dataset("digits")
    seeds = data.seeds("5", 0)
    specs = {cell.row: cell.spec for cell in named_plan("table1", "digits", ["5"]).cells}
    for row in ("Poisson", "Inter-Laplace"):
        by_steps, converged = (method_of(specs[each], data) for each in (row, f"{row} (converged)"))
        series = replace(by_steps, solver="series").scores(data.graph, seeds)
        np.testing.assert_allclose(by_steps.scores(data.graph, seeds), series, atol=1e-3 * np.abs(series).max())
        assert np.abs(converged.scores(data.graph, seeds) - series).max() > 0.01 * np.abs(series).max()


def test_what_takes_t_steps_finds_slow_modes_first_and_the_converged_does_not(tmp_path):
    for row, are_kept in (("Poisson (converged)", False), ("Poisson", True)):
        subject = Subject(load_dataset("digits"))
        plan = named_plan("table1", "digits", ["1"], [row])
        run([plan], Store(tmp_path / f"{row}.jsonl"), 1, subjects={"digits": subject})
        assert ("slow modes" in subject.data.graph.kept) == are_kept


def test_results_of_other_data_under_the_same_name_do_not_count(tmp_path, monkeypatch):
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    store, plan = Store(tmp_path / "trials.jsonl"), named_plan("loss", "toy", ["1"], ["MSE"])
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    for noise in (0.1, 50.0):
        np.savez(tmp_path / "toy_features.npz", Z=np.eye(3)[y] + noise * rng.normal(size=(300, 3)), y=y)
        run([plan], store, 1)
    good, bad = (trial.accuracy for trial in store.trials.values())
    assert good > 90 > 60 > bad


def test_blocks_of_draws_are_whole_so_that_no_interruption_changes_a_result(tmp_path):
    plan = named_plan("table1", "digits", ["1"], ["Inter-Laplace", "Poisson"])
    whole, parts = Store(tmp_path / "whole.jsonl"), Store(tmp_path / "parts.jsonl")
    run([plan], whole, 6)
    for trials in (1, 3, 6):
        run([plan], parts, trials)
    assert {k: t.accuracy for k, t in whole.trials.items()} == {k: t.accuracy for k, t in parts.trials.items()}


def test_a_block_is_solved_whole_even_if_one_draw_is_asked_for(tmp_path, monkeypatch):
    asked = []
    real = InterfaceLaplace.spread_many
    monkeypatch.setattr(InterfaceLaplace, "spread_many", lambda self, g, p: (asked.append(len(p)), real(self, g, p))[1])
    run([named_plan("table1", "digits", ["1"], ["Inter-Laplace"])], Store(tmp_path / "t.jsonl"), 1)
    assert asked == [4]


def test_several_experiments_of_one_run_solve_greens_columns_once(tmp_path, monkeypatch):
    solved = []
    real = green_columns
    monkeypatch.setattr("fewlabels.green.green_columns", lambda *a, **k: (solved.append(1), real(*a, **k))[1])
    plans = [named_plan(name, "digits", ["1"]) for name in ("loss", "target-mse")]
    run(plans, Store(tmp_path / "t.jsonl"), 4)
    assert len(solved) == 2  # by T steps, and converged
