"""Workers and clients that are killed, and a full disk: the same result, or a sentence and a run that goes on."""

import os
import resource
import signal
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from distributed_running import gathered, limit_files, run, stored

from fewlabels import Seeds
from fewlabels.distributed.solving import ClusterSolver
from fewlabels.distributed.stages import Stages
from fewlabels.errors import FewlabelsError

pytestmark = pytest.mark.filterwarnings("ignore")
"""A warning of Dask's own, turned into an error, would end the nanny that starts a killed worker again."""

STAGES = ["cells", "sorting", "neighbours", "edges", "columns", "residual", "drawn again", "confidence", "writing"]


@pytest.fixture(scope="module")
def undisturbed(client, blobs, tmp_path_factory):
    X, y, rows = blobs
    found = run(client, tmp_path_factory.mktemp("calm"), X, Seeds.from_classes(rows, y[rows]), blocks=3)
    return gathered(found, "codes"), gathered(found, "confidence")


class Killed(BaseException):
    """Stands for the end of the client's process, at one moment."""


def _at_every_stage(monkeypatch, do, after=0):
    """Do something when a stage has been sent to the workers, once for each; of a solve at its third round."""
    results, rounds = Stages.results, {}

    def watched(self, futures, what, *, quiet=False):
        rounds[what] = rounds.get(what, 0) + 1
        if what in STAGES and rounds[what] == (3 if quiet else 1) + after:
            do(what)
        yield from results(self, futures, what, quiet=quiet)

    monkeypatch.setattr(Stages, "results", watched)


@pytest.mark.parametrize("between", [100, 1])
def test_a_worker_killed_in_every_stage_costs_its_blocks_and_nothing_else(
    client, blobs, tmp_path, monkeypatch, undisturbed, between
):
    """Blocks are brought back from the first step on, or from states on disk."""
    X, y, rows = blobs
    monkeypatch.setattr(ClusterSolver, "steps_between", between)
    killed = []

    def kill(what):
        # the worker killed before may be gone and not yet missed
        pids = [pid for pid in client.run(os.getpid, on_error="return").values() if isinstance(pid, int)]
        os.kill(pids[len(killed) % len(pids)], signal.SIGKILL)
        killed.append(what)

    _at_every_stage(monkeypatch, kill)
    found = run(client, tmp_path, X, Seeds.from_classes(rows, y[rows]), blocks=3)
    assert set(killed) == set(STAGES)
    np.testing.assert_array_equal(gathered(found, "codes"), undisturbed[0])
    np.testing.assert_array_equal(gathered(found, "confidence"), undisturbed[1])


@pytest.mark.parametrize("between", [100, 2])
def test_a_client_that_ends_in_every_stage_goes_on_where_it_was(
    client, blobs, tmp_path, monkeypatch, undisturbed, between
):
    X, y, rows = blobs
    monkeypatch.setattr(ClusterSolver, "steps_between", between)
    ended, made = [], []

    def end(what):
        if what not in ended:
            ended.append(what)
            raise Killed

    _at_every_stage(monkeypatch, end)
    while True:
        try:
            found = run(client, tmp_path, X, Seeds.from_classes(rows, y[rows]), blocks=3)
            break
        except Killed:
            made.append(set((tmp_path / "scratch").rglob("[0-9]*.npz")))
    assert ended == STAGES
    assert all(before <= after for before, after in pairwise(made))
    np.testing.assert_array_equal(gathered(found, "codes"), undisturbed[0])
    np.testing.assert_array_equal(gathered(found, "confidence"), undisturbed[1])


def test_a_block_that_cannot_be_written_is_told_and_the_run_goes_on_later(client, blobs, tmp_path, undisturbed):
    """The kernel refuses writes beyond a limit, as it does on a full disk."""
    X, y, rows = blobs
    seeds = Seeds.from_classes(rows, y[rows])
    client.run(limit_files, 20_000)
    try:
        with pytest.raises(FewlabelsError, match="make room"):
            run(client, tmp_path, X, seeds, blocks=3)
        # the other worker may be in the middle of a block of its own, and removes that itself
        for _ in range(300):
            if not (left := list((tmp_path / "scratch").rglob("*.part"))):
                break
            time.sleep(0.1)
        assert not left
    finally:
        client.run(limit_files, resource.RLIM_INFINITY)
    found = run(client, tmp_path, X, seeds, blocks=3)
    np.testing.assert_array_equal(gathered(found, "codes"), undisturbed[0])


def test_a_command_killed_while_it_solves_goes_on_and_leaves_nothing_half_done(blobs, tmp_path):
    X, y, rows = blobs
    stored(tmp_path, X, 2)
    lines = [f"{row},c{y[row]}" for row in rows]
    (tmp_path / "labels.csv").write_text("row,label\n" + "\n".join(lines) + "\n")
    command = [sys.executable, "-m", "fewlabels", "label", "x-*.npy", "labels.csv", "--out", "result.csv", "--quiet"]
    command += ["--cluster", "local:1", "--memory", "1GB", "--scratch", "blocks"]
    first = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if list(tmp_path.glob("blocks/solve-*/float32/orders-*.npy")) or first.poll() is not None:
                break
            time.sleep(0.1)
        assert first.poll() is None
    finally:
        first.kill()
        first.wait()
    assert not (tmp_path / "result.csv").exists()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("blocks/neighbours-*/*.npy")}
    assert before
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "1,200 points labelled from 15 labels of 5 classes" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in before} == before
    lines = (tmp_path / "result.csv").read_text().splitlines()
    assert lines[0] == "id,label,confidence,reached"
    said = [line.split(",") for line in lines[1:]]
    assert [int(cells[0]) for cells in said] == list(range(1200))
    assert np.mean([cells[1] == f"c{label}" for cells, label in zip(said, y, strict=True)]) > 0.9
