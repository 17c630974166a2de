"""From data to a session: what a journal belongs to, where it lies, and what is shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import scipy.sparse as sp

from fewlabels.errors import FewlabelsError
from fewlabels.files import digest
from fewlabels.graph import Graph
from fewlabels.methods import Method
from fewlabels.web.board import MOST_CLASSES
from fewlabels.web.journal import Journal, Origin
from fewlabels.web.points import Points
from fewlabels.web.session import Session
from fewlabels.web.store import Store
from fewlabels.web.worker import Neighbourhood, Plan

__all__ = ["checksum_of", "checksum_of_labels", "opened"]


def opened(
    points: Points,
    labels: Mapping[int, Any],
    method: Method,
    journal: Path,
    *,
    near: Neighbourhood | None = None,
    graph: Graph | None = None,
    out: Path | None = None,
) -> tuple[Session, Plan]:
    """Return a session that goes on where its journal ends, and how its worker gets the graph.

    A graph that is there is taken as it is; otherwise neighbours and the map are kept in a file beside the journal.
    """
    near = near or Neighbourhood()
    checksum = checksum_of(points.X)
    given = _as_texts(labels)
    if len(set(given.values())) > MOST_CLASSES:
        raise FewlabelsError(f"the labels name more than {MOST_CLASSES:,} classes; the page shows no more.")
    said = checksum_of_labels(labels)
    origin: Origin = {"points": points.n, "features": checksum, "labels": said, "ids": _checksum_of_ids(points.ids)}
    held = Journal(journal, origin)
    try:
        session = Session(points, given, held, checksum, None if out is None else out.name)
    except BaseException:
        held.close()
        raise
    store = Store(None if graph is not None else journal, f"1 {checksum} {near}")
    return session, Plan(points.X, method, store, near, graph)


def checksum_of_labels(labels: Mapping[int, Any]) -> str:
    """Return a checksum of labels by row, in hexadecimal."""
    return hashlib.sha256(json.dumps(sorted(_as_texts(labels).items())).encode()).hexdigest()


def _as_texts(labels: Mapping[int, Any]) -> dict[int, str]:
    return {int(row): str(label) for row, label in labels.items()}


def _checksum_of_ids(ids: Sequence[Any] | None) -> str:
    """Return a checksum of the ids, an empty text where rows go by their numbers."""
    return "" if ids is None else hashlib.sha256("\0".join(map(str, ids)).encode("utf-8", "replace")).hexdigest()


def checksum_of(X: Any) -> str:
    """Return a checksum of the features, in hexadecimal."""
    if sp.issparse(X):
        return digest({"data": X.data, "indices": X.indices, "indptr": X.indptr})
    return digest({"X": X})
