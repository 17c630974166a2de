"""The journal: every action is one line of a file, on disk before it is acknowledged.

The first line says which data the journal belongs to. A last line without an end was being written when the process
was killed; it was never acknowledged, and is cut off. Any other damage is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fewlabels.errors import FewlabelsError
from fewlabels.web.locks import lock

__all__ = ["Journal", "JournalError", "Origin"]

FORMAT = "fewlabels journal 1"
ANOTHER = "choose another file for the journal (journal=, --journal)."

Origin = Mapping[str, str | int]
"""What a journal belongs to: checksums and sizes, by name."""


class JournalError(FewlabelsError):
    """A line could not be put on disk; nothing was changed."""


class Journal:
    """Lines of a file that only ever grows, held by one process at a time.

    Parameters
    ----------
    path : Path
    origin : mapping
        What the journal belongs to; one that belongs to something else is refused.

    Attributes
    ----------
    entries : list of dict
        The lines that were there, the first action first.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     journal = Journal(Path(folder) / "labels.jsonl", {"points": 3})
    ...     journal.append({"kind": "undo"})
    ...     journal.close()
    ...     again = Journal(Path(folder) / "labels.jsonl", {"points": 3})
    ...     again.close()
    >>> again.entries
    [{'kind': 'undo'}]
    """

    def __init__(self, path: Path, origin: Origin) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise FewlabelsError(f"{path}: the journal cannot be opened ({error.strerror}); {ANOTHER}") from None
        try:
            if not lock(self._file):
                raise FewlabelsError(f"{path}: another page has this journal open; close that page, or {ANOTHER}")
            self.entries = self._read({"journal": FORMAT, **origin})
        except BaseException:
            os.close(self._file)
            raise
        self._broken = False

    def append(self, entry: Mapping[str, Any]) -> None:
        """Put one line on disk; where that fails, the file is as before and the error says so."""
        if self._broken:
            raise JournalError(f"{self.path}: could not be written before; make room on the disk and start again.")
        try:
            self._write(_line(entry))
        except OSError as error:
            self._cut_back()
            raise JournalError(
                f"{self.path}: could not be written ({error.strerror}), so nothing was changed; make room on the disk."
            ) from None

    def close(self) -> None:
        """Let go of the file, so that another page may open it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _read(self, header: dict[str, Any]) -> list[dict[str, Any]]:
        os.lseek(self._file, 0, os.SEEK_SET)
        with os.fdopen(os.dup(self._file), "rb") as file:
            text = file.read()
        self._length = text.rfind(b"\n") + 1
        lines = text.split(b"\n")[:-1]
        if not lines and _line(header).startswith(text):
            self._length = 0
            os.ftruncate(self._file, 0)
            self._begin(header)
            return []
        self._check(_entry(lines[0]) if lines else None, header)
        entries = []
        for number, line in enumerate(lines[1:], start=2):
            entry = _entry(line)
            if entry is None:
                raise FewlabelsError(
                    f"{self.path}: line {number} is damaged; restore the file from a copy, or remove that line."
                )
            entries.append(entry)
        if len(text) > self._length:
            os.ftruncate(self._file, self._length)
            os.fsync(self._file)
        return entries

    def _begin(self, header: dict[str, Any]) -> None:
        """Write the first line, and the name of the file into its folder."""
        try:
            self._write(_line(header))
            if hasattr(os, "O_DIRECTORY"):
                folder = os.open(self.path.resolve().parent, os.O_RDONLY | os.O_DIRECTORY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        except OSError as error:
            raise FewlabelsError(f"{self.path}: the journal cannot be written ({error.strerror}); {ANOTHER}") from None

    def _check(self, found: dict[str, Any] | None, header: dict[str, Any]) -> None:
        if found is None or found.get("journal") != FORMAT:
            raise FewlabelsError(f"{self.path}: is not a journal of the labelling page; {ANOTHER}")
        for name, value in header.items():
            if found.get(name, value) != value:  # journals of earlier versions tell less
                raise FewlabelsError(
                    f"{self.path}: belongs to other {name}; give those it was begun with, or {ANOTHER}"
                )

    def _write(self, line: bytes) -> None:
        os.lseek(self._file, self._length, os.SEEK_SET)
        left = memoryview(line)
        while left:
            left = left[os.write(self._file, left) :]
        os.fsync(self._file)
        self._length += len(line)

    def _cut_back(self) -> None:
        """Remove what was written of a line; a file that cannot be cut back is not written to any more."""
        try:
            os.ftruncate(self._file, self._length)
            os.fsync(self._file)
        except OSError:
            self._broken = True


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(dict(entry), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
