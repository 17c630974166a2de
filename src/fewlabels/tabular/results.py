"""Results to a file: id, label, confidence and whether any label reached the point."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import replacing
from fewlabels.tabular.rows import parquet

__all__ = ["check_destination", "write_result", "write_rows"]

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
) -> None:
    """Write one row per point, whole or not at all."""
    with replacing(path) as file:
        write_rows(file, path.suffix.lower(), ids, labels, confidence, reached)


def write_rows(
    file: IO[bytes],
    ending: str,
    ids: Sequence[Any],
    labels: NDArray[Any],
    confidence: NDArray[np.float64],
    reached: NDArray[np.bool_],
) -> None:
    """Write one row per point into an open file, as .parquet or, for any other ending, as .csv."""
    if ending == ".parquet":
        writing = parquet()
        import pyarrow

        columns = {"id": list(ids), "label": labels.tolist(), "confidence": confidence, "reached": reached}
        writing.write_table(pyarrow.table(columns), file)
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    named = () if isinstance(ids, range) else ids
    odd = any("\r" in str(cell) for cell in (*named, *set(labels.tolist())))
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL)
    writer.writerow(["id", "label", "confidence", "reached"])
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        sure = map("{:.6f}".format, confidence[some].tolist())
        near = map(("false", "true").__getitem__, reached[some].tolist())
        writer.writerows(zip(ids[some], labels[some].tolist(), sure, near, strict=True))
    text.flush()
    text.detach()
