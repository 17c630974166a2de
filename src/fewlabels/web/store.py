"""What the page keeps beside the journal so that the next start is immediate: neighbours, map and questions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.atlas import load_plane, save_plane
from fewlabels.errors import FewlabelsError
from fewlabels.files import load_arrays, save_arrays
from fewlabels.graph import Graph
from fewlabels.neighbors import Neighbors

__all__ = ["Store"]


@dataclass(frozen=True)
class Store:
    """Files beside a journal; one that is damaged, or of other data or settings, counts as absent.

    None of them is needed: where one cannot be written, the next start is slower.

    Attributes
    ----------
    beside : Path or None
        The journal; None keeps nothing.
    key : str
        What the neighbours belong to: the checksum of the features and how they are found.
    """

    beside: Path | None
    key: str

    def neighbors(self) -> Neighbors | None:
        """Return the neighbours that are kept."""
        arrays = self._read("neighbors")
        try:
            return Neighbors.owning(arrays["indices"].astype(np.int64), arrays["distances"].astype(np.float64))
        except (FewlabelsError, KeyError):
            return None

    def keep_neighbors(self, near: Neighbors) -> None:
        """Keep neighbours."""
        small = np.int32 if near.n_points < 2**31 else np.int64
        self._write("neighbors", {"indices": near.indices.astype(small), "distances": near.distances})

    def asked(self, n_points: int) -> list[int]:
        """Return what was asked last."""
        rows = self._read("asked").get("rows", np.zeros(0, dtype=np.int64))
        fits = rows.ndim == 1 and rows.dtype.kind == "i" and ((rows >= 0) & (rows < n_points)).all()
        return [int(row) for row in rows] if fits else []

    def keep_asked(self, rows: list[int]) -> None:
        """Keep what is asked, to be shown at the next start until there is an answer."""
        self._write("asked", {"rows": np.array(rows, dtype=np.int64)})

    def map(self, graph: Graph) -> NDArray[np.float32] | None:
        """Return the map that is kept for a graph."""
        if self.beside is None:
            return None
        try:
            return load_plane(self._path("map"), graph)
        except FewlabelsError:
            return None

    def keep_map(self, graph: Graph, places: NDArray[np.float32]) -> None:
        """Keep a graph's map."""
        if self.beside is not None:
            try:
                save_plane(self._path("map"), graph, places)
            except FewlabelsError:
                return

    def _path(self, what: str) -> Path:
        assert self.beside is not None
        return self.beside.with_name(f"{self.beside.name}.{what}.npz")

    def _read(self, what: str) -> dict[str, NDArray[Any]]:
        if self.beside is None:
            return {}
        try:
            arrays = load_arrays(self._path(what), "what the labelling page keeps")
        except FewlabelsError:
            return {}
        return arrays if str(arrays.get("key")) == self.key else {}

    def _write(self, what: str, arrays: dict[str, NDArray[Any]]) -> None:
        if self.beside is not None:
            try:
                save_arrays(self._path(what), {"key": np.array(self.key), **arrays}, compress=False)
            except FewlabelsError:
                return
