"""Measure `fewlabels label` on a large mixture: seconds and peak memory of the command and of each of its stages.

Run: python benchmarks/million.py --points 1000000
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

CLASSES, CLUSTERS, FEATURES, LABELS = 10, 50, 64, 60

STAGES = [
    ("read", "fewlabels.tabular", "read_features"),
    ("neighbours", "fewlabels.graph.NeighborSearch", "among_themselves"),
    ("graph", "fewlabels.graph.Graph", "from_neighbors"),
    ("scores", "fewlabels.methods.InterfaceLaplace", "spread"),
    ("decision", "fewlabels.answer", "decide"),
    ("write", "fewlabels.tabular", "write_result"),
]


def make(folder: Path, points: int, noise: float) -> np.ndarray:
    """Write X.npy and labels.csv; return the true classes. Clusters overlap; a class has five of them."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLUSTERS, FEATURES)).astype(np.float32)
    which = rng.integers(CLUSTERS, size=points)
    X = rng.standard_normal((points, FEATURES), dtype=np.float32)
    X *= np.float32(noise)
    X += centres[which]
    np.save(folder / "X.npy", X)
    y = which % CLASSES
    rows = np.concatenate([np.flatnonzero(y == c)[: LABELS // CLASSES] for c in range(CLASSES)])
    lines = "".join(f"{row},class {y[row]}\n" for row in rows.tolist())
    (folder / "labels.csv").write_text("row,label\n" + lines)
    return np.asarray(y)


def memory(name: str) -> float:
    """Return a figure of this process's memory in gigabytes: VmRSS now, or VmHWM at most since it was reset."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 1e6


def staged(arguments: list[str]) -> None:
    """Run the command here and print, for every stage, its seconds (by the clock, of cores), peak and rest."""
    import importlib

    from fewlabels.cli.main import main as command

    told: dict[str, tuple[float, ...]] = {}
    peaks = []

    def watched(stage: str, function: Any) -> Any:
        def run(*args: Any, **named: Any) -> Any:
            peaks.append(memory("VmHWM"))
            Path("/proc/self/clear_refs").write_text("5")
            start, busy = time.perf_counter(), time.process_time()
            found = function(*args, **named)
            peaks.append(memory("VmHWM"))
            spent = time.perf_counter() - start, time.process_time() - busy
            told[stage] = (*spent, peaks[-1], memory("VmRSS"))
            return found

        return run

    for stage, place, name in STAGES:
        try:
            owner: Any = importlib.import_module(place)
        except ModuleNotFoundError:
            module, _, attribute = place.rpartition(".")
            owner = getattr(importlib.import_module(module), attribute)
        bound = getattr(owner, name)
        is_class_method = getattr(bound, "__self__", None) is owner
        setattr(owner, name, staticmethod(watched(stage, bound)) if is_class_method else watched(stage, bound))
    start, busy = time.perf_counter(), time.process_time()
    command(arguments)
    spent = time.perf_counter() - start, time.process_time() - busy
    told["all"] = (*spent, max(*peaks, memory("VmHWM")), memory("VmRSS"))
    sys.stdout.write(json.dumps(told) + "\n")


def main() -> None:
    """Make the data, run the command in a process of its own, and print what it took."""
    if sys.argv[1:2] == ["staged"]:
        staged(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--noise", type=float, default=1.4, help="deviation within a cluster (default 1.4)")
    parser.add_argument("--keep", type=Path, help="keep the result here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        y = make(folder, options.points, options.noise)
        out = options.keep or folder / "result.csv"
        files = [str(folder / "X.npy"), str(folder / "labels.csv"), "--out", str(out)]
        run = [sys.executable, __file__, "staged", "label", *files]
        lines = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        labels = np.loadtxt(out, delimiter=",", skiprows=1, usecols=1, dtype=str)
    told = json.loads(lines[-1])
    for stage, (seconds, busy, most, left) in told.items():
        print(f"{stage:12s} {seconds:7.1f} s, {busy:7.1f} s of cores   peak {most:5.2f} GB   after {left:5.2f} GB")
    correct = np.mean(labels == np.char.add("class ", y.astype(str)))
    seconds, busy = (told["all"][i] / told["neighbours"][i] for i in (0, 1))
    print(f"accuracy {correct:.4f}; whole / neighbour search {seconds:.2f}, in seconds of cores {busy:.2f}")


if __name__ == "__main__":
    main()
