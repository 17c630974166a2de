import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from labelling import label

from fewlabels.cli import main


def test_the_unexpected_is_one_sentence_too(folder, capsys, monkeypatch):
    monkeypatch.setattr("fewlabels.graph.Graph.from_features", lambda *_, **__: 1 / 0)
    assert label("features.npy", "labels.csv", "--out", "result.csv") == 1
    said = capsys.readouterr().err
    assert "unexpected ZeroDivisionError" in said
    assert "Traceback" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX interrupt")
def test_an_interrupt_leaves_no_half_result(folder):
    np.save("features.npy", np.random.default_rng(0).normal(size=(60_000, 64)))
    command = [sys.executable, "-m", "fewlabels", "label", "features.npy", "labels.csv", "--out", "result.csv"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    heard = ""
    while "connecting" not in heard:
        heard += process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted; no file was written or changed" in said
    assert "Traceback" not in said
    assert sorted(p.name for p in folder.iterdir()) == ["features.npy", "labels.csv"]


def test_usage_errors_exit_with_two(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["label"])
    assert stop.value.code == 2
    assert "FEATURES" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="reads a POSIX exit status")
def test_an_interrupt_inside_source_given_as_text_ends_with_the_code_too(tmp_path):
    (tmp_path / "interrupted.py").write_text(
        "import sys\n"
        "import fewlabels.cli, fewlabels.demo\n"
        "fewlabels.demo.run_demo = lambda *_, **__: exec('raise KeyboardInterrupt')\n"
        "sys.exit(fewlabels.cli.main(['demo', '--quiet']))\n"
    )
    command = [sys.executable, "-m", "interrupted"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "interrupted" in ended.stderr
    assert ended.returncode == 130
