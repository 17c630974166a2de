"""The answer in the order of the input: gathered from all blocks, part by part, and joined into one file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.scratch import load_rows, save
from fewlabels.distributed.sources import Piece, Source
from fewlabels.distributed.stages import Found, Made, Stages
from fewlabels.files import replacing
from fewlabels.progress import track
from fewlabels.tabular import write_rows
from fewlabels.tabular.rows import parquet

__all__ = ["gathered", "write_joined"]

Array = NDArray[Any]


def gathered(stages: Stages, source: Source, decided: Made, bet: float) -> Made:
    """Write codes, confidence and reach of every piece of the input, in its own order."""
    starts = np.array(decided.all("starts"))
    return stages.run("writing", _gather, len(source.pieces), source, decided.folder, starts, bet)


def _gather(folder: Path, place: int, source: Source, decided: Path, starts: Array, bet: float) -> Found:
    piece = source.pieces[place]
    found: dict[str, list[Array]] = {name: [] for name in ("rows", "codes", "confidence", "reached")}
    for block, begin in enumerate(starts):
        for name, parts in found.items():
            parts.append(load_rows(decided / f"{name}-{block}.npy", int(begin[place]), int(begin[place + 1])))
    at = np.concatenate(found.pop("rows")) - piece.first
    for name, parts in found.items():
        values = np.concatenate(parts)
        whole = np.empty(piece.size, dtype=values.dtype)
        whole[at] = values
        save(folder / f"{name}-{place}.npy", whole)
        if name == "confidence":
            sure = int((whole >= bet).sum())
    return {"rows": np.array(at.size), "sure": np.array(sure)}


def write_joined(stages: Stages, source: Source, parts: Made, classes: Array, path: Path) -> None:
    """Write one row per point to a .csv or .parquet file, whole or not at all, from parts that workers wrote."""
    ending = path.suffix.lower()
    made = stages.run("writing", _write_part, len(source.pieces), source, parts.folder, classes, ending)
    stages.say_last()
    files = [made.folder / f"part-{place}{ending}" for place in range(len(source.pieces))]
    with replacing(path) as file:
        if ending == ".parquet":
            _join_tables(files, file)
            return
        for place, part in enumerate(track(files, "writing")):
            with part.open("rb") as some:
                if place:
                    some.readline()
                shutil.copyfileobj(some, file, 2**20)


def _join_tables(files: list[Path], file: Any) -> None:
    library = parquet()
    writer = None
    for part in track(files, "writing"):
        table = library.read_table(part)
        writer = writer or library.ParquetWriter(file, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _write_part(folder: Path, place: int, source: Source, parts: Path, classes: Array, ending: str) -> Found:
    piece = source.pieces[place]
    codes, confidence, reached = (
        load_rows(parts / f"{name}-{place}.npy", 0, None) for name in ("codes", "confidence", "reached")
    )
    with replacing(folder / f"part-{place}{ending}") as file:
        write_rows(file, ending, _ids(piece), classes[codes], confidence, reached)
    return {"rows": np.array(piece.size)}


def _ids(piece: Piece) -> Any:
    if piece.ids is None:
        return range(piece.first, piece.first + piece.size)
    return load_rows(piece.ids, piece.start, piece.stop).tolist()
