"""What is solved on a cluster: the system on the components that have labels, and its right-hand sides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from fewlabels.distributed.rows import BlockGraph
from fewlabels.distributed.scratch import discard, load, save_named
from fewlabels.files import load_arrays

__all__ = ["Labelled", "Sources", "System", "sums_over"]

Array = NDArray[Any]

ROWS_AT_ONCE = 2**14


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

    def write(self, path: Path) -> None:
        """Write all of it but the columns that are in files."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        save_named(path, {**arrays, "folder": np.array(str(self.folder or "")), "first": np.array(self.first)})

    @classmethod
    def read(cls, path: Path) -> Sources:
        """Read what `write` wrote."""
        known = load_arrays(path, "the right-hand side of a solve")
        folder = Path(str(known["folder"])) if str(known["folder"]) else None
        arrays = {name: known[name] for name in _ARRAYS}
        return cls(known["even"].shape[1], **arrays, folder=folder, first=int(known["first"]))

    def discard(self) -> None:
        """Remove the columns that are in files, when nobody needs them any more."""
        if self.folder is not None:
            discard(self.folder.glob("term-*.npy"))

    def block(self, system: System, place: int, kind: Any) -> Array:
        """Return the rows of a block."""
        graph = system.graph
        size = graph.size(place)
        component = load(system.labelled.folder / f"component-{place}.npy")[:size]
        B = np.zeros((size, self.width), dtype=kind)
        if self.folder is not None:
            B += load(self.folder / f"term-{place}.npy")[:, self.first : self.first + self.width]
        here = (self.nodes >= graph.starts[place]) & (self.nodes < graph.starts[place + 1])
        np.add.at(B, (self.nodes[here] - graph.starts[place], self.columns[here]), self.values[here])
        nothing = np.zeros((1, self.width))
        even, by_degree = np.vstack([self.even, nothing]), np.vstack([self.by_degree, nothing])
        degrees = load(graph.rows / f"degrees-{place}.npy")[:, None]
        for start in range(0, size, ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            if self.even.any():
                B[some] -= even[component[some]].astype(kind)
            if self.by_degree.any():
                B[some] -= (degrees[some] * by_degree[component[some]]).astype(kind)
        return B


_ARRAYS = ("nodes", "columns", "values", "even", "by_degree")


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
