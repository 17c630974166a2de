"""The page from Python: started in the background, shown in a frame, gone with the kernel."""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.label_entries import entries_of, is_unlabelled
from fewlabels.methods import DEFAULT_METHOD, Method, named_method
from fewlabels.neighbors.checks import checked_features
from fewlabels.web.images import ArrayImages, FolderImages
from fewlabels.web.opening import checksum_of, checksum_of_labels, opened
from fewlabels.web.points import Points
from fewlabels.web.serving import Running, need_the_extra
from fewlabels.web.worker import Neighbourhood

__all__ = ["Page", "page", "page_of"]

NOTEBOOKS = ("http://localhost:*", "http://127.0.0.1:*")
"""Where notebooks run that may show the page in a frame."""

_open: dict[Path, Page] = {}
"""The pages of this process, by journal: a cell that is run again closes the page it made before."""


class Page:
    """A labelling page that runs in the background until it is closed or the process ends.

    Attributes
    ----------
    address : str
        The full address, with the token that opens it.
    """

    def __init__(self, running: Running, kind: type) -> None:
        self._running, self._kind = running, kind
        self.address = running.address

    @property
    def labels(self) -> dict[int, Any]:
        """The labels to learn from so far, by row; of the type that the first labels had."""
        with self._running.session.lock:
            given = self._running.session.board.labels()
        return {row: _as(self._kind, name) for row, name in given.items()}

    def close(self) -> None:
        """End the page; its labels are in the journal."""
        self._running.close()
        _forget(self)

    def __repr__(self) -> str:
        return f"Page({self.address})"

    def _repr_html_(self) -> str:
        """Return a frame with the page.

        The page's cookie is sent only where frame and notebook have the same name for this machine. The frame gets its
        address once, from the script: a second one would race with the first, and the first sometimes wins.
        """
        if self._running.session.closed.is_set():
            return "<p>This labelling page is closed; its labels are in the journal.</p>"
        door, name = self._running.door, f"fewlabels-{self._running.door.port}"
        address, local = escape(self.address), escape(self.address.replace(door.host, "localhost", 1))
        return (
            f'<iframe class="{name}" title="labelling page" width="100%" height="720"></iframe>'
            f'<p><a href="{address}" target="_blank" rel="noopener">open the labelling page in its own tab</a>; '
            "if the frame is empty, run the cell again</p>"
            f"<script>for (const frame of document.querySelectorAll('iframe.{name}:not([src])')) "
            "if (location.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(location.hostname)) frame.src = "
            f"location.hostname === 'localhost' ? '{local}' : '{address}'; "
            "else frame.replaceWith('A notebook at this address cannot show the labelling page in a frame.');</script>"
        )


def page(
    X: Any,
    y: Any = None,
    *,
    images: Any = None,
    text: Sequence[str] | None = None,
    ids: Sequence[Any] | None = None,
    method: str | Method = DEFAULT_METHOD,
    n_neighbors: int = 10,
    metric: str = "euclidean",
    search: str = "auto",
    journal: str | os.PathLike[str] | None = None,
    title: str = "labelling",
) -> Page:
    """Open a labelling page for the rows of `X` in the background; in a notebook it shows itself in a frame.

    Parameters
    ----------
    X : array-like, DataFrame, sparse matrix or Graph
    y : array-like, optional
        Labels to begin with; -1, None, NaN or an empty string where there is none.
    images : array or folder, optional
        Points x height x width numbers, or a folder whose files are named by ids or row numbers.
    text, ids : sequences, optional
        What is shown and searched of every point.
    method, n_neighbors, metric, search
        As in :class:`~fewlabels.FewLabelClassifier`.
    journal : path, optional
        Where all actions are kept; without it, a file in the working directory with a name that belongs to the data and
        to `y`.
    title : str
    """
    need_the_extra()
    near = Neighbourhood(n_neighbors, metric, search)
    if isinstance(X, Graph):
        return _opened(X.weights, X, y, named_method(method), near, images, text, ids, journal, title)
    features = checked_features(X)
    chosen = named_method(method).with_features(features)
    return _opened(features, None, y, chosen, near, images, text, ids, journal, title)


def page_of(found: Any, **options: Any) -> Page:
    """Open a page that goes on from an answer: its graph, its method and its labels."""
    need_the_extra()
    seeds, y = found.seeds, np.full(found.graph.n_nodes, None, dtype=object)
    y[seeds.indices] = seeds.classes[seeds.codes]
    known = {"images": None, "text": None, "ids": None, "journal": None, "title": "labelling"} | options
    return _opened(found.graph.weights, found.graph, y, found.method, Neighbourhood(), **known)


def _opened(
    X: Any,
    graph: Graph | None,
    y: Any,
    method: Method,
    near: Neighbourhood,
    images: Any,
    text: Sequence[str] | None,
    ids: Sequence[Any] | None,
    journal: str | os.PathLike[str] | None,
    title: str,
) -> Page:
    n = int(X.shape[0])
    for name, values in (("text", text), ("ids", ids)):
        if values is not None and len(values) != n:
            raise FewlabelsError(f"{name} has {len(values)} entries for {n} points; give one for each.")
    folder = images is not None and isinstance(images, (str, os.PathLike))
    shown = FolderImages(Path(images), ids, n) if folder else None if images is None else ArrayImages(images, n)
    labels = {} if y is None else _labels(y, n)
    path = Path(_name_of(X, labels) if journal is None else journal).resolve()
    if path in _open:
        _open[path].close()
    points = Points(
        title,
        X,
        None if ids is None else list(ids),
        None if text is None else list(text),
        images=shown,
        show_features=graph is None,
    )
    session, plan = opened(points, labels, method, path, near=near, graph=graph)
    kinds = {type(label) for label in labels.values()}
    made = _open[path] = Page(Running(session, plan, framed_by=NOTEBOOKS), kinds.pop() if len(kinds) == 1 else str)
    return made


def _name_of(X: Any, labels: dict[int, Any]) -> str:
    """Return the name of a journal that belongs to some data and to the labels that there were before."""
    given = f"-{checksum_of_labels(labels)[:8]}" if labels else ""
    return f"fewlabels-{checksum_of(X)[:12]}{given}.labels.jsonl"


def _labels(y: Any, n_points: int) -> dict[int, Any]:
    entries = entries_of(y)
    if entries.shape != (n_points,):
        raise FewlabelsError(f"y has shape {entries.shape} for {n_points} points; give one label per point, or None.")
    rows = np.flatnonzero(~is_unlabelled(entries))
    return dict(zip(rows.tolist(), entries[rows].tolist(), strict=True))


def _as(kind: type, name: str) -> Any:
    """Return a name as a label of a type, as it is where it does not read as one."""
    try:
        return kind(name) if kind in (int, float) else name
    except ValueError:
        return name


def _forget(one: Page) -> None:
    for path in [path for path, each in _open.items() if each is one]:
        del _open[path]


@atexit.register
def _close_all() -> None:
    for each in list(_open.values()):
        each.close()
