"""What a run of the bench measured, and how it is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fewlabels.progress import say

__all__ = ["Measurement", "Report"]


@dataclass(frozen=True)
class Measurement:
    """Seconds of one thing: median over repeats, and how far apart the slowest and the fastest are."""

    name: str
    seconds: float
    noise: float = 0.0
    note: str = ""


@dataclass
class Report:
    """Everything that one run measured."""

    machine: str
    measured: list[Measurement] = field(default_factory=list)
    ratios: list[tuple[str, float, str]] = field(default_factory=list)
    growth: list[dict[str, float]] = field(default_factory=list)
    by_labels: list[dict[str, float]] = field(default_factory=list)

    def add(self, name: str, run: Callable[[], Any], repeats: int, note: str = "") -> float:
        """Time something and return its median."""
        say(f"timing: {name}")
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        return self.record(name, times, note)

    def record(self, name: str, times: Sequence[float], note: str = "") -> float:
        """Keep times that were taken elsewhere and return their median."""
        middle = float(np.median(times))
        self.measured.append(Measurement(name, middle, (max(times) - min(times)) / middle, note))
        return middle

    def markdown(self) -> str:
        """Return the tables of the page as Markdown."""
        lines = [self.machine]
        if self.measured:
            lines += ["", "| what | seconds | slowest - fastest | |", "|---|---|---|---|"]
            lines += [f"| {m.name} | {m.seconds:.3f} | {m.noise:.0%} | {m.note} |" for m in self.measured]
        if self.ratios:
            lines += ["", "| ratio | measured | wanted |", "|---|---|---|"]
            lines += [f"| {name} | {value:.1f} | {wanted} |" for name, value, wanted in self.ratios]
        if self.growth:
            lines += ["", "| points | neighbours, s | graph, s | first fit, s | fit, s | steps | peak GB | accuracy |"]
            lines += ["|---" * 8 + "|"]
            lines += [
                f"| {g['n']:,.0f} | {g['neighbours']:.1f} | {g['graph']:.1f} | {g['first fit']:.2f} | "
                f"{g['second fit']:.2f} | {g['steps']:.0f} | {g['gigabytes']:.2f} | {100 * g['accuracy']:.1f} |"
                for g in self.growth
            ]
        if self.by_labels:
            lines += ["", "| labels | fit, s | extra GB at the peak | accuracy |", "|---|---|---|---|"]
            lines += [
                f"| {g['m']:,.0f} | {g['fit']:.2f} | {g['gigabytes']:.2f} | {100 * g['accuracy']:.1f} |"
                for g in self.by_labels
            ]
        if len(self.growth) > 1:
            size = np.log([g["n"] for g in self.growth])
            for what in ("second fit", "gigabytes"):
                slope = np.polyfit(size, np.log([g[what] for g in self.growth]), 1)[0]
                lines += ["", f"Exponent of {what} against points: {slope:.2f}"]
        return "\n".join(lines) + "\n"
