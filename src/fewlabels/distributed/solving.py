"""The solve on a cluster: one round of tasks a step, small sums here, the coarse picture in this one place."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from fewlabels.distributed.rows import Pictured
from fewlabels.distributed.scratch import discard, key_of, save, save_named
from fewlabels.distributed.stages import Stages
from fewlabels.distributed.steps import Sources, System, advance, begin, finish
from fewlabels.errors import SolveWarning
from fewlabels.files import load_arrays
from fewlabels.progress import say, track
from fewlabels.solvers.auto import lowered
from fewlabels.solvers.cg import SINGLE_FROM, ratio, too_few_steps
from fewlabels.solvers.inverse import definite_inverse
from fewlabels.systems.coarse import connected_aggregates

__all__ = ["ClusterSolver", "Solved"]

STEPS_BETWEEN = 8
"""Steps after which every block's state is put on disk; a worker that is lost costs no more than these."""

MAX_STEPS = 5000
PART_OF_MEMORY = 0.2
"""The part of a worker's memory that the states of its blocks may take, and the same for their matrices."""

WIDEST = 64
Array = NDArray[Any]


@dataclass(frozen=True)
class Solved:
    """A solution in blocks, `x-b.npy` in single precision, and what is to be taken from each component's rows.

    `plain` makes the mean of every column over each component zero, `by_degree` the mean weighted by degree.
    """

    folder: Path
    width: int
    plain: Array
    by_degree: Array


@dataclass
class ClusterSolver:
    """Solves L X = B on the labelled components of a graph in blocks.

    Attributes
    ----------
    sizes, volumes : ndarray, shape (components,)
        Nodes and sum of degrees of each component that has labels.
    memory : int
        Bytes that a worker may use.
    """

    stages: Stages
    system: System
    pictured: Pictured
    sizes: Array
    volumes: Array
    memory: int
    workers: int
    steps: list[int] = field(default_factory=list)

    @cached_property
    def _live(self) -> NDArray[np.int64]:
        typical = self.pictured.typical_degree or 1.0
        return connected_aggregates(self.pictured.coarse.diagonal() / typical, self.pictured.coarse_component)

    @cached_property
    def _scale(self) -> float:
        diagonal = self.pictured.coarse.diagonal()[self._live]
        return float(diagonal.mean()) if diagonal.size else 1.0

    @cached_property
    def _inverses(self) -> dict[str, Array]:
        """C^-1, in the precision of the blocks that it corrects."""
        C = self.pictured.coarse[self._live][:, self._live].toarray() / self._scale
        inverse = definite_inverse(C, self.pictured.coarse_component[self._live])
        return {"float32": inverse.astype(np.float32), "float64": inverse}

    @cached_property
    def gap(self) -> float:
        """The first nonzero eigenvalue that the aggregates have: an upper bound of the graph's."""
        if not self._live.size:
            return 2.0
        back = 1.0 / np.sqrt(self.pictured.volumes[self._live, None])
        C = self.pictured.coarse[self._live][:, self._live].toarray()
        constants = np.unique(self.pictured.coarse_component[self._live]).size
        values = eigh(back * C * back.T, eigvals_only=True, subset_by_index=[0, constants], overwrite_a=True)
        return max(0.0, float(values[-1]))

    def width(self) -> int:
        """Return how many columns are solved together: as many as the states of all blocks have room for."""
        graph = self.system.graph
        rows = 3 * graph.n_nodes + 2 * (graph.n_nodes + self.pictured.halo)
        return max(1, min(WIDEST, int(PART_OF_MEMORY * self.memory * self.workers / (4 * rows))))

    def solve(self, sources: Sources, tol: float, what: str) -> Solved:
        """Return the solution for some sources, or what an earlier run found for the same."""
        wanted = lowered(tol, self.gap)
        folder = self.stages.scratch / key_of("solve", self.system, sources, wanted)
        folder.mkdir(parents=True, exist_ok=True)
        done = folder / "solved.npz"
        if not done.exists():
            self._solve(folder, sources, wanted, what)
        told = load_arrays(done, "a solve that is done")
        return Solved(folder, sources.width, told["plain"], told["by_degree"])

    def _solve(self, folder: Path, sources: Sources, tol: float, what: str) -> None:
        kind = "float32" if tol >= SINGLE_FROM else "float64"
        room = int(PART_OF_MEMORY * self.memory)
        run = _Run(self, folder, what, kind, room)
        step, since, n_iter = run.steps(sources, tol)
        found = run.round(finish, step, since, kind, room, folder, "x")
        plain = np.sum([each["sums"] for each in found], axis=0) / self.sizes[:, None]
        volumes = np.where(self.volumes > 0, self.volumes, 1.0)[:, None]
        by_degree = np.sum([each["volumes"] for each in found], axis=0) / volumes
        save_named(folder / "solved.npz", {"plain": plain, "by_degree": by_degree})
        discard(path for path in folder.iterdir() if path.name.split("-")[0] in ("w", "b", "lift", "orders", "state"))
        self.steps.append(n_iter)
        say(f"{what}: {sources.width} columns in {n_iter} steps")

    def lift(self, R: Array, kind: str) -> Array:
        """Return C^-1 R for sums over all aggregates, zero at those that stand alone."""
        found = np.zeros(R.shape, dtype=kind)
        known = R[self._live]
        size = float(np.abs(known).max(initial=0.0)) or 1.0
        found[self._live] = (self._inverses[kind] @ (known / size).astype(kind)) * (size / self._scale)
        return found


