"""Whatever happens to a run, what was done stays done."""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from trials import TINY, results

from fewlabels import FewlabelsError, FewlabelsWarning
from fewlabels.cli import main
from fewlabels.experiments import Store, Trial, named_plan, run

pytestmark = pytest.mark.usefixtures("no_data")


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


@pytest.mark.parametrize("value", ['"55"', "5555", "NaN", "1e400", "null"])
def test_a_result_that_is_no_percentage_is_damage(value, tmp_path):
    line = '{"dataset":"d","data":"5f70","method":"m","rate":"1","draw":0,"accuracy":%s,"seconds":1}'
    (tmp_path / "trials.jsonl").write_text(line % value + "\n")
    with pytest.warns(FewlabelsWarning, match="damaged"):
        assert not Store(tmp_path / "trials.jsonl").trials


def test_trials_on_other_peoples_lines_are_plain_json(unbroken):
    for line in unbroken.read_text().splitlines():
        assert set(json.loads(line)) == {"dataset", "data", "method", "rate", "draw", "accuracy", "seconds", "version"}


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


def test_what_else_was_measured_and_what_was_refused_come_back(tmp_path):
    store = Store(tmp_path / "trials.jsonl")
    done = Trial("d", "0", "m", "1", 0, 90.0, 0.1, more={"balanced": 80.5})
    store.append(done)
    store.append(Trial("d", "0", "m", "1", 1, 0.0, 0.0, refused="ValueError: no"))
    again = Store(store.path)
    for each in (store, again):
        assert each.trials == {done.key: done}
        assert each.refused == {"d 0 m 1 1": "ValueError: no"}


@pytest.mark.parametrize("more", ['{"a": NaN}', '{"a": "b"}', "[1]"])
def test_a_measure_that_is_no_number_is_damage(more, tmp_path):
    line = '{"dataset":"d","data":"5f70","method":"m","rate":"1","draw":0,"accuracy":1,"seconds":1,"more":%s}'
    (tmp_path / "trials.jsonl").write_text(line % more + "\n")
    with pytest.warns(FewlabelsWarning, match="damaged"):
        assert not Store(tmp_path / "trials.jsonl").trials


def test_trials_know_the_code_that_made_them_and_older_ones_are_run_again_if_asked(tmp_path):
    path = tmp_path / "trials.jsonl"
    old = Trial("d", "0", "m", "1", 0, 50.0, 0.1, version="0.1.0+aaaaaaaa")
    Store(path).append(old)
    plain, strict = Store(path), Store(path, redo_older=True)
    assert plain.has(old.key, "0.1.0+bbbbbbbb")
    assert not strict.has(old.key, "0.1.0+bbbbbbbb")
    assert strict.has(old.key, "0.1.0+aaaaaaaa")
    new = replace(old, accuracy=60.0, version="0.1.0+bbbbbbbb")
    strict.append(new)
    strict.append(replace(new, accuracy=70.0))
    assert strict.has(old.key, "0.1.0+bbbbbbbb")
    for store in (strict, Store(path)):
        assert store.trials[old.key] == new, "of one version the first line counts, of several the last version"


def test_what_cannot_be_done_again_is_not_tried_for_ever(tmp_path):
    store = Store(tmp_path / "trials.jsonl", redo_older=True)
    store.append(Trial("d", "0", "m", "1", 0, 50.0, 0.1, version="old"))
    store.refused["d 0 m 1 0"] = "no interface"
    assert store.has("d 0 m 1 0", "new")
