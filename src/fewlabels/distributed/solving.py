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

from fewlabels.distributed.clusters import threads_of
from fewlabels.distributed.passes import in_passes
from fewlabels.distributed.right_sides import Sources, System
from fewlabels.distributed.rows import Pictured
from fewlabels.distributed.scratch import counted, key_of, load, save, save_named
from fewlabels.distributed.stages import Stages
from fewlabels.distributed.steps import NUMBERS, Small, advance, begin, finish, summed
from fewlabels.errors import SolveWarning
from fewlabels.files import load_arrays
from fewlabels.progress import say, track
from fewlabels.solvers.auto import lowered
from fewlabels.solvers.cg import MISSED, ratio, too_few_steps
from fewlabels.solvers.constants import Constants
from fewlabels.solvers.fused_steps import EXHAUSTED
from fewlabels.solvers.fused_walk import PAD
from fewlabels.solvers.inverse import definite_inverse
from fewlabels.systems import connected_aggregates

__all__ = ["ClusterSolver", "Solved"]

FEWEST_BETWEEN = 8
"""Steps at least after which every block's state is put on disk; a worker that is lost costs no more than these."""

MAX_STEPS = 5000
PART_OF_MEMORY, EVENLY = 0.2, 0.8
"""The part of a worker's memory that the states of its blocks may take, and the same for their matrices; and the part
of that room which is planned for, since some workers have more rows than others."""

