"""Files appear whole or not at all: write beside, then rename; arrays without pickle."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError, in_brief

__all__ = ["digest", "load_arrays", "replacing", "save_arrays", "written_files"]

_WRITTEN: ContextVar[list[Path] | None] = ContextVar("fewlabels_written_files", default=None)


@contextmanager
def written_files() -> Iterator[list[Path]]:
    """Give a list of the files that are written, or written anew, inside the block."""
    written: list[Path] = []
    token = _WRITTEN.set(written)
    try:
        yield written
    finally:
        _WRITTEN.reset(token)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file that takes the place of `path` only when the block ends well.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     target = Path(folder) / "greeting.txt"
    ...     with replacing(target) as file:
    ...         _ = file.write(b"hello")
    ...     target.read_text()
    'hello'
    """
    target = Path(path).resolve()
    try:
        handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise FewlabelsError(
            f"{target}: cannot write there ({error.strerror}); choose a folder that exists and is writable."
        ) from None
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(_mode(target))
        beside.replace(target)
        if (written := _WRITTEN.get()) is not None:
            written.append(Path(path))
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise FewlabelsError(f"{target}: could not be written ({error.strerror}); nothing was changed.") from None
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """Return the permissions an ordinary new file, or the file being replaced, would have."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def save_arrays(path: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]], *, compress: bool = True) -> None:
    """Write named arrays as an .npz file, whole or not at all."""
    write: Callable[..., None] = np.savez_compressed if compress else np.savez
    with replacing(path) as file:
        write(file, **arrays)


def load_arrays(path: str | os.PathLike[str], what: str) -> dict[str, NDArray[Any]]:
    """Read all arrays of an .npz file; a damaged or pickled file is refused in one sentence."""
    name = Path(path)
    try:
        with name.open("rb") as file:
            archive = np.load(file, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise FewlabelsError(f"{name}: not an .npz archive; expected {what}.")
            return {key: archive[key] for key in archive.files}
    except FewlabelsError:
        raise
    except FileNotFoundError:
        raise FewlabelsError(f"{name}: no such file; expected {what}.") from None
    except Exception as error:  # a damaged archive fails in a dozen ways; each means the same to the reader
        raise FewlabelsError(
            f"{name}: damaged, truncated or not an .npz archive ({in_brief(error)}); expected {what}, make it again."
        ) from None


def digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return a SHA-256 over names, types, shapes and contents.

    Examples
    --------
    >>> digest({"a": np.arange(3)}) == digest({"a": np.array([0, 1, 2])})
    True
    """
    total = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        total.update(f"{name}:{array.dtype.str}:{array.shape};".encode())
        total.update(array.tobytes())
    return total.hexdigest()
