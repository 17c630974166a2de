"""Results to a file: id, label, confidence and whether any label reached the point."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import replacing
from fewlabels.tabular.inputs import STANDARD
from fewlabels.tabular.rows import parquet

__all__ = ["check_destination", "write_result", "write_rows", "write_table"]

ROWS_AT_ONCE = 100_000
"""Rows that are Python objects at once."""


def check_destination(path: Path, endings: Sequence[str], inputs: Sequence[Path]) -> None:
    """Refuse, before any work is done, a destination that could not be written or would destroy an input."""
    if path.suffix.lower() not in endings:
        raise FewlabelsError(f"{path}: the name must end in {' or '.join(endings)}.")
    if not path.parent.is_dir():
        raise FewlabelsError(f"{path}: the folder {path.parent} does not exist; make it first.")
    if not os.access(path.parent, os.W_OK):
        raise FewlabelsError(f"{path}: the folder {path.parent} cannot be written; choose another.")
    if path.is_dir():
        raise FewlabelsError(f"{path}: is a folder; give a file name.")
    for other in inputs:
        if path.exists() and other.exists() and path.samefile(other):
            raise FewlabelsError(f"{path}: is one of the inputs; choose another name for the result.")
    if path.suffix.lower() == ".parquet":
        parquet()


def write_result(
    path: Path,
    ids: Sequence[Any],
    labels: NDArray[Any],
    confidence: NDArray[np.float64],
    reached: NDArray[np.bool_],
    more: Mapping[str, NDArray[np.floating[Any]]] | None = None,
) -> None:
    """Write one row per point, whole or not at all; a path of - is standard output."""
    with _opened(path) as (file, ending):
        write_rows(file, ending, ids, labels, confidence, reached, more)


def write_rows(
    file: IO[bytes],
    ending: str,
    ids: Sequence[Any],
    labels: NDArray[Any],
    confidence: NDArray[np.float64],
    reached: NDArray[np.bool_],
    more: Mapping[str, NDArray[np.floating[Any]]] | None = None,
) -> None:
    """Write one row per point into an open file, as .parquet or, for any other ending, as .csv."""
    named = labels if labels.dtype.kind not in "fb" else labels.astype(object)
    columns = {"id": ids, "label": named, "confidence": confidence, "reached": reached, **(more or {})}
    _write_columns(file, ending, columns)


def write_table(path: Path, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
    """Write named columns, whole or not at all; a path of - is standard output."""
    with _opened(path) as (file, ending):
        _write_columns(file, ending, columns)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], str]]:
    if str(path) == STANDARD:
        if sys.stdout is None:
            raise FewlabelsError("standard output is closed; name a file by --out.")
        try:
            yield sys.stdout.buffer, ".csv"
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise FewlabelsError(f"standard output: could not be written ({error.strerror}).") from None
        return
    with replacing(path) as file:
        yield file, path.suffix.lower()


def _write_columns(file: IO[bytes], ending: str, columns: Mapping[str, Any]) -> None:
    if ending == ".parquet":
        writing = parquet()
        import pyarrow

        plain = {name: cells if _is_number(cells) else list(cells) for name, cells in columns.items()}
        writing.write_table(pyarrow.table(plain), file)
        return
    text = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline="")
    named = [cells for cells in columns.values() if not (isinstance(cells, range) or _is_number(cells))]
    odd = any("\r" in str(cell) for cells in named for cell in set(_listed(cells)))
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL)
    writer.writerow(columns)
    for start in range(0, len(next(iter(columns.values()))), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        writer.writerows(zip(*(_written(cells[some]) for cells in columns.values()), strict=True))
    text.flush()
    text.detach()


def _is_number(cells: Any) -> bool:
    """Tell whether cells are an array of decimals or of true and false, which are not kept as they are written."""
    return isinstance(cells, np.ndarray) and cells.dtype.kind in "fb"


def _listed(cells: Any) -> list[Any]:
    return cells.tolist() if isinstance(cells, np.ndarray) else list(cells)


def _written(cells: Any) -> Iterable[Any]:
    """Return cells as text: decimals with six digits, true and false in lower case, all others as they are."""
    if not _is_number(cells):
        return _listed(cells)
    if cells.dtype.kind == "b":
        return map(("false", "true").__getitem__, cells.tolist())
    return map("{:.6f}".format, cells.tolist())
