"""The points as a person sees them: id, text, columns and image of each, and the search among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import scipy.sparse as sp

from fewlabels.web.images import Images

__all__ = ["Points"]

MOST_COLUMNS, MOST_OF_CELL, MOST_OF_TEXT = 40, 500, 20_000
"""Columns that a card shows, and characters of a cell and of a text."""


@dataclass(frozen=True, eq=False)
class Points:
    """What can be shown of every point.

    Attributes
    ----------
    title : str
    X : array or sparse matrix, shape (n, d)
    ids : sequence, or None
        None where points are known by their row number.
    text : sequence of str, or None
    columns : dict from name to sequence
        Columns that are shown and are no features.
    feature_names : sequence of str
        What the features are called; numbers where they have no names.
    images : Images, or None
    show_features : bool
        Whether features mean anything to a person; the weights of a graph do not.
    """

    title: str
    X: Any
    ids: Sequence[Any] | None = None
    text: Sequence[Any] | None = None
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    feature_names: Sequence[str] = ()
    images: Images | None = None
    show_features: bool = True

    @property
    def n(self) -> int:
        """The number of points."""
        return int(self.X.shape[0])

    @property
    def kind(self) -> str:
        """What a card shows first: "image", "text" or "columns"."""
        if self.images is not None:
            return "image"
        return "columns" if self.text is None else "text"

    def id_of(self, row: int) -> str:
        """Return the id of a point as text."""
        return _shown(row if self.ids is None else self.ids[row], MOST_OF_CELL)

    def face(self, row: int) -> dict[str, Any]:
        """Return what a card shows of a point, all of it text."""
        return {
            "node": row,
            "id": self.id_of(row),
            "text": None if self.text is None else _shown(self.text[row], MOST_OF_TEXT),
            "columns": self._cells(row) or None,
            "image": self.images is not None and self.images.has(row),
        }

    def found(self, wanted: str) -> Iterator[int]:
        """Yield the rows whose id or text contains the words, whatever their case."""
        wanted = wanted.casefold()
        for row in range(self.n):
            if wanted in str(row if self.ids is None else self.ids[row]).casefold() or (
                self.text is not None and wanted in str(self.text[row] or "").casefold()
            ):
                yield row

    def _cells(self, row: int) -> list[list[str]]:
        """Return names and values: columns that were read beside the features, then features where they tell something.

        Features without names are numbers that nobody reads where there is an image or a text.
        """
        cells = [[name, _shown(values[row], MOST_OF_CELL)] for name, values in self.columns.items()]
        if self.show_features and (any(self.feature_names) or self.kind == "columns"):
            values = self.X[[row]].toarray()[0] if sp.issparse(self.X) else self.X[row]
            room = max(0, MOST_COLUMNS - len(cells))
            names = self.feature_names or [str(i) for i in range(min(room, len(values)))]
            cells += [[name, f"{value:.6g}"] for name, value in zip(names, values, strict=False) if name][:room]
        return cells[:MOST_COLUMNS]


def _shown(value: object, most: int) -> str:
    """Return a value as text that can be sent, cut where it is long; half characters of odd files are replaced."""
    text = "" if value is None else str(value)
    text = text if len(text) <= most else text[:most] + "…"
    return text.encode("utf-8", "replace").decode()
