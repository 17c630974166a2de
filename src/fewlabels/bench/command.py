"""`fewlabels label` on a large mixture, from file to file: seconds and peak memory of the command and of its stages.

Run: python -m fewlabels.bench.command POINTS
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.bench.growth import forget_the_peak, peak_gigabytes

__all__ = ["main"]

CLASSES, CLUSTERS, FEATURES, LABELS, NOISE = 10, 50, 64, 60, 1.4

STAGES = (
    ("read", "fewlabels.tabular", "read_features"),
    ("neighbours", "fewlabels.graph.NeighborSearch", "among_themselves"),
    ("graph", "fewlabels.graph.Graph", "from_neighbors"),
    ("scores", "fewlabels.methods.Auto", "spread"),
    ("decision", "fewlabels.answer", "decide"),
    ("write", "fewlabels.tabular", "write_result"),
)
"""What each stage is called, and the function that does it."""


def main(arguments: list[str]) -> None:
    """Make the data, run the command in a process of its own, and print what it took as JSON."""
    if arguments[:1] == ["staged"]:
        _staged(arguments[1:])
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        y = _make(folder, int(arguments[0]))
        files = [str(folder / "X.npy"), str(folder / "labels.csv"), "--out", str(folder / "result.csv")]
        run = [sys.executable, "-m", "fewlabels.bench.command", "staged", "label", *files]
        done = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True)
        labels = np.loadtxt(folder / "result.csv", delimiter=",", skiprows=1, usecols=1, dtype=str)
    told = json.loads(done.stdout.splitlines()[-1])
    told |= {"n": y.size, "accuracy": float(np.mean(labels == np.char.add("class ", y.astype(str))))}
    sys.stdout.write(json.dumps(told) + "\n")


def _make(folder: Path, points: int) -> NDArray[np.int64]:
    """Write X.npy and labels.csv; return the true classes. Clusters overlap; a class has five of them."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLUSTERS, FEATURES)).astype(np.float32)
    which = rng.integers(CLUSTERS, size=points)
    X = rng.standard_normal((points, FEATURES), dtype=np.float32)
    X *= np.float32(NOISE)
    X += centres[which]
    np.save(folder / "X.npy", X)
    y = which % CLASSES
    rows = np.concatenate([np.flatnonzero(y == c)[: LABELS // CLASSES] for c in range(CLASSES)])
    lines = "".join(f"{row},class {y[row]}\n" for row in rows.tolist())
    (folder / "labels.csv").write_text("row,label\n" + lines, encoding="utf-8")
    return np.asarray(y)


def _staged(arguments: list[str]) -> None:
    """Run the command here and print the seconds of every stage, and the peak memory of each and of all."""
    seconds: dict[str, float] = {}
    peaks: dict[str, float] = {}

    def watched(stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **named: Any) -> Any:
            peaks["between"] = max(peaks.get("between", 0.0), peak_gigabytes())
            forget_the_peak()
            start = time.perf_counter()
            found = function(*args, **named)
            seconds[stage], peaks[stage] = time.perf_counter() - start, peak_gigabytes()
            return found

        return run

    for stage, place, name in STAGES:
        owner = _owner(place)
        bound = getattr(owner, name)
        on_class = getattr(bound, "__self__", None) is owner
        setattr(owner, name, staticmethod(watched(stage, bound)) if on_class else watched(stage, bound))
    start = time.perf_counter()
    sys.argv = ["fewlabels", *arguments]
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), suppress(SystemExit):
        runpy.run_module("fewlabels", run_name="__main__")
    told = {"seconds": time.perf_counter() - start, "gigabytes": max(*peaks.values(), peak_gigabytes())}
    sys.stdout.write(json.dumps(told | {"stages": seconds, "peaks": peaks}) + "\n")


def _owner(place: str) -> Any:
    """Return the module or the class of a dotted name."""
    with suppress(ModuleNotFoundError):
        return importlib.import_module(place)
    module, _, attribute = place.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


if __name__ == "__main__":
    main(sys.argv[1:])
