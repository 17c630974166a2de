"""Conjugate gradients on blocks of rows: what a worker does for its block in one step.

The recurrences are those of Chronopoulos and Gear (1989), which need all inner products of a step at one moment: a step
is one task for every block and one small sum. With Z = M R, M = N^-1 + P C^-1 P' the two-level preconditioner, and
W = L Z:  P = Z + beta P, S = W + beta S, X += alpha P, R -= alpha S.

A block keeps R and S on its halo too, so that the only rows it reads of others in a step are those of W. It keeps its
state in memory; from the last state on disk and what was written since, any worker can bring it to where it was.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.distributed.rows import BlockGraph, matrix_of, read_halo, write_outward
from fewlabels.distributed.scratch import load, save, save_named
from fewlabels.files import load_arrays
from fewlabels.systems.projections import reciprocal

__all__ = ["Labelled", "Sources", "System", "advance", "begin", "finish", "sums_over"]

Array = NDArray[Any]
Small = dict[str, Array]


@dataclass(frozen=True)
class Labelled:
    """Which of the components that have labels each node is in: `component-b.npy`, own rows and halo.

    Nodes that no label reaches are in the last one, number `count`, of which nothing is asked.
    """

    folder: Path
    count: int


@dataclass(frozen=True)
class System:
    """L X = B on the components that have labels."""

    graph: BlockGraph
    labelled: Labelled


@dataclass(frozen=True)
class Sources:
    """A right-hand side: values at some nodes, columns from files, less a row of numbers for each component.

    B = entries + files - even[component] - degree * by_degree[component]; of the files' columns those from `first` on.
    """

    width: int
    nodes: Array
    columns: Array
    values: Array
    even: Array
    by_degree: Array
    folder: Path | None = None
    first: int = 0

    def block(self, system: System, place: int) -> Array:
        """Return the rows of a block."""
        graph = system.graph
        size = graph.size(place)
        component = load(system.labelled.folder / f"component-{place}.npy")[:size]
        B = np.zeros((size, self.width))
        if self.folder is not None:
            B += load(self.folder / f"term-{place}.npy")[:, self.first : self.first + self.width]
        here = (self.nodes >= graph.starts[place]) & (self.nodes < graph.starts[place + 1])
        np.add.at(B, (self.nodes[here] - graph.starts[place], self.columns[here]), self.values[here])
        nothing = np.zeros((1, self.width))
        B -= np.vstack([self.even, nothing])[component]
        if self.by_degree.any():
            degrees = load(graph.rows / f"degrees-{place}.npy")
            B -= degrees[:, None] * np.vstack([self.by_degree, nothing])[component]
        return B


def sums_over(groups: Array, X: Array, count: int) -> Array:
    """Return the sums of rows over groups numbered from 0; rows of groups from `count` on are left out.

    Examples
    --------
    >>> sums_over(np.array([0, 2, 0]), np.array([[1.0], [5.0], [2.0]]), 2).tolist()
    [[3.0], [0.0]]
    """
    most = max(count, int(groups.max(initial=-1)) + 1)
    members = sp.csr_array((np.ones(len(X)), (groups, np.arange(len(X)))), shape=(most, len(X)))
    return np.asarray(members @ X)[:count]


class _Held:
    """What a worker holds from one step to the next: states of blocks, and matrices, a bounded part of its memory."""

    def __init__(self) -> None:
        self._things: OrderedDict[tuple[str, int], tuple[int, Any]] = OrderedDict()
        self._bytes = 0

    def take(self, key: tuple[str, int]) -> Any:
        size, thing = self._things.pop(key, (0, None))
        self._bytes -= size
        return thing

    def put(self, key: tuple[str, int], thing: Any, size: int, limit: int) -> bool:
        """Hold a thing if there is room for it, older things making way; tell whether it is held."""
        self.take(key)
        if size > limit:
            return False
        while self._bytes + size > limit:
            _, (gone, _) = self._things.popitem(last=False)
            self._bytes -= gone
        self._things[key] = (size, thing)
        self._bytes += size
        return True


_states, _matrices = _Held(), _Held()


@dataclass
class _State:
    """A block after some steps: X, P and W on its own rows, R and S on the halo too."""

    step: int
    X: Array
    P: Array
    W: Array
    R: Array
    S: Array

    @property
    def nbytes(self) -> int:
        return int(sum(each.nbytes for each in (self.X, self.P, self.W, self.R, self.S)))


class _Block:
    """What does not change of a block while it steps."""

    def __init__(self, folder: Path, system: System, place: int, kind: str, room: int) -> None:
        graph = system.graph
        self.folder, self.system, self.graph, self.place = folder, system, graph, place
        self.kind, self.room, self.size = np.dtype(kind), room, graph.size(place)
        key = (f"{graph.around}-{system.labelled.folder}-{kind}", place)
        held = _matrices.take(key)
        if held is None:
            degrees = load(graph.around / f"degrees-{place}.npy")
            W = matrix_of(graph, place)
            L = sp.csr_array((-W.data.astype(kind), W.indices, W.indptr.astype(np.int32)), shape=W.shape)
            back = reciprocal(degrees).astype(kind)[:, None]
            aggregate = load(graph.around / f"aggregate-{place}.npy")
            component = load(system.labelled.folder / f"component-{place}.npy")
            held = L, degrees[: self.size, None].astype(kind), back, aggregate, component
        self.minus_W, self.degrees, self.back, self.aggregate, self.component = held
        size = self.minus_W.data.nbytes + self.minus_W.indices.nbytes + 3 * self.back.nbytes
        _matrices.put(key, held, size, room)

    def product(self, Z: Array) -> Array:
        """Return L Z on own rows, from Z on own rows and halo."""
        found = self.minus_W @ Z
        found += self.degrees * Z[: self.size]
        return np.asarray(found)

    def preconditioned(self, R: Array, lift: Array) -> Array:
        """Return N^-1 R + P lift."""
        rows = len(R)
        Z = self.back[:rows] * R
        Z += lift[self.aggregate[:rows]]
        return np.asarray(Z)

    def exchange(self, step: int, place: int) -> Path:
        return self.folder / f"w-{step}-{place}.npy"

    def halo(self, step: int, like: Array) -> Array:
        return read_halo(lambda other: self.exchange(step, other), self.graph, self.place, like)

    def tell(self, state: _State, Z: Array) -> Small:
        """Write the rows of W that others need, and return the sums that the next step needs."""
        write_outward(self.exchange(state.step, self.place), self.graph, self.place, state.W)
        R, Z = state.R[: self.size], Z[: self.size]
        count = self.system.labelled.count
        first, last = self.graph.aggregates[self.place : self.place + 2]
        group = self.aggregate[: self.size] - first
        return {
            "gamma": np.einsum("ij,ij->j", R, Z, dtype=np.float64),
            "delta": np.einsum("ij,ij->j", state.W, Z, dtype=np.float64),
            "squares": np.einsum("ij,ij->j", R, R, dtype=np.float64),
            "R": sums_over(group, R, last - first),
            "W": sums_over(group, state.W, last - first),
            "sums": sums_over(self.component[: self.size], R, count),
        }

    def state_at(self, step: int, since: int) -> tuple[_State, Array]:
        """Return the state after so many steps, from what is held or, from step `since` on, from what is on disk."""
        state = _states.take((str(self.folder), self.place))
        if state is None or state.step >= step:
            state = self._stored(since)
        if state.step == step:
            return state, self.preconditioned(state.R, load(self.folder / f"lift-{step}.npy").astype(self.kind))
        Z = np.empty(0)
        for each in range(state.step, step):
            Z = self._step(state, each)
        return state, Z

    def _stored(self, since: int) -> _State:
        if since == 0:
            return self._first()
        arrays = load_arrays(self.folder / f"state-{since}-{self.place}.npz", "the state of a solve")
        return _State(since, *(arrays[name] for name in ("X", "P", "W", "R", "S")))

    def _first(self) -> _State:
        B = load(self.folder / f"b-{self.place}.npy").astype(self.kind)
        R = np.concatenate([B, self.halo(-1, B)])
        nothing = np.zeros_like(B)
        Z = self.preconditioned(R, load(self.folder / "lift-0.npy").astype(self.kind))
        return _State(0, nothing, nothing.copy(), self.product(Z), R, np.zeros_like(R))

    def _step(self, state: _State, step: int) -> Array:
        """Do one step in place, and return Z after it."""
        orders = load_arrays(self.folder / f"orders-{step}.npz", "a step of a solve")
        alpha, beta = orders["alpha"].astype(self.kind), orders["beta"].astype(self.kind)
        before = load(self.folder / f"lift-{step}.npy").astype(self.kind)
        after = load(self.folder / f"lift-{step + 1}.npy").astype(self.kind)
        Z = self.preconditioned(state.R[: self.size], before)
        state.P *= beta
        state.P += Z
        state.S *= beta
        state.S[: self.size] += state.W
        state.S[self.size :] += self.halo(step, state.W)
        state.X += alpha * state.P
        state.R -= alpha * state.S
        state.R -= orders["mean"].astype(self.kind)[self.component]
        Z = self.preconditioned(state.R, after)
        state.W, state.step = self.product(Z), step + 1
        return Z

    def keep(self, state: _State, *, on_disk: bool) -> bool:
        """Hold the state for the next step; where there is no room for it, or if told so, also put it on disk."""
        held = _states.put((str(self.folder), self.place), state, state.nbytes, self.room)
        if on_disk:
            arrays = {name: getattr(state, name) for name in ("X", "P", "W", "R", "S")}
            save_named(self.folder / f"state-{state.step}-{self.place}.npz", arrays)
        return held


def begin(folder: Path, system: System, place: int, sources: Sources) -> Small:
    """Write a block of the right-hand side, and the rows of it that others need."""
    B = sources.block(system, place)
    graph = system.graph
    save(folder / f"b-{place}.npy", B)
    write_outward(folder / f"w--1-{place}.npy", graph, place, B)
    first, last = graph.aggregates[place : place + 2]
    group = load(graph.rows / f"aggregate-{place}.npy")
    return {"R": sums_over(group, B, last - first), "squares": np.einsum("ij,ij->j", B, B)}


def advance(
    folder: Path, system: System, place: int, step: int, since: int, kind: str, room: int, on_disk: bool
) -> Small:
    """Bring a block to a step, for which the orders of all steps before are in the folder; return its sums."""
    block = _Block(folder, system, place, kind, room)
    state, Z = block.state_at(step, since)
    small = block.tell(state, Z)
    small["held"] = np.array(block.keep(state, on_disk=on_disk))
    return small


def finish(
    folder: Path, system: System, place: int, step: int, since: int, kind: str, room: int, to: Path, name: str
) -> Small:
    """Write a block of the solution, in single precision, and return its sums over components, plain and by degree."""
    block = _Block(folder, system, place, kind, room)
    held = _states.take((str(folder), place))
    if held is None or held.step != step:
        held, _ = block.state_at(step, since)
    X, count = held.X, system.labelled.count
    save(to / f"{name}-{place}.npy", X.astype(np.float32))
    component = block.component[: block.size]
    return {
        "sums": sums_over(component, X, count),
        "volumes": sums_over(component, block.degrees.astype(np.float64) * X, count),
    }
