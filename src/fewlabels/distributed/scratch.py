"""Blocks on disk: plain .npy files in a folder that all workers see, written whole or not at all, and counted.

Blocks are read and written without a map of memory: what a worker holds is then what its cluster counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import digest

__all__ = [
    "UNLIMITED",
    "Moved",
    "counted",
    "discard",
    "key_of",
    "load",
    "load_rows",
    "moved",
    "room",
    "save",
    "save_named",
    "shape_of_file",
    "threads_here",
]

Array = NDArray[Any]

FORMAT = 2
"""Goes up when blocks of the same name come to hold something else."""

UNLIMITED = 4 * 2**30
"""Bytes that a worker without a limit is taken to have."""


class Moved:
    """Bytes that this process has read from blocks and written to them."""

    def __init__(self) -> None:
        self.read, self.written = 0, 0


moved = Moved()


def key_of(name: str, *made_of: Any) -> str:
    """Return the name of a folder for what is made of these things: text, numbers, paths, arrays, lists of them.

    Examples
    --------
    >>> key_of("cells", 3, [1, 2]) == key_of("cells", 3, (1, 2)), key_of("cells", 3) == key_of("cells", 4)
    (True, False)
    """
    told = json.dumps([FORMAT, name, [_told(each) for each in made_of]])
    return f"{name}-{sha256(told.encode()).hexdigest()[:16]}"


def _told(thing: Any) -> Any:
    if isinstance(thing, np.ndarray):
        return digest({"": thing})
    if isinstance(thing, Path):
        return thing.name
    if isinstance(thing, (list, tuple)):
        return [_told(each) for each in thing]
    if hasattr(thing, "__dataclass_fields__"):
        return [type(thing).__name__, *(_told(getattr(thing, field)) for field in thing.__dataclass_fields__)]
    if thing is None or isinstance(thing, (str, bool, int, float)):
        return thing
    return _told(thing.item()) if isinstance(thing, np.generic) else str(thing)


def save(path: Path, array: Array) -> None:
    """Write an array as a block; a full disk is told in one sentence and leaves nothing behind."""
    kept = np.ascontiguousarray(array)

    def write(file: IO[bytes]) -> None:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(kept))
        # Not by numpy's own way to a file: what that keeps back to the end is lost without a word on a full disk.
        file.write(kept.reshape(-1).view(np.uint8).data)

    _write(path, write)
    moved.written += kept.nbytes


def save_named(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write a few arrays by name, as :func:`save` does one."""
    _write(path, lambda file: np.savez(file, allow_pickle=False, **arrays))
    moved.written += sum(each.nbytes for each in arrays.values())


def _write(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file beside and rename it; it need not have reached the disk for another process to find it."""
    beside = ""
    try:
        handle, beside = mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            write(file)
        Path(beside).replace(path)
    except OSError as error:
        if beside:
            Path(beside).unlink(missing_ok=True)
        raise FewlabelsError(
            f"{path.parent}: a block could not be written ({error.strerror or error}); make room there and run the "
            "same again, it goes on where it stopped."
        ) from None


def load(path: Path) -> Array:
    """Read a whole block."""
    return load_rows(path, 0, None)


def load_rows(path: Path, start: int, stop: int | None) -> Array:
    """Read some rows of a block, and no others."""
    try:
        with path.open("rb") as file:
            shape, fortran, kind = _header(file)
            rows = shape[0] if stop is None else min(stop, shape[0])
            if fortran and len(shape) > 1:
                raise FewlabelsError(f"{path}: is stored column by column; save np.ascontiguousarray(X) instead.")
            width = int(np.prod(shape[1:], dtype=np.int64))
            file.seek(start * width * kind.itemsize, os.SEEK_CUR)
            wanted = max(0, rows - start) * width
            array = np.fromfile(file, dtype=kind, count=wanted)
    except OSError as error:
        raise FewlabelsError(f"{path}: cannot be read ({error.strerror}); is the folder seen by all workers?") from None
    if array.size < wanted:
        raise FewlabelsError(f"{path}: ends before its last row; make it again (a block: remove it and run the same).")
    moved.read += array.nbytes
    return array.reshape(-1, *shape[1:]) if array.size else np.empty((max(0, rows - start), *shape[1:]), dtype=kind)


def shape_of_file(path: Path) -> tuple[tuple[int, ...], np.dtype[Any], bool]:
    """Return the shape and type of an .npy file, and whether it is stored column by column."""
    try:
        with path.open("rb") as file:
            shape, fortran, kind = _header(file)
    except (OSError, ValueError, EOFError) as error:
        raise FewlabelsError(f"{path}: damaged, or not an .npy array ({error}); save it again.") from None
    if kind.hasobject:
        raise FewlabelsError(f"{path}: holds Python objects, not numbers; save X.astype(float) instead.")
    return shape, kind, fortran and len(shape) > 1


def _header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, kind = read(file)
    return tuple(shape), bool(fortran), np.dtype(kind)


def room(share: float) -> int:
    """Return the bytes that a share of a thread's part of this worker's memory is; elsewhere, of four gigabytes."""
    from distributed import get_worker

    try:
        limit = get_worker().memory_manager.memory_limit
    except ValueError:
        limit = None
    return int(share * (limit or UNLIMITED) / threads_here())


def threads_here() -> int:
    """Return how many tasks this worker does at once; one outside a worker."""
    from distributed import get_worker

    try:
        return max(1, int(get_worker().state.nthreads))
    except ValueError:
        return 1


def discard(paths: Iterable[Path]) -> None:
    """Remove blocks that nobody needs any more."""
    for path in paths:
        path.unlink(missing_ok=True)


def counted(work: Callable[..., Any], *arguments: Any) -> tuple[Any, tuple[int, int]]:
    """Return what some work gives, and the bytes that it read and wrote."""
    before = moved.read, moved.written
    found = work(*arguments)
    return found, (moved.read - before[0], moved.written - before[1])
