"""Conjugate gradients on blocks of rows: what a worker does for its blocks in one step.

The steps are those of solvers/fused_steps.py, in which the coarse level is deflated: with V = A R, the direction is
P = R + Z lift + share P and its image AP = V + A Z lift + share AP; then X += length P, R -= length AP. All sums that a
step needs, R'R, R'V, Z'R and Z'V, are known at one moment (Chronopoulos and Gear, 1989), so a step is one round of
tasks. A block keeps R and AP on its halo too, and the only rows that it reads of others are those of V. Rounding moves
its R away from the owner's, and a column that is nearly solved would step on the difference, so R is read now and then.

It keeps its state in memory; from the last state on disk and what was written since, any worker can bring it to where
it was.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.right_sides import Sources, System, sums_over
from fewlabels.distributed.rows import read_halo
from fewlabels.distributed.scaled import ScaledBlock
from fewlabels.distributed.scratch import discard, load, save, save_named, threads_here
from fewlabels.files import load_arrays
from fewlabels.solvers.fused_walk import padded_width

__all__ = [
    "NUMBERS",
    "Held",
    "Small",
    "advance",
    "begin",
    "finish",
    "summed",
]

Array = NDArray[Any]
Small = dict[str, Array]

NUMBERS = ("share", "length", "gamma", "energy", "raised", "goal", "unit")
"""What the orders of a step hold, a row each: `unit` scales the right-hand side, the last but it tell when to stop."""


R_EVERY = 10
"""Steps after which a block takes R on its halo from those who own it."""


def summed(told: Sequence[Small], name: str) -> Array:
    """Return the sum of what blocks told."""
    return np.asarray(np.sum([each[name] for each in told], axis=0))


class Held:
    """What a worker holds from one step to the next: states of blocks, and matrices, a bounded part of its memory."""

    def __init__(self) -> None:
        self._things: OrderedDict[tuple[str, int], tuple[int, Any]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def take(self, key: tuple[str, int]) -> Any:
        """Return what is held under a key, which is no longer held then, or None."""
        with self._lock:
            return self._take(key)

    def _take(self, key: tuple[str, int]) -> Any:
        size, thing = self._things.pop(key, (0, None))
        self._bytes -= size
        return thing

    def put(self, key: tuple[str, int], thing: Any, size: int, limit: int) -> bool:
        """Hold a thing if there is room for it, those of other solves or graphs making way; tell whether it is held.

        Blocks come round one after the other: were each to make way for the next, none would be there when asked for.
        """
        with self._lock:
            self._take(key)
            for other in [other for other in self._things if other[0] != key[0]]:
                if self._bytes + size > limit:
                    self._take(other)
            if self._bytes + size > limit:
                return False
            self._things[key] = (size, thing)
            self._bytes += size
            return True


_states, _matrices = Held(), Held()


@dataclass
class _State:
    """A block after some steps: X, P and V on its own rows, R and AP on the halo too, and the sums it told."""

    step: int
    X: Array
    R: Array
    P: Array
    AP: Array
    V: Array
    told: Small = field(default_factory=dict)

    @property
    def arrays(self) -> dict[str, Array]:
        return {name: getattr(self, name) for name in ("X", "R", "P", "AP", "V")}

    @property
    def nbytes(self) -> int:
        return int(sum(each.nbytes for each in self.arrays.values()))


class _Block:
    """A block of a solve that is under way."""

    def __init__(self, folder: Path, system: System, place: int, room: int) -> None:
        self.folder, self.system, self.graph, self.place = folder, system, system.graph, place
        self.kind, self.room = np.dtype(folder.name), room * threads_here()
        key = (f"{self.graph.scaled}-{self.kind}", place)
        held = _matrices.take(key)
        self.rows: ScaledBlock = ScaledBlock.read(self.graph, place, self.kind) if held is None else held
        _matrices.put(key, self.rows, self.rows.nbytes, self.room)

    @cached_property
    def sources(self) -> Sources:
        """The right-hand side."""
        return Sources.read(self.folder / "sources.npz")

    def state_at(self, step: int) -> _State:
        """Return the state after so many steps, from what is held, or from the last one on disk."""
        state: _State | None = _states.take((str(self.folder), self.place))
        if state is None or state.step > step:
            state = self._stored(step)
        while state.step < step:
            self._step(state)
        if not self._exchange(step, self.place).exists():
            told = (state.V, state.R) if _with_residual(step) else (state.V,)
            save(self._exchange(step, self.place), np.hstack([each[self.rows.outward] for each in told]))
        return state

    def keep(self, state: _State, *, on_disk: bool = False) -> None:
        """Hold the state for the next step; where there is no room for it, or if told so, put it on disk."""
        held = _states.put((str(self.folder), self.place), state, state.nbytes, self.room)
        if on_disk or not held:
            before = self._stored_steps()
            save_named(self._state(state.step), {**state.arrays, **state.told})
            discard(self._state(step) for step in before if step < state.step)

    def right_side(self) -> Array:
        """Return the right-hand side on own rows and halo, scaled, without what has no solution."""
        own = self.sources.block(self.system, self.place, self.kind)
        halo = read_halo(lambda other: self.folder / f"b-{other}.npy", self.graph, self.place, own)
        R = np.zeros((self.rows.root.size, padded_width(self.sources.width)), dtype=self.kind)
        R[: self.rows.size, : self.sources.width] = own[self.rows.order]
        R[self.rows.size :, : self.sources.width] = halo
        R *= self.rows.back[:, None]
        R *= self._numbers(0)["unit"].astype(self.kind)
        R -= self.rows.lifted(self._lifts(0)[1])
        return R

    def _state(self, step: int) -> Path:
        return self.folder / f"state-{step}-{self.place}.npz"

    def _stored_steps(self) -> list[int]:
        return [int(path.name.split("-")[1]) for path in self.folder.glob(f"state-*-{self.place}.npz")]

    def _stored(self, step: int) -> _State:
        last = max((each for each in self._stored_steps() if each <= step), default=None)
        if last is None:
            return self._first()
        arrays = load_arrays(self._state(last), "the state of a solve")
        X, R, P, AP, V = (arrays.pop(name) for name in ("X", "R", "P", "AP", "V"))
        return _State(last, X, R, P, AP, V, told=arrays)

    def _first(self) -> _State:
        """Return the state at the start: what the coarse level knows is in X."""
        R, n = self.right_side(), self.rows.size
        lift = self._lifts(0)[0]
        R -= self.rows.image_of(lift)
        X = self.rows.lifted(lift)[:n].copy()
        state = _State(0, X, R, np.zeros_like(X), np.zeros_like(R), np.zeros_like(X))
        outer = np.add.reduceat(self.rows.root[:n, None] * R[:n], self.rows.starts[:-1])
        self._told(state, outer, np.einsum("ij,ij->j", R[:n], R[:n], dtype=np.float64))
        return state

    def _step(self, state: _State) -> None:
        """Do one step in place."""
        numbers = self._numbers(state.step + 1)
        lift, drop = self._lifts(state.step + 1)
        halo = read_halo(lambda other: self._exchange(state.step, other), self.graph, self.place, state.V)
        width = state.X.shape[1]
        if _with_residual(state.step) and halo.size:
            state.R[self.rows.size :] = halo[:, width:]
            halo = np.ascontiguousarray(halo[:, :width])
        squares = np.zeros(width)
        along = numbers["length"].astype(self.kind), numbers["share"].astype(self.kind)
        blocks = (state.X, state.R, state.P, state.AP)
        outer = self.rows.move(along, lift, drop, (state.V, halo), blocks, squares)
        state.step += 1
        self._told(state, outer, squares)

    def _told(self, state: _State, outer: Array, squares: Array) -> None:
        """Make V = A R, and note the sums that the next step needs."""
        slopes = np.zeros(squares.size)
        inner = self.rows.product(state.R, state.V, slopes)
        state.told = {"outer": outer, "inner": inner, "squares": squares, "slopes": slopes}

    def _exchange(self, step: int, place: int) -> Path:
        return self.folder / f"v-{step}-{place}.npy"

    def _numbers(self, step: int) -> dict[str, Array]:
        return dict(zip(NUMBERS, load(self.folder / f"orders-{step}.npy"), strict=True))

    def _lifts(self, step: int) -> Array:
        """Return what a step adds to the direction, and takes from the residual, at the aggregates of this block."""
        return np.ascontiguousarray(load(self.folder / f"lift-{step}.npy")[:, self.rows.known])


def _with_residual(step: int) -> bool:
    return step % R_EVERY == R_EVERY - 1


def begin(folder: Path, system: System, places: Sequence[int], room: int) -> list[Small]:
    """Write the rows of the right-hand side that other blocks need; return its sums over aggregates, and its size."""
    found = []
    for place in places:
        block = _Block(folder, system, place, room)
        sources = block.sources
        B = sources.block(system, place, block.kind)[block.rows.order]
        save(folder / f"b-{place}.npy", B[block.rows.outward])
        size, width = block.rows.size, padded_width(sources.width) - sources.width
        scaled = block.rows.back[:size, None] * B
        told = {
            "sums": np.add.reduceat(B, block.rows.starts[:-1], dtype=np.float64),
            "squares": np.einsum("ij,ij->j", scaled, scaled, dtype=np.float64),
            "largest": np.maximum(B.max(axis=0), -B.min(axis=0)).astype(np.float64),
        }
        found.append({name: np.pad(each, [(0, 0)] * (each.ndim - 1) + [(0, width)]) for name, each in told.items()})
    return found


def advance(folder: Path, system: System, places: Sequence[int], room: int, step: int, on_disk: bool) -> list[Small]:
    """Bring blocks to a step, for which the orders of all steps before are in the folder; return their sums."""
    found = []
    for place in places:
        block = _Block(folder, system, place, room)
        state = block.state_at(step)
        block.keep(state, on_disk=on_disk)
        found.append(state.told)
    return found


def finish(folder: Path, system: System, places: Sequence[int], room: int, step: int, scale: Array) -> list[Small]:
    """Write blocks of the solution into the folder above, and the rows of it that others need to measure it by.

    Returns its sums over components, plain and by degree. `scale` takes the columns back to those of the right side.
    """
    found = []
    for place in places:
        block = _Block(folder, system, place, room)
        state, rows = block.state_at(step), block.rows
        X = np.empty((rows.size, scale.size), dtype=block.kind)
        X[rows.order] = state.X[:, : scale.size] * rows.back[: rows.size, None] * scale.astype(block.kind)
        save(folder.parent / f"x-{place}.npy", X)
        save(folder.parent / f"y-{place}.npy", X[rows.order[rows.outward]])
        component = load(system.labelled.folder / f"component-{place}.npy")[: rows.size]
        degrees = load(system.graph.rows / f"degrees-{place}.npy")[:, None]
        count = system.labelled.count
        sums, volumes = sums_over(component, X, count), sums_over(component, degrees * X, count)
        found.append({"sums": sums, "volumes": volumes})
        block.keep(state)
    return found
