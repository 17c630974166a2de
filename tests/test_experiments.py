"""The laboratory: whatever happens to a run, what was done stays done and the table is the same."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from fewlabels import FewlabelsError, FewlabelsWarning, InterfaceLaplace
from fewlabels.cli import main
from fewlabels.datasets import load_dataset
from fewlabels.experiments import EXPERIMENTS, Request, Store, Trial, label_next, named_plan, perform, run, table_of
from fewlabels.experiments.confidence import calibration_error
from fewlabels.experiments.defaults import regret_table
from fewlabels.experiments.jobs import Task, work_through
from fewlabels.experiments.published import published
from fewlabels.report.tables import Entry, Table

TINY = ["paper", "loss", "--dataset", "digits", "--rates", "1,2", "--trials", "6", "--quiet"]


@pytest.fixture(autouse=True)
def _own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path / "no-data"))


def results(path):
    return {key: trial.accuracy for key, trial in Store(path).trials.items()}


def table(path):
    return table_of(named_plan("loss", "digits", ["1", "2"]), Store(path), 6).markdown()


@pytest.fixture(scope="module", name="unbroken")
def _unbroken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unbroken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWLABELS_DATA", str(folder / "no-data"))
        assert main([*TINY, "--out", str(folder)]) == 0
    return folder / "trials.jsonl"


def start(folder):
    return subprocess.Popen(
        [sys.executable, "-m", "fewlabels", *TINY, "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


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
    assert len(shared) == 3, "Laplace and Interface Laplace are one piece of work, Poisson and the Dirichlet term two"


def test_a_damaged_line_costs_its_own_trial_only(tmp_path, unbroken):
    lines = unbroken.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3][:20] + b"\xff\n"
    lines[-1] = lines[-1][:15]
    path = tmp_path / "trials.jsonl"
    path.write_bytes(b"".join(lines))
    with pytest.warns(FewlabelsWarning, match=r"1 damaged line\(s\) left out"):
        store = Store(path)
    assert len(store.trials) == len(lines) - 2
    with pytest.warns(FewlabelsWarning, match="damaged"):
        run([named_plan("loss", "digits", ["1", "2"])], store, 6)
    with pytest.warns(FewlabelsWarning, match="damaged"):
        assert results(path) == results(unbroken)


def test_a_full_disk_gives_one_sentence_and_loses_nothing(tmp_path, monkeypatch):
    store = Store(tmp_path / "trials.jsonl")
    store.append(Trial("digits", "5f70", "laplace", "1", 0, 50.0, 0.1))

    def full(handle, line, write=os.write):
        write(handle, line[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", full)
    with pytest.raises(FewlabelsError, match=r"No space left on device.*all before it are kept"):
        store.append(Trial("digits", "5f70", "laplace", "1", 1, 60.0, 0.1))
    monkeypatch.undo()
    store.append(Trial("digits", "5f70", "laplace", "1", 2, 70.0, 0.1))
    with pytest.warns(FewlabelsWarning, match="damaged"):
        assert {trial.draw for trial in Store(store.path).trials.values()} == {0, 2}


def test_a_folder_that_cannot_be_written_gives_one_sentence(tmp_path, capsys):
    (tmp_path / "results").write_text("a file where a folder should be")
    assert main([*TINY, "--out", str(tmp_path / "results")]) == 2
    assert "choose another folder" in capsys.readouterr().err


def test_a_claim_of_a_dead_process_is_taken_over(tmp_path):
    store = Store(tmp_path / "trials.jsonl")
    with store.claim("a") as mine, store.claim("a") as again:
        assert (mine, again) == (True, False)
    code = (
        "import os, sys; from pathlib import Path; from fewlabels.experiments import Store\n"
        "with Store(Path(sys.argv[1])).claim('a') as mine: os._exit(0 if mine else 1)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(store.path)], check=False).returncode == 0
    left = next(store.claims.iterdir()).read_text()
    with store.claim("a") as mine:
        assert mine
    store.claims.mkdir()
    (store.claims / "left").write_text(left)
    store.tidy()
    assert not store.claims.exists()


def test_a_claim_that_was_cut_off_does_not_hold_a_run_up(tmp_path, monkeypatch):
    monkeypatch.setattr("fewlabels.experiments.store.UNREADABLE_SECONDS", 0.0)
    store = Store(tmp_path / "trials.jsonl")
    with store.claim("a"):
        claim = next(store.claims.iterdir())
    claim.parent.mkdir()
    claim.touch()
    time.sleep(0.05)
    with store.claim("a") as mine:
        assert mine


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


@pytest.mark.parametrize("value", ['"55"', "5555", "NaN", "1e400", "null"])
def test_a_result_that_is_no_percentage_is_damage(value, tmp_path):
    line = '{"dataset":"d","data":"5f70","method":"m","rate":"1","draw":0,"accuracy":%s,"seconds":1}'
    (tmp_path / "trials.jsonl").write_text(line % value + "\n")
    with pytest.warns(FewlabelsWarning, match="damaged"):
        assert not Store(tmp_path / "trials.jsonl").trials


def test_draws_are_the_same_for_every_method_and_differ_between_trials():
    data = load_dataset("digits")
    assert data.seeds("1", 3).indices.tolist() == load_dataset("digits").seeds("1", 3).indices.tolist()
    assert data.seeds("1", 3).indices.tolist() != data.seeds("1", 4).indices.tolist()
    unbalanced = data.seeds("unbalanced", 0)
    assert np.bincount(unbalanced.codes).tolist() == [1, 5] * 5


@pytest.mark.parametrize("name", [name for name, each in EXPERIMENTS.items() if each.cells])
def test_every_plan_has_cells(name):
    cells = named_plan(name, "mnist").cells
    assert len(cells) >= 2
    assert len({(cell.row, cell.column) for cell in cells}) == len(cells)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["paper", "table9"], "no experiment is called 'table9'"),
        (["paper", "loss", "--rates", "many"], "rate 'many' is no number"),
        (["paper", "loss", "--methods", "SVM"], "loss has no row 'SVM'"),
        (["paper", "loss", "--dataset", "imagenet"], "data set 'imagenet' is not in"),
        (["paper", "loss", "--trials", "0"], "--trials 0 must be at least 1"),
        (["paper", "loss", "--rates", "²"], "is no number of labels per class"),
        (["paper", "loss", "--dataset", ","], "--dataset names no data set"),
        (["paper", "loss", "--dataset", "digits", "--rates", "178"], "draw fewer"),
    ],
)
def test_bad_requests_get_one_sentence(arguments, sentence, tmp_path, capsys):
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert sentence in capsys.readouterr().err


def test_trials_on_other_peoples_lines_are_plain_json(unbroken):
    for line in unbroken.read_text().splitlines():
        assert set(json.loads(line)) == {"dataset", "data", "method", "rate", "draw", "accuracy", "seconds"}


def test_a_table_is_written_in_every_form_beside_the_papers_figures(tmp_path, capsys):
    out = tmp_path / "out"
    command = [
        "paper",
        "positions",
        "--dataset",
        "digits",
        "--trials",
        "2",
        "--methods",
        "Training,All",
        "--out",
        str(out),
    ]
    assert main(command) == 0
    assert sorted(p.suffix for p in out.iterdir() if p.stem == "positions-digits") == [".md", ".png", ".svg", ".tex"]
    page = (out / "positions.html").read_text()
    assert "fewlabels paper positions --dataset digits --trials 2 --methods" in page
    assert "<svg" in page
    assert "src=" not in page
    assert "http" not in page
    assert (out / "positions-digits.tex").read_text().count("\\\\") == 3


def test_the_papers_figure_stands_beside_ours_and_never_in_its_place():
    place = ("Poisson", "1")
    known = published("table1", "mnist")
    assert known[place] == (90.58, 4.07)
    assert len(known) == 55
    empty = Table("t", ["Poisson"], ["1"], {}, published=known)
    for text in (empty.markdown(), empty.latex(), empty.html()):
        assert "90.58" not in text
    run = Table("t", ["Poisson"], ["1"], {place: Entry((92.0,))}, published=known)
    assert "92.00 (paper 90.58, +1.42)" in run.markdown()
    assert "(90.58)" in run.latex()


def test_a_draw_that_cannot_be_done_leaves_its_cell_with_fewer_draws(tmp_path, capsys):
    out = tmp_path / "out"
    command = [
        "paper",
        "hops",
        "--dataset",
        "digits",
        "--trials",
        "3",
        "--rates",
        "5",
        "--methods",
        "2,4",
        "--out",
        str(out),
    ]
    assert main(command) == 0
    said = capsys.readouterr()
    assert "leaves no interface" in said.err
    assert "| 2 | " in said.out
    assert (out / "hops-digits.md").exists()


def test_two_jobs_give_the_table_of_one(tmp_path, capsys):
    tables = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        command = ["paper", "table1", "--dataset", "digits", "--trials", "6", "--rates", "1", "--jobs", jobs]
        assert main([*command, "--methods", "Poisson,Inter-Laplace,Laplace", "--out", str(out)]) == 0
        tables.append([line for line in (out / "table1-digits.md").read_text().splitlines() if line.startswith("|")])
    assert tables[0] == tables[1]


def test_blocks_of_draws_are_whole_so_that_no_interruption_changes_a_result(tmp_path):
    plan = named_plan("table1", "digits", ["1"], ["Inter-Laplace", "Poisson"])
    whole, parts = Store(tmp_path / "whole.jsonl"), Store(tmp_path / "parts.jsonl")
    run([plan], whole, 6)
    for trials in (1, 3, 6):
        run([plan], parts, trials)
    assert {k: t.accuracy for k, t in whole.trials.items()} == {k: t.accuracy for k, t in parts.trials.items()}


@pytest.mark.parametrize("name", ["synthetic-regression", "timing"])
def test_experiments_without_draws_run(name, tmp_path, capsys):
    assert main(["paper", name, "--dataset", "digits", "--out", str(tmp_path)]) == 0
    assert "Interface Laplace" in capsys.readouterr().out or name == "timing"
    assert (tmp_path / f"{name}.html").exists()


@pytest.fixture(name="mounted")
def _mounted(tmp_path):
    """Return a way to mount a small file system of its own; skip where that is not allowed."""
    place = tmp_path / "mounted"
    place.mkdir()

    def mount(options):
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("mounting a small file system is not allowed here")
        return place

    yield mount
    subprocess.run(["umount", str(place)], capture_output=True, check=False)


@pytest.mark.filterwarnings("ignore:.*damaged line")
def test_a_disk_that_is_really_full_loses_nothing_that_was_done(mounted, tmp_path, capsys):
    place = mounted("size=16k")
    (place / "ballast").write_bytes(b"x" * 8000)
    assert main([*TINY, "--trials", "12", "--out", str(place)]) == 2
    said = capsys.readouterr().err
    assert "all before it are kept" in said
    assert "Traceback" not in said
    kept = results(place / "trials.jsonl")
    assert kept
    (place / "ballast").unlink()
    subprocess.run(["mount", "-o", "remount,size=4m", str(place)], check=True)
    assert main([*TINY, "--trials", "12", "--out", str(place)]) == 0
    assert main([*TINY, "--trials", "12", "--out", str(tmp_path / "free")]) == 0
    whole = results(tmp_path / "free" / "trials.jsonl")
    assert results(place / "trials.jsonl") == whole
    assert kept.items() <= whole.items()


def test_a_folder_that_is_really_read_only_gets_one_sentence(mounted, capsys):
    place = mounted("size=4m")
    assert main([*TINY, "--trials", "2", "--out", str(place)]) == 0
    before = results(place / "trials.jsonl")
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
    capsys.readouterr()
    assert main([*TINY, "--out", str(place)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "writable" in said
    assert results(place / "trials.jsonl") == before


def test_the_confidence_study_measures_against_the_truth(tmp_path, capsys):
    command = ["paper", "confidence", "--dataset", "digits", "--trials", "2", "--rates", "1", "--out", str(tmp_path)]
    assert main(command) == 0
    said = capsys.readouterr().out
    rows = {line.split("|")[1].strip(): float(line.split("|")[2].split()[0]) for line in said.splitlines()[4:13]}
    assert 80 < rows["accuracy"] < 100
    assert rows["calibration error"] < 15
    assert rows["accuracy of the first 50% by confidence"] >= rows["accuracy of the first 50% by margin"] - 1
    assert (tmp_path / "confidence-digits.png").exists()


def test_calibration_error_is_zero_when_confidence_is_right():
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.3, 1.0, size=200_000)
    assert calibration_error(sure, rng.random(sure.size) < sure) < 0.6
    assert calibration_error(np.full(10, 0.8), np.zeros(10, dtype=bool)) == pytest.approx(80.0)


@pytest.mark.parametrize("name", ["new-points", "label-next", "class-sizes"])
def test_the_other_studies_run(name, tmp_path, capsys):
    assert main(["paper", name, "--dataset", "digits", "--trials", "1", "--out", str(tmp_path)]) == 0
    assert (tmp_path / f"{name}-digits.md").exists()


def test_values_on_the_interface_have_a_hop_more_than_the_term():
    hops = {cell.row: cell.spec.params.get("hops") for cell in named_plan("dirichlet", "mnist", ["1"]).cells}
    assert hops["Inter-Laplace"] == 4
    assert hops["Inter-Laplace-D"] == 5


def test_regret_is_the_best_cell_less_the_default_on_odd_draws(tmp_path):
    plan = named_plan(
        "defaults", "digits", ["1"], ["default", "Poisson", "k = 1 and target 0.1", "k = 2 and target 0.1"]
    )
    data, store = load_dataset("digits"), Store(tmp_path / "trials.jsonl")
    accuracies = {"default": (0, 70, 0, 74), "Poisson": (0, 60, 0, 62)}
    accuracies |= {"k = 1 and target 0.1": (90, 71, 90, 71), "k = 2 and target 0.1": (0, 76, 0, 72)}
    for cell in plan.cells:
        for t, accuracy in enumerate(accuracies[cell.row]):
            store.append(Trial(data.name, data.checksum[:16], str(cell.spec), cell.rate, t, accuracy, 0.1))
    table = regret_table(plan, store, 4, data=data)
    assert table.entry("regret", "1").values == (6.0, -2.0)
    assert table.entry("ahead of Poisson", "1").values == (10.0, 12.0)
    assert "1: k = 2 and target 0.1" in table.notes[0]


def test_tables_of_what_is_there_run_nothing(tmp_path, capsys):
    assert main([*TINY, "--trials", "2", "--out", str(tmp_path)]) == 0
    before = (tmp_path / "trials.jsonl").read_bytes()
    capsys.readouterr()
    assert main([*TINY, "--out", str(tmp_path), "--only-tables"]) == 0
    assert (tmp_path / "trials.jsonl").read_bytes() == before
    assert "| MSE |" in capsys.readouterr().out


def test_a_block_is_solved_whole_even_if_one_draw_is_asked_for(tmp_path, monkeypatch):
    asked = []
    real = InterfaceLaplace.spread_many
    monkeypatch.setattr(InterfaceLaplace, "spread_many", lambda self, g, p: (asked.append(len(p)), real(self, g, p))[1])
    run([named_plan("table1", "digits", ["1"], ["Inter-Laplace"])], Store(tmp_path / "t.jsonl"), 1)
    assert asked == [4]


def test_jobs_start_as_many_processes_as_they_say(tmp_path, monkeypatch):
    started = []
    real = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda command, **rest: (started.append(command), real(command, **rest))[1]
    )
    assert main([*TINY, "--trials", "1", "--jobs", "3", "--out", str(tmp_path)]) == 0
    assert len(started) == 2
    assert all("--only-trials" in command for command in started)


def test_the_study_of_defaults_runs_odd_draws_alone(tmp_path):
    store = Store(tmp_path / "trials.jsonl")
    run([named_plan("defaults", "digits", ["1"], ["default"])], store, 4)
    assert sorted(trial.draw for trial in store.trials.values()) == [1, 3]


def test_runs_of_what_to_label_next_are_kept_and_only_what_lacks_is_run(tmp_path, monkeypatch):
    def label_next_of(draws, **only):
        return perform(Request(names=["label-next"], datasets=["digits"], trials=draws, folder=tmp_path), **only)

    label_next_of(1, only_trials=True)
    ran = []
    monkeypatch.setattr(label_next, "_run", lambda data, store, *, strategy, t: (ran.append((strategy, t)), 1 / 0))
    label_next_of(1, only_trials=True)
    assert not ran
    with pytest.raises(ZeroDivisionError):
        label_next_of(2, only_trials=True)
    assert ran == [("mixed", 1)]
    table = label_next_of(1, only_tables=True)[0].table
    assert len({table.entry(strategy, "10").values for strategy in table.rows}) == 1
    assert table.entry("mixed", "50").mean > 90


def test_what_another_process_finished_meanwhile_is_not_done_again(tmp_path):
    mine, other = Store(tmp_path / "trials.jsonl"), Store(tmp_path / "trials.jsonl")
    trials = [Trial("digits", "0", "method", "1", t, 90.0, 0.1) for t in range(3)]
    ran = []

    def task(t):
        def do():
            ran.append(t)
            mine.append(trials[t])
            if t == 0:
                other.append(trials[1])

        return Task(str(t), lambda: trials[t].key in mine.trials, do)

    work_through([task(t) for t in range(3)], mine, "trials")
    assert ran == [0, 2]
    assert sorted(mine.trials) == sorted(trial.key for trial in trials)
