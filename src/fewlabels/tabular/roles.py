"""Which column of a table is which: ids, labels, text to be shown, and features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fewlabels.errors import FewlabelsError
from fewlabels.tabular.dialect import Dialect
from fewlabels.tabular.names import FEATURE_FILE_LABEL_NAMES, ID_NAMES

__all__ = ["Asked", "Roles", "is_header", "roles_of"]

MOST_NAMED = 12
"""Columns that a message names."""


@dataclass(frozen=True)
class Asked:
    """Which columns a user names, and whether columns of text are kept to be shown or refused."""

    label: str | None = None
    id: str | None = None
    text: str | None = None
    keep_text: bool = False
    features: tuple[str, ...] = ()
    """The columns that are features, in this order; all that may be where none is named."""


@dataclass(frozen=True)
class Roles:
    """Places of the columns in each role."""

    id: int | None
    labels: list[int]
    texts: list[int]
    numbers: list[int]


def is_header(first: Sequence[str], second: Sequence[str], dialect: Dialect) -> bool:
    """Recognise a header: names above numbers, a column called id or label, or columns numbered as pandas does."""
    known = {*ID_NAMES, *FEATURE_FILE_LABEL_NAMES}
    cells = [cell.strip() for cell in first]
    if any(cell.lower() in known for cell in cells):
        return True
    counted = cells[1:] if cells[0] == "" else cells
    if len(counted) > 1 and counted == [str(i) for i in range(len(counted))]:
        return True
    named = any(cell and i < len(second) and dialect.is_number(second[i]) for i, cell in enumerate(cells))
    return named and not any(dialect.is_number(cell) for cell in cells)


def roles_of(path: Path, names: Sequence[str], asked: Asked, texts: Sequence[str]) -> Roles:
    """Tell ids, labels, text and features apart by name, and by what the first row holds.

    `texts` has the text in the first row of each column, empty where it is a number.
    """
    if asked.label is not None and asked.label not in names:
        raise FewlabelsError(
            f"{asked.label}: no such file, and {path} has no column of that name; it has {_listed(names)}."
        )
    for name in (asked.id, asked.text, *asked.features):
        if name is not None and name not in names:
            raise FewlabelsError(f"{path}: has no column {name!r}; it has {_listed(names)}.")
    taken = (asked.id, asked.text)
    labels_at = [
        i
        for i, name in enumerate(names)
        if name not in taken and (name == asked.label or name.lower() in FEATURE_FILE_LABEL_NAMES)
    ]
    ids_at = [
        i
        for i, name in enumerate(names)
        if name == asked.id or ((_is_id(name) or name == "") and i not in labels_at and name != asked.text)
    ]
    if not ids_at and texts and texts[0] and 0 not in labels_at and names[0] != asked.text:
        ids_at = [0]
    order = {name: rank for rank, name in enumerate(ID_NAMES)}
    id_at = min(ids_at, key=lambda i: (names[i] != asked.id, order.get(names[i].lower(), len(order)), i), default=None)
    if asked.features:
        return Roles(id_at, labels_at, [], [names.index(name) for name in asked.features])
    others = [i for i in range(len(names)) if i not in ids_at and i not in labels_at]
    texts_at = [i for i in others if names[i] == asked.text or (asked.keep_text and i < len(texts) and texts[i])]
    numbers_at = [i for i in others if i not in texts_at]
    for i in numbers_at:
        if i < len(texts) and texts[i]:
            raise FewlabelsError(
                f"{path}: column {names[i]!r} holds {texts[i]!r}, which is not a number; "
                "drop that column, or name it id or label if it is one."
            )
    if not numbers_at:
        raise FewlabelsError(f"{path}: has no column of numbers; give the features as numbers.")
    return Roles(id_at, labels_at, texts_at, numbers_at)


def _is_id(name: str) -> bool:
    lowered = name.lower()
    return lowered in ID_NAMES or lowered.endswith("_id") or lowered.startswith(("unnamed: ", "__index_level_"))


def _listed(names: Sequence[str]) -> str:
    """Return the first columns by name, and how many there are besides.

    Examples
    --------
    >>> _listed(["id", "hue"]), _listed([str(place) for place in range(14)])[-13:]
    ('id, hue', '11 and 2 more')
    """
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
