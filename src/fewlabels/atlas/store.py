"""A map in a file, so that the next start is immediate; it belongs to its graph."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import digest, load_arrays, save_arrays
from fewlabels.graph import Graph

__all__ = ["load_plane", "save_plane"]

FORMAT = "fewlabels map 1"


def save_plane(path: str | os.PathLike[str], graph: Graph, places: NDArray[np.float32]) -> None:
    """Write a graph's map to an .npz file, whole or not at all, with the checksums of both.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> pair, places = Graph.from_weights(np.array([[0, 1], [1, 0]])), np.float32([[-1, 0], [1, 0]])
    >>> with TemporaryDirectory() as folder:
    ...     save_plane(f"{folder}/map.npz", pair, places)
    ...     load_plane(f"{folder}/map.npz", pair).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    if not _valid(places, graph):
        raise FewlabelsError(
            f"a map of {graph.n_nodes:,} nodes has as many rows of two places in [-1, 1]; use plane_of."
        )
    arrays = {"places": np.asarray(places, dtype=np.float32), "graph": np.array(_checksum(graph))}
    kept = {**arrays, "format": np.array(FORMAT), "sha256": np.array(digest(arrays))}
    save_arrays(path, kept, compress=False)


def load_plane(path: str | os.PathLike[str], graph: Graph) -> NDArray[np.float32]:
    """Read a map that :func:`save_plane` wrote for this graph; a damaged file or another graph's is refused."""
    arrays = load_arrays(path, "a map written by save_plane")
    if str(arrays.pop("format", "")) != FORMAT:
        raise FewlabelsError(f"{path}: not a map written by save_plane; it should hold {FORMAT!r}.")
    if str(arrays.pop("sha256", "")) != digest(arrays) or not {"places", "graph"} <= arrays.keys():
        raise FewlabelsError(f"{path}: altered since it was saved (its checksum does not fit); draw the map again.")
    if str(arrays["graph"]) != _checksum(graph):
        raise FewlabelsError(f"{path}: a map of another graph; draw this one's, or name another file.")
    if not _valid(arrays["places"], graph):
        raise FewlabelsError(f"{path}: holds no valid map of {graph.n_nodes:,} nodes; draw the map again.")
    return arrays["places"]


def _checksum(graph: Graph) -> str:
    W = graph.weights
    return digest({"data": W.data, "indices": W.indices, "indptr": W.indptr})


def _valid(places: NDArray[np.float32], graph: Graph) -> bool:
    return places.shape == (graph.n_nodes, 2) and bool((abs(places) <= 1).all())
