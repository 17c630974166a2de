import subprocess

import pytest
from trials import TINY

from fewlabels.cli import main
from fewlabels.experiments import Store, Trial
from fewlabels.experiments.jobs import Task, work_through

pytestmark = pytest.mark.usefixtures("no_data")


def test_jobs_start_as_many_processes_as_they_say(tmp_path, monkeypatch):
    started = []
    real = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda command, **rest: (started.append(command), real(command, **rest))[1]
    )
    assert main([*TINY, "--trials", "1", "--jobs", "3", "--out", str(tmp_path)]) == 0
    assert len(started) == 2
    assert all("--only-trials" in command for command in started)


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
