"""One size of the growth curve, in a process of its own so that its peak memory is its own.

Run in a process of its own by `fewlabels bench --what growth`; arguments: N [exact|approximate].
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np

from fewlabels.graph import Graph
from fewlabels.labels import Seeds
from fewlabels.loop import LabelingLoop
from fewlabels.methods import InterfaceLaplace
from fewlabels.neighbors import NeighborSearch
from fewlabels.progress import shown

__all__ = ["forget_the_peak", "mixture", "peak_gigabytes"]

CLASSES, FEATURES, CENTRES = 10, 64, 40


def mixture(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n points of a mixture of 40 Gaussians in 64 dimensions, ten classes of four each, and their classes."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CENTRES, FEATURES)).astype(np.float32)
    which = rng.integers(CENTRES, size=n)
    return centres[which] + 0.9 * rng.standard_normal((n, FEATURES), dtype=np.float32), which % CLASSES


def peak_gigabytes() -> float:
    """Return the most memory this process has held; NaN where the platform does not tell.

    Linux tells it of the program that runs; the other count goes on from the process that started it.
    """
    with suppress(OSError):
        held = Path("/proc/self/status").read_text(encoding="utf-8").partition("VmHWM:")[2].split()
        if held:
            return int(held[0]) * 1024 / 1e9
    try:
        import resource
    except ImportError:
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e9 if sys.platform == "darwin" else peak / 1e6


def forget_the_peak() -> None:
    """Let the peak memory count from here, where the platform can; elsewhere it counts from the beginning."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Measure one size and print it as JSON."""
    n, search = int(arguments[0]), arguments[1] if len(arguments) > 1 else "approximate"
    X, y = mixture(n)
    seeds_at = np.concatenate([np.flatnonzero(y == j)[:3] for j in range(CLASSES)])
    times = {"start": time.perf_counter()}
    with shown():
        near = NeighborSearch(X, search=search).among_themselves(10)
        times["neighbours"] = time.perf_counter()
        graph = Graph.from_neighbors(near)
        times["graph"] = time.perf_counter()
        seeds, method = Seeds.from_classes(seeds_at, y[seeds_at]), InterfaceLaplace()
        method.spread(graph, seeds)
        times["first fit"] = time.perf_counter()
        found = method.spread(graph, seeds)
        times["second fit"] = time.perf_counter()
    stages = list(times)
    told: dict[str, float] = {b: times[b] - times[a] for a, b in pairwise(stages)}
    told |= {"n": n, "accuracy": float(np.mean(found.scores.argmax(axis=1) == y)), "gigabytes": peak_gigabytes()}
    told["steps"] = sum(solve.n_iter for solve in found.solves)
    told |= _loop(graph, seeds_at, y)
    sys.stdout.write(json.dumps(told) + "\n")


def _loop(graph: Graph, nodes: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """Time the labelling loop: a fresh answer for all points, one label more, and what to label next."""
    loop, times = LabelingLoop(graph), {"begun": time.perf_counter()}
    loop.label(nodes, y[nodes])
    times["fresh answer"] = time.perf_counter()
    more = int(loop.suggest(1)[0])
    times["first question"] = time.perf_counter()
    loop.label([more], [y[more]])
    times["one more label"] = time.perf_counter()
    loop.suggest(5)
    times["next question"] = time.perf_counter()
    return {b: times[b] - times[a] for a, b in pairwise(times)}
