"""What the page keeps beside the journal so that the next start is immediate: neighbours and map."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import load_arrays, save_arrays
from fewlabels.neighbors import Neighbors

__all__ = ["Store"]


@dataclass(frozen=True)
class Store:
    """A file with neighbours and a map; one that is damaged, or of other data or settings, counts as absent.

    Attributes
    ----------
    path : Path or None
        None keeps nothing.
    key : str
        What the file belongs to: the checksum of the features and how neighbours are found.
    """

    path: Path | None
    key: str

    def load(self) -> tuple[Neighbors | None, NDArray[np.float32] | None]:
        """Return what is kept."""
        if self.path is None or not self.path.is_file():
            return None, None
        try:
            arrays = load_arrays(self.path, "what the labelling page keeps")
            if str(arrays["key"]) != self.key:
                return None, None
            near = Neighbors.owning(arrays["indices"].astype(np.int64), arrays["distances"], recall=1.0)
            where = arrays.get("map")
            if where is not None and (where.shape != (near.n_points, 2) or not np.isfinite(where).all()):
                return near, None
            return near, None if where is None else where.astype(np.float32, copy=False)
        except (FewlabelsError, KeyError):
            return None, None

    def save(self, near: Neighbors, where: NDArray[np.float32] | None = None) -> None:
        """Keep neighbours and map; a file that cannot be written is only a slower start next time."""
        if self.path is None:
            return
        small = np.int32 if near.n_points < 2**31 else np.int64
        arrays: dict[str, NDArray[Any]] = {
            "key": np.array(self.key),
            "indices": near.indices.astype(small),
            "distances": near.distances,
        }
        if where is not None:
            arrays["map"] = where
        try:
            save_arrays(self.path, arrays, compress=False)
        except FewlabelsError:
            return
