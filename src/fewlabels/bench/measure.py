"""The measurements of `fewlabels bench`, one function each; a report holds what was run and says what was not."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import Any

import numpy as np

from fewlabels.bench.extremes import WIDE, extremes
from fewlabels.bench.loop import loop
from fewlabels.bench.record import Measurement, Report
from fewlabels.bench.suite import suite
from fewlabels.bench.textbook import textbook_labels
from fewlabels.compiled import kernels_at_hand
from fewlabels.datasets import Dataset, load_dataset
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.green import green, impulses
from fewlabels.interface import fit_ridge, gram, interface_term
from fewlabels.interface.ridge import RidgeFit
from fewlabels.labels import Seeds
from fewlabels.methods import InterfaceLaplace, Laplace, Poisson
from fewlabels.progress import say
from fewlabels.solvers import CG, SMOOTH_TOL

__all__ = ["PARTS", "run_bench", "stages"]

TOGETHER = 100
LABELS = (10, 100, 1000, 10_000)
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)


def fit(report: Report, data: Dataset, repeats: int) -> None:
    """One fit on a given graph, its stages, the textbook, a fit among many, and the machine's limit."""
    graph, seeds = data.graph, data.seeds("1", 0)
    method = InterfaceLaplace(hops=4, target_mse=0.2)
    report.add("ours: first fit, with the solver's preparation", lambda: method.spread(graph, seeds), 1)
    ours = report.add("ours: one fit", lambda: method.spread(graph, seeds), 2 * repeats + 1)
    plain = InterfaceLaplace(hops=4, target_mse=0.2, solver=CG(3e-3, compiled=False))
    plain.spread(graph, seeds)
    report.add("ours: one fit without kernels", lambda: plain.spread(graph, seeds), repeats)
    found = method.spread(graph, seeds)
    for name, run, note in stages(graph, seeds, method):
        report.add(f"stage: {name}", run, repeats, note)
    labels: list[Any] = []
    book = report.add(
        "textbook: one fit",
        lambda: labels.append(textbook_labels(graph.weights, seeds.indices, seeds.codes, 4, 0.2)),
        max(1, repeats // 2),
    )
    converged = InterfaceLaplace(hops=4, target_mse=0.2, solver=CG(1e-8)).scores(graph, seeds).argmax(axis=1)
    agreement = 100 * np.mean(found.scores.argmax(axis=1) == converged)
    report.ratios.append(
        (f"one fit: textbook / ours (labels equal to converged on {agreement:.2f}%)", book / ours, "30")
    )
    new = int(np.setdiff1d(np.arange(graph.n_nodes), seeds.indices)[graph.n_nodes // 3])
    nodes = np.append(seeds.indices, new)
    more = Seeds.from_classes(nodes, data.y[nodes], n_classes=seeds.targets.shape[1])
    again = report.add(
        "ours: one label added to a solved problem",
        lambda: method.spread_again(graph, more, found, seeds),
        2 * repeats + 1,
    )
    report.ratios.append(("add one label: one fit / this", ours / again, "5"))
    draws = [data.seeds("1", t % 100) for t in range(TOGETHER)]
    name = f"ours: {TOGETHER} fits together"
    together = report.add(name, lambda: method.spread_many(graph, draws), max(1, repeats // 2)) / TOGETHER
    report.ratios.append(("a fit among many trials: textbook / ours", book / together, "80"))
    table = graph.weights.data.nbytes // 2 + graph.weights.indices.nbytes + 2 * graph.n_nodes * seeds.size * 4
    source = np.ones(50_000_000 // 8)
    copy = report.add("machine: copying 50 MB", source.copy, 9)
    steps = sum(solve.n_iter for solve in found.solves)
    limit = steps * table / (2 * source.nbytes / copy)
    report.measured.append(Measurement("machine: reading matrix and block once a step", limit, 0.0, f"{steps} steps"))


def stages(graph: Graph, seeds: Seeds, method: InterfaceLaplace) -> list[tuple[str, Callable[[], Any], str]]:
    """Return the stages of a fit as (name, what to time, how its solve went), the solver prepared."""
    found = method.spread(graph, seeds)
    E, G, interface = impulses(graph, seeds.indices), found.columns, found.interface
    assert G is not None

    def ridge() -> RidgeFit:
        return fit_ridge(gram(G, interface), seeds.targets, seeds.weights, target_mse=method.target_mse)

    coefficients = ridge().coefficients
    return [
        ("hop counts", lambda: graph.hops_from(seeds.indices), ""),
        ("Green's columns", lambda: green(graph, E), str(found.solves[0])),
        ("lambda", ridge, ""),
        ("term", lambda: interface_term(G, interface, coefficients), ""),
        ("inference", lambda: green(graph, found.term, tol=SMOOTH_TOL), str(found.solves[1])),
    ]


def peers(report: Report, data: Dataset, repeats: int) -> None:
    """Poisson and Laplace learning beside graphlearning, and from features beside scikit-learn."""
    graph, seeds = data.graph, data.seeds("1", 0)
    Poisson().scores(graph, seeds)
    ours = {
        "Poisson": report.add("ours: Poisson", lambda: Poisson().scores(graph, seeds), repeats),
        "Laplace": report.add("ours: Laplace", lambda: Laplace().scores(graph, seeds), repeats),
    }
    try:
        import graphlearning as gl
    except ImportError:
        report.measured.append(
            Measurement("graphlearning", float("nan"), 0.0, "not installed: pip install graphlearning")
        )
    else:
        for name, peer in (("Poisson", gl.ssl.poisson(graph.weights)), ("Laplace", gl.ssl.laplace(graph.weights))):
            theirs = report.add(
                f"graphlearning: {name}", partial(peer.fit_predict, seeds.indices, seeds.codes), repeats
            )
            report.ratios.append((f"one {name} fit: graphlearning / ours", theirs / ours[name], "5"))
    if data.features is None:
        return
    from sklearn.semi_supervised import LabelSpreading

    y = np.full(data.y.size, -1)
    y[seeds.indices] = seeds.codes
    model = LabelSpreading(kernel="knn", n_neighbors=10, n_jobs=2)

    def accuracy(labels: Any) -> str:
        return f"accuracy {100 * np.mean(labels == data.y):.1f}"

    theirs = report.add("scikit-learn LabelSpreading, from features", lambda: model.fit(data.features, y), 1)
    told = [accuracy(model.transduction_)]
    for search, wanted in (("exact", "3"), ("approximate", "8")):
        found: list[Any] = []

        def end_to_end(search: str = search, found: list[Any] = found) -> None:
            fresh = Graph.from_features(data.features, search=search)
            found.append(InterfaceLaplace().scores(fresh, seeds).argmax(axis=1))

        mine = report.add(f"ours, from features, {search} neighbours", end_to_end, max(1, repeats // 2))
        told.append(accuracy(found[-1]))
        report.ratios.append(
            (f"from features: scikit-learn / ours, {search} ({told[0]} / {told[-1]})", theirs / mine, wanted)
        )


def labels(report: Report, data: Dataset, repeats: int) -> None:
    """Ten to ten thousand labels, each number in its own process; every row labelled, and many classes."""
    for m in (m for m in LABELS if 7 * m <= data.y.size):
        say(f"timing: one fit with {m:,} labels")
        report.by_labels.append(_measured_apart("fewlabels.bench.many", data.name, m))
    extremes(report, repeats)


def growth(report: Report, data: Dataset, repeats: int) -> None:
    """Measure mixtures of 10 thousand to 1 million points, the command on the largest, and wide features."""
    sizes = SIZES[: 3 if repeats <= 1 else None]
    for n in sizes:
        say(f"timing: {n:,} points of a mixture, from features to labels")
        report.growth.append(_measured_apart("fewlabels.bench.growth", n))
    last, points = report.growth[-1], f"{sizes[-1]:,} points"
    for what in ("one more label", "next question"):
        report.ratios.append((f"{points}: {what} / a fresh answer, at most", last[what] / last["fresh answer"], "0.2"))
    _command(report, sizes[-1])
    wide = _measured_apart("fewlabels.bench.extremes")["megabytes"]
    shape = f"{WIDE[0]:,} x {WIDE[1]} float32"
    report.ratios.append((f"Graph.from_features, {shape}: MB above what was held, at most", wide, "250"))


def _command(report: Report, n: int) -> None:
    """Measure `fewlabels label` from file to file, and its stages."""
    say(f"timing: `fewlabels label` on {n:,} points")
    told = _measured_apart("fewlabels.bench.command", n)
    for stage, seconds in {**told["stages"], "all": told["seconds"]}.items():
        note = f"peak {told['peaks'].get(stage, told['gigabytes']):.2f} GB"
        report.measured.append(Measurement(f"ours: `fewlabels label`, {n:,} points: {stage}", seconds, 0.0, note))
    name = f"`fewlabels label`, {n:,} points (accuracy {100 * told['accuracy']:.1f})"
    ratio = told["seconds"] / told["stages"]["neighbours"]
    report.ratios.append((f"{name}: all / neighbour search, at most", ratio, "2"))
    report.ratios.append((f"{name}: peak GB, at most", told["gigabytes"], "4.5"))


def _measured_apart(module: str, *arguments: object) -> dict[str, Any]:
    """Run a measurement in a process of its own and return what it tells."""
    start = f"import sys; from {module} import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", start, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise FewlabelsError(f"measuring {' '.join(command[2:])} failed; see above, or leave that part out.")
    return dict(json.loads(done.stdout.splitlines()[-1]))


PARTS: dict[str, Callable[[Report, Dataset, int], None]] = {
    "suite": suite,
    "loop": loop,
    "fit": fit,
    "peers": peers,
    "labels": labels,
    "growth": growth,
}


def run_bench(parts: Sequence[str], dataset: str = "mnist", repeats: int = 5) -> Report:
    """Run some parts and return what they measured."""
    for part in parts:
        if part not in PARTS:
            raise FewlabelsError(f"nothing to measure is called {part!r}; choose from {', '.join(PARTS)}.")
    data = load_dataset(dataset)
    if any(part != "growth" for part in parts):
        _ = data.graph
    kernels = "with numba" if kernels_at_hand() else "without numba (pip install '.[fast]')"
    report = Report(
        f"{data.title}, {data.y.size:,} points; {platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, numpy {np.__version__}, {kernels}; {date.today()}"
    )
    for part in parts:
        PARTS[part](report, data, repeats)
    return report
