"""What is kept: things that are worked out once for a graph, or for a system made from it, and used again.

KINDS lists all of them: what each depends on beside its owner, what it costs in memory, and how many are kept at most.
A :class:`Key` is a listed kind together with the type of its values; :meth:`Kept.get` returns a value or makes it.
A tolerance is never among the parameters: it belongs to a solve, not to what is prepared for one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar, cast

import numpy as np

__all__ = ["KINDS", "Kept", "Key", "Kind", "ReadOnlyArrays", "read_only"]

T = TypeVar("T")


@dataclass(frozen=True)
class Kind:
    """One kind of thing that is kept.

    Attributes
    ----------
    what : str
    depends : str
        On what beside the owner; values of other parameters are other values.
    cost : str
        Memory of one value, n the nodes, e the edges, k the aggregates (about two root n).
    most : int
        How many values are kept; the one that was made first goes first.
    most_bytes : int, optional
        How much memory all values together may take; for values that tell their `nbytes`.
    """

    what: str
    depends: str
    cost: str
    most: int = 1
    most_bytes: int | None = None


KINDS = {
    # of a graph
    "laplacian": Kind("the graph Laplacian as a system", "its sink and shift", "3 n numbers", most=4),
    "laplacian matrix": Kind("L as a CSR array", "nothing", "24 e + 12 n bytes"),
    "projections": Kind("sums and means over components", "nothing", "n numbers; 36 n bytes with several components"),
    "aggregates": Kind("the aggregate of each node", "nothing", "8 n bytes"),
    "shape": Kind("how deep the largest component is", "nothing", "two numbers"),
    "fill": Kind("entries of a factor, per row", "nothing", "one number"),
    "spectral gap": Kind("the first nonzero eigenvalue of L_sym", "its accuracy", "one number", most=2),
    "lowest modes": Kind("the lowest eigenpairs of L_sym", "how many", "8 n bytes a mode", most=2),
    "slow modes": Kind("the slowest modes as T steps use them", "nothing", "8 n bytes a mode, of which there are 50"),
    "green columns": Kind(
        "Green's columns of some sets of labels", "labels and solver", "8 n bytes a label", 64, 120_000_000
    ),
    "mixing steps": Kind("the paper's T", "the labels and its bounds", "one number", most=64),
    "marks": Kind("a number for every node that does not depend on the order of rows", "nothing", "8 n bytes"),
    "order by mark": Kind("the nodes in a random order", "which of many", "8 n bytes", most=8),
    "candidates": Kind(
        "Green's columns of points that may be asked about", "the seed, damping", "4 n bytes each, up to 160 MB", 2
    ),
    "random walk": Kind("the system of the random walk", "alpha", "24 e + 20 n bytes and its preparation", most=2),
    "lazy walk": Kind(
        "the walk that refines labels and averages features", "nothing", "12 e bytes and its preparation"
    ),
    "walk of aggregates": Kind("the same between aggregates", "nothing", "4 k^2 bytes"),
    "largest eigenvalue": Kind("the largest |eigenvalue| of J W J", "nothing", "one number"),
    "sweep order": Kind("D^-1 W as the p-Laplace kernel reads it", "nothing", "24 e + 16 n bytes"),
    "edges once": Kind("each edge once, as sparse label propagation's kernel reads it", "nothing", "8 e + 20 n bytes"),
    "colours": Kind("a colouring of the nodes", "nothing", "4 n bytes"),
    # of a system: a graph Laplacian's are kept with its graph
    "factorisation": Kind("a sparse LU", "its shift", "the fill of the factor", most=2),
    "multigrid": Kind("levels of smoothed aggregation", "nothing", "about 50 e bytes"),
    "coarse inverse": Kind("the inverse on the aggregates, for plain steps", "nothing", "4 k^2 bytes"),
    "compiled": Kind(
        "the system as the kernels read it, and work space",
        "its shift",
        "16 e + 40 n bytes, 8 k^2, and 16 n bytes a column",
        most=2,
    ),
    "compiled walk": Kind("a walk as the kernels read it; of a graph, D^-1 W", "nothing", "16 e + 16 n bytes"),
}


@dataclass(frozen=True)
class Key(Generic[T]):
    """A kind of KINDS, by name, with the type of its values.

    Examples
    --------
    >>> COLOURS = Key[int]("colours")
    >>> kept = Kept()
    >>> kept.get(COLOURS, lambda: 3), kept.get(COLOURS, lambda: 4)
    (3, 3)
    """

    name: str

    def __post_init__(self) -> None:
        if self.name not in KINDS:
            raise KeyError(f"{self.name!r} is not listed in KINDS; say there what is kept and what it costs")

    @property
    def kind(self) -> Kind:
        """What KINDS says of it."""
        return KINDS[self.name]


class Kept:
    """What one owner keeps, each kind within its bounds; arrays are read-only from then on.

    It may be asked from several threads: each value is made once. It is never copied or pickled with its owner.
    """

    def __init__(self) -> None:
        self._values: dict[str, dict[tuple[Hashable, ...], Any]] = {}
        self._lock = threading.RLock()

    def get(self, key: Key[T], make: Callable[[], T], *parameters: Hashable) -> T:
        """Return the value for these parameters; make it, and keep it, if it is not there."""
        with self._lock:
            known = self._values.setdefault(key.name, {})
            if parameters not in known:
                value = read_only(make())
                self._make_room(known, key.kind, value)
                if key.kind.most_bytes is None or _bytes(value) <= key.kind.most_bytes:
                    known[parameters] = value
                return value
            return cast(T, known[parameters])

    def forget(self, key: Key[Any]) -> None:
        """Let go of all values of a kind; what is asked for again is made again."""
        with self._lock:
            self._values.pop(key.name, None)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of what is kept, once for each value."""
        return (name for name, values in self._values.items() for _ in values)

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        return Kept, ()

    @staticmethod
    def _make_room(known: dict[tuple[Hashable, ...], Any], kind: Kind, value: object) -> None:
        room = np.inf if kind.most_bytes is None else kind.most_bytes
        while known and (len(known) >= kind.most or sum(map(_bytes, known.values())) + _bytes(value) > room):
            known.pop(next(iter(known)))


def read_only(value: T) -> T:
    """Return the value, an array or a tuple of arrays no longer to be written to.

    Examples
    --------
    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, tuple):
        for part in value:
            read_only(part)
    return value


class ReadOnlyArrays:
    """A dataclass whose arrays cannot be written to, also when it comes back from a pickle.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Pair(ReadOnlyArrays):
    ...     left: np.ndarray
    >>> Pair(np.zeros(2)).left.flags.writeable
    False
    """

    def __post_init__(self) -> None:
        for field in fields(cast(Any, self)):
            read_only(getattr(self, field.name))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        ReadOnlyArrays.__post_init__(self)


def _bytes(value: object) -> int:
    return int(getattr(value, "nbytes", 0))
