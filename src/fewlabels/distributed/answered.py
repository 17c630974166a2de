"""The answer of a block on disk, by the rows of the input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.blocks import Blocks
from fewlabels.distributed.scratch import load, save
from fewlabels.distributed.stages import Found

__all__ = ["as_given", "written"]

Array = NDArray[Any]


def written(
    folder: Path, place: int, blocks: Blocks, codes: Array, confidence: Array, reached: Array, parts: Array
) -> Found:
    """Write labels, confidences and what is reached; tell where each part of the input begins, and the unreached."""
    rows = load(blocks.folder / f"rows-{place}.npy")
    order = np.argsort(rows)
    save(folder / f"rows-{place}.npy", rows[order])
    save(folder / f"codes-{place}.npy", codes[order].astype(np.int32))
    save(folder / f"confidence-{place}.npy", confidence[order])
    save(folder / f"reached-{place}.npy", reached[order])
    return {"starts": np.searchsorted(rows[order], parts), "unreached": np.array(int((~reached).sum()))}


def as_given(folder: Path, place: int, blocks: Blocks, labels: Path, parts: Array) -> Found:
    """Write the answer where every row has a label: there is nothing to be unsure of."""
    codes = load(labels / f"codes-{place}.npy")
    return written(folder, place, blocks, codes, np.ones(codes.size), np.ones(codes.size, dtype=bool), parts)