class _Run:
    """One solve under way."""

    def __init__(self, solver: ClusterSolver, folder: Path, what: str, kind: str, room: int) -> None:
        self._solver, self._folder, self._what = solver, folder, what
        self._kind, self._room = kind, room

    def round(self, work: Any, *arguments: Any) -> list[dict[str, Array]]:
        """Do one task for every block, each on the worker that had it before where it is still there."""
        solver, graph = self._solver, self._solver.system.graph
        client, begun = solver.stages.client, time.perf_counter()
        workers = sorted(client.nthreads())
        futures = {}
        for place in range(graph.count):
            home = [workers[place * len(workers) // graph.count]] if workers else None
            future = client.submit(
                _counted,
                work,
                self._folder,
                solver.system,
                place,
                *arguments,
                workers=home,
                allow_other_workers=True,
                pure=False,
            )
            futures[future] = place
        found: dict[int, dict[str, Array]] = {}
        counts = np.zeros(2, dtype=np.int64)
        for future, (told, moved) in solver.stages.results(futures, self._what, quiet=True):
            found[futures[future]] = told
            counts += moved
        solver.stages.note(self._what, time.perf_counter() - begun, 0, counts.tolist())
        return [found[place] for place in range(graph.count)]

    def steps(self, sources: Sources, tol: float) -> tuple[int, int, int]:
        """Step until every column has reached the tolerance; return the last step and the one that is on disk."""
        solver, folder = self._solver, self._folder
        known = self._before()
        if known is None:
            begun = self.round(begin, sources)
            squares = np.sum([each["squares"] for each in begun], axis=0)
            lift = solver.lift(np.concatenate([each["R"] for each in begun]), self._kind)
            save(folder / "lift-0.npy", lift)
            known = {"step": np.array(0), "goal": tol**2 * squares}
            save_named(folder / "begun.npz", known)
        step, since = int(known["step"]), self._on_disk()
        goal, always = known["goal"], False
        for _ in track(range(MAX_STEPS), self._what):
            on_disk = always or (step > since and step % STEPS_BETWEEN == 0)
            small = self.round(advance, step, since, self._kind, self._room, on_disk)
            if on_disk:
                save_named(folder / "since.npz", {"step": np.array(step)})
                self._forget(since, step)
                since = step
            always = always or not all(bool(each["held"]) for each in small)
            gamma, delta, squares = (np.sum([each[name] for each in small], axis=0) for name in _SUMS)
            energy = known.setdefault("energy", tol**2 * gamma)
            done = known.get("done", np.zeros(gamma.size, dtype=bool))
            if not (~done & ((squares > goal) | (gamma > energy))).any():
                return step, since, step
            known = self._orders(step, known, small, gamma, delta)
            step += 1
        warnings.warn(f"{self._what}: {too_few_steps(MAX_STEPS, tol)}", SolveWarning, stacklevel=4)
        return step - 1, since, step

    def _orders(
        self, step: int, known: dict[str, Array], small: Sequence[dict[str, Array]], gamma: Array, delta: Array
    ) -> dict[str, Array]:
        """Write what every block does in a step, and return what the next needs of it."""
        solver, folder = self._solver, self._folder
        beta, alpha = np.zeros_like(gamma), ratio(gamma, delta)
        squares = np.sum([each["squares"] for each in small], axis=0)
        done = (squares <= known["goal"]) & (gamma <= known["energy"])
        S = np.concatenate([each["W"] for each in small])
        if "gamma" in known:
            beta = ratio(gamma, known["gamma"])
            alpha = ratio(gamma, delta - ratio(beta * gamma, known["alpha"]))
            S, done = S + beta * known["S"], done | known["done"]
        alpha = np.where(done, 0.0, alpha)
        sums = np.sum([each["sums"] for each in small], axis=0)
        mean = np.vstack([sums / solver.sizes[:, None], np.zeros((1, gamma.size))])
        R = np.concatenate([each["R"] for each in small]) - alpha * S
        save(folder / f"lift-{step + 1}.npy", solver.lift(R, self._kind))
        found = {
            "step": np.array(step + 1), "goal": known["goal"], "energy": known["energy"], "gamma": gamma,
            "alpha": alpha, "beta": beta, "mean": mean, "S": S, "done": done,
        }  # fmt: skip
        save_named(folder / f"orders-{step}.npz", found)
        return found

    def _before(self) -> dict[str, Array] | None:
        """Return where an earlier run was, or None."""
        numbers = [int(path.stem.split("-")[1]) for path in self._folder.glob("orders-*.npz")]
        if numbers:
            return load_arrays(self._folder / f"orders-{max(numbers)}.npz", "a step of a solve")
        path = self._folder / "begun.npz"
        return load_arrays(path, "the beginning of a solve") if path.exists() else None

    def _on_disk(self) -> int:
        path = self._folder / "since.npz"
        return int(load_arrays(path, "a step of a solve")["step"]) if path.exists() else 0

    def _forget(self, before: int, step: int) -> None:
        """Remove what no block can need any more, now that all are on disk after this step."""
        folder, blocks = self._folder, range(self._solver.system.graph.count)
        for each in range(before, step):
            discard([folder / f"lift-{each}.npy", folder / f"orders-{each - 1}.npz"])
            discard(folder / f"w-{each - (not before)}-{place}.npy" for place in blocks)
        discard(folder / f"state-{before}-{place}.npz" for place in blocks)


_SUMS = ("gamma", "delta", "squares")


def _counted(work: Any, *arguments: Any) -> tuple[dict[str, Array], tuple[int, int]]:
    from fewlabels.distributed.scratch import moved

    before = moved.read, moved.written
    found = work(*arguments)
    return found, (moved.read - before[0], moved.written - before[1])