WIDEST, TOO_WIDE = 64, 2.5
"""Columns at most; times that the gap may be too large which aggregates see that end at the rims of blocks."""
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
        Bytes that a thread of a worker may use.
    threads : int
        Threads of all workers.
    residuals : dict of float
        The largest |B - L X| / |B| of what was solved for, by name.
    """

    stages: Stages
    system: System
    pictured: Pictured
    sizes: Array
    volumes: Array
    memory: int
    threads: int
    residuals: dict[str, float] = field(default_factory=dict)

    @cached_property
    def live(self) -> NDArray[np.int64]:
        """The aggregates that have edges to others."""
        return connected_aggregates(self._coarse.diagonal(), self.pictured.coarse_component)

    @cached_property
    def _coarse(self) -> Any:
        """C = Z'AZ."""
        return self.pictured.coarse / (self.pictured.typical_degree or 1.0)

    @cached_property
    def constants(self) -> Constants:
        """The constants of the components, along which A is singular."""
        return Constants(self.pictured.coarse_component, self.pictured.volumes / (self.pictured.typical_degree or 1.0))

    @cached_property
    def inverses(self) -> dict[str, Array]:
        """C^-1, in the precision of the blocks that it corrects."""
        C = self._coarse[self.live][:, self.live].toarray()
        inverse = definite_inverse(C, self.pictured.coarse_component[self.live])
        return {"float32": inverse.astype(np.float32), "float64": inverse}

    @cached_property
    def gap(self) -> float:
        """The first nonzero eigenvalue that the aggregates have: an upper bound of the graph's."""
        if not self.live.size:
            return 2.0
        back = 1.0 / np.sqrt(self.pictured.volumes[self.live, None])
        C = self.pictured.coarse[self.live][:, self.live].toarray()
        constants = np.unique(self.pictured.coarse_component[self.live]).size
        values = eigh(back * C * back.T, eigvals_only=True, subset_by_index=[0, constants], overwrite_a=True)
        return max(0.0, float(values[-1]))

    @cached_property
    def steps_between(self) -> int:
        """After how many steps states go to disk: when the rows exchanged since then would take as much room."""
        rows = 5 * self.system.graph.n_nodes + 2 * self.pictured.halo
        return max(FEWEST_BETWEEN, -(-rows // max(1, self.pictured.halo)))

    def width(self) -> int:
        """Return how many columns are solved together: as many as the states of all blocks have room for."""
        rows = 5 * self.system.graph.n_nodes + 2 * self.pictured.halo
        room = EVENLY * PART_OF_MEMORY * self.memory * self.threads
        return max(PAD, min(WIDEST, int(room / (4 * rows)) // PAD * PAD))

    def solve(self, sources: Sources, tol: float, what: str) -> Solved:
        """Return the solution for some sources, or what an earlier run found for the same."""
        wanted = lowered(tol, self.gap / TOO_WIDE)
        folder = self.stages.scratch / key_of("solve", self.system, sources, wanted)
        done = folder / "solved.npz"
        if not done.exists():
            self._solve(folder, sources, wanted, what)
        told = load_arrays(done, "a solve that is done")
        self.residuals[what] = max(self.residuals.get(what, 0.0), float(told["residual"]))
        return Solved(self.stages.scratch / str(told["at"]), sources.width, told["plain"], told["by_degree"])

    def _solve(self, folder: Path, sources: Sources, tol: float, what: str) -> None:
        def solved(into: Path, left: Sources, wanted: float) -> Small:
            return _Run(self, into, what).solved(left, wanted)

        found = in_passes(self.stages, self.system, sources, tol, folder, solved)
        residual = float(found["residual"])
        say(f"{what}: {sources.width} columns in {found['n_iter']} steps, residual {residual:.1e}")
        if not residual <= MISSED * tol:
            warnings.warn(f"{what}: {too_few_steps(MAX_STEPS, tol)}", SolveWarning, stacklevel=4)
        folder.mkdir(parents=True, exist_ok=True)
        save_named(folder / "solved.npz", found)

    def lift(self, wanted: Array, kind: str) -> tuple[Array, Array]:
        """Return C^-1 wanted, free of the constants, and the columns' wanted'C^-1 wanted."""
        known, found = wanted[self.live].astype(kind), np.zeros(wanted.shape, dtype=kind)
        found[self.live] = self.inverses[kind] @ known
        energy = _dot(known, found[self.live])
        found -= self.constants.means(found).astype(kind)
        return found, energy


class _Run:
    """One solve under way, its files in a folder named by its precision."""

    def __init__(self, solver: ClusterSolver, folder: Path, what: str) -> None:
        self._solver, self._folder, self._what, self._kind = solver, folder, what, folder.name
        self._room = int(PART_OF_MEMORY * solver.memory)
        folder.mkdir(parents=True, exist_ok=True)

    def round(self, work: Any, *arguments: Any) -> list[Small]:
        """Do one task for every thread of the workers, each for the blocks that it had before where it is still there.

        A task that waits may be given to another worker, which would have to bring its blocks there first. So there are
        never more tasks than threads.
        """
        solver, graph = self._solver, self._solver.system.graph
        client, begun = solver.stages.client, time.perf_counter()
        threads: list[str | None] = [*threads_of(client)] or [None]
        count, futures = min(len(threads), graph.count), {}
        for task in range(count):
            places = list(range(graph.count * task // count, graph.count * (task + 1) // count))
            home = threads[len(threads) * task // count]
            future = client.submit(
                counted,
                work,
                self._folder,
                solver.system,
                places,
                self._room,
                *arguments,
                workers=None if home is None else [home],
                allow_other_workers=home is not None,
                pure=False,
            )
            futures[future] = places
        found: dict[int, Small] = {}
        counts = np.zeros(2, dtype=np.int64)
        for future, (told, moved) in solver.stages.results(futures, self._what, quiet=True):
            found.update(zip(futures[future], told, strict=True))
            counts += moved
        solver.stages.note(self._what, time.perf_counter() - begun, 1, counts.tolist())
        return [found[place] for place in range(graph.count)]

    def solved(self, sources: Sources, tol: float) -> dict[str, Array]:
        """Return what is told of the solution, which is in the folder above: means, and the number of steps."""
        solver = self._solver
        known, step = self._before()
        if known is None:
            sources.write(self._folder / "sources.npz")
            known = self._begun(tol)
        step = self._steps(known, step, tol)
        found = self.round(finish, step, self._scale(known, sources.width))
        volumes = np.where(solver.volumes > 0, solver.volumes, 1.0)[:, None]
        return {
            "plain": summed(found, "sums") / solver.sizes[:, None],
            "by_degree": summed(found, "volumes") / volumes,
            "n_iter": np.array(step),
        }

    def _scale(self, known: Small, width: int) -> Array:
        unit, size = known["unit"][:width], self._solver.pictured.typical_degree or 1.0
        return ratio(np.ones(width), unit) / size

    def _begun(self, tol: float) -> Small:
        """Begin with what the coarse level knows; return the numbers of the start."""
        begun = self.round(begin)
        largest = np.max([each["largest"] for each in begun], axis=0)
        unit = ratio(np.ones_like(largest), largest)
        outer = unit * np.concatenate([each["sums"] for each in begun])
        lift, energy = self._solver.lift(outer, self._kind)
        known = {
            "share": np.zeros_like(unit), "length": np.ones_like(unit), "gamma": np.zeros_like(unit),
            "energy": energy, "raised": energy, "goal": tol**2 * unit**2 * summed(begun, "squares"), "unit": unit,
        }  # fmt: skip
        self._order(0, known, lift, self._solver.constants.shares(outer))
        return known

    def _steps(self, known: Small, step: int, tol: float) -> int:
        """Step until every column has reached the tolerance; return the last step."""
        for _ in track(iter(range(step, MAX_STEPS)), f"{self._what}, steps"):
            on_disk = step > 0 and step % self._solver.steps_between == 0
            told = self.round(advance, step, on_disk)
            if on_disk:
                self._forget(step)
            squares = summed(told, "squares")
            moving = (squares > known["goal"]) | (known["raised"] > tol**2 * known["energy"])
            if not moving.any() or not np.isfinite(squares).all():
                break
            known = self._next(step, known, told, squares)
            step += 1
        return step

    def _next(self, step: int, known: Small, told: Sequence[Small], gamma: Array) -> Small:
        """Write what every block does in the next step, from the sums after this one; return its numbers."""
        solver = self._solver
        outer, inner = (np.concatenate([each[name] for each in told]) for name in ("outer", "inner"))
        moving = gamma > EXHAUSTED * known["goal"]
        share = np.where(moving, ratio(gamma, known["gamma"]), 0.0)
        lift, energy = solver.lift(outer - inner, self._kind)
        bend = summed(told, "slopes") + energy + 2.0 * _dot(lift, inner)
        length = ratio(gamma, bend - share * ratio(gamma, known["length"]))
        length = np.where(moving, length, 0.0)
        raised = length * gamma
        found = {
            "share": share, "length": length, "gamma": gamma, "energy": known["energy"] + raised, "raised": raised,
            "goal": known["goal"], "unit": known["unit"],
        }  # fmt: skip
        self._order(step + 1, found, lift, solver.constants.shares(outer))
        return found

    def _order(self, step: int, numbers: Small, lift: Array, drop: Array) -> None:
        save(self._folder / f"lift-{step}.npy", np.stack([lift, drop.astype(self._kind)]))
        save(self._folder / f"orders-{step}.npy", np.stack([numbers[name] for name in NUMBERS]))

    def _before(self) -> tuple[Small | None, int]:
        """Return the numbers of the step that an earlier run was in, or None, and the step."""
        steps = [int(path.stem.split("-")[1]) for path in self._folder.glob("orders-*.npy")]
        if not steps:
            return None, 0
        numbers = load(self._folder / f"orders-{max(steps)}.npy")
        return dict(zip(NUMBERS, numbers, strict=True)), max(steps)

    def _forget(self, step: int) -> None:
        """Remove what no block can need any more, now that all are on disk after this step; the start is needed."""
        for path in self._folder.iterdir():
            name, _, number = path.stem.partition("-")
            if name in ("v", "lift", "orders") and (name != "v") <= int(number.split("-")[0]) < step:
                path.unlink(missing_ok=True)


def _dot(A: Array, B: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->j", A, B, dtype=np.float64))
