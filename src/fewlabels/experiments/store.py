"""Results of trials, one line each, appended and never changed: whatever kills a run, what was done stays done."""

from __future__ import annotations

import json
import math
import os
import socket
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.experiments.processes import is_running

__all__ = ["Store", "Trial"]

UNREADABLE_SECONDS = 5.0


@dataclass(frozen=True)
class Trial:
    """One method on one draw: what was run, and the accuracy in percent over the nodes without a label.

    `data` is the checksum of labels, neighbours and draws, so that a result never stands for other data of that name.
    `more` holds what else was measured, by name. `refused` says why there is no result, where there is none. `version`
    is that of the code which made it; empty in results of old.
    """

    dataset: str
    data: str
    method: str
    rate: str
    draw: int
    accuracy: float
    seconds: float
    more: dict[str, float] = field(default_factory=dict)
    refused: str = ""
    version: str = ""

    @property
    def line(self) -> bytes:
        """The trial as a line of a file; what is empty is left out."""
        record = asdict(self)
        for name in ("more", "refused", "version"):
            if not record[name]:
                del record[name]
        return json.dumps(record).encode() + b"\n"

    @property
    def key(self) -> str:
        """What identifies the trial, whoever runs it."""
        return f"{self.dataset} {self.data} {self.method} {self.rate} {self.draw}"


class Store:
    """An append-only file of trials that several processes may share.

    A line is written in one piece. A line cut off by a kill or a full disk is not a result; its trial is run again. A
    result by another version of the code takes the place of the one before it. With `redo_older`, a trial counts as run
    only if the version at hand made it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = Store(Path(folder) / "trials.jsonl")
    ...     store.append(Trial("digits", "5f70", "laplace", "1", 0, 78.9, 0.1))
    ...     sorted(Store(store.path).trials)
    ['digits 5f70 laplace 1 0']
    """

    def __init__(self, path: Path, *, redo_older: bool = False) -> None:
        self.path = path
        self._redo_older = redo_older
        self.trials: dict[str, Trial] = {}
        self.refused: dict[str, str] = {}
        """Why trials cannot be done, such as an interface without nodes; their cells have fewer draws."""
        self._read = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FewlabelsError(f"{path.parent}: cannot be made ({error.strerror}); choose another folder.") from None
        self.refresh()

    @property
    def claims(self) -> Path:
        """The folder of claims, one file for each trial that a process has in hand."""
        return self.path.with_name(self.path.name + ".claims")

    def has(self, key: str, version: str) -> bool:
        """Tell whether nothing is left to do for a trial, which code of this version would make."""
        if key in self.refused:
            return True
        return key in self.trials and (not self._redo_older or self.trials[key].version == version)

    def refresh(self) -> None:
        """Take in what has been appended since, by this process or another."""
        if not self.path.exists():
            return
        try:
            with self.path.open("rb") as file:
                file.seek(self._read)
                new = file.read()
        except OSError as error:
            raise FewlabelsError(f"{self.path}: cannot be read ({error.strerror}).") from None
        whole = new[: new.rfind(b"\n") + 1]
        self._read += len(whole)
        damaged = 0
        for line in filter(None, whole.split(b"\n")):
            try:
                trial = Trial(**json.loads(line))
                if not 0.0 <= trial.accuracy <= 100.0:
                    raise ValueError("not a share in percent")
                if not all(math.isfinite(value) for value in trial.more.values()):
                    raise ValueError("not a number")
            except (ValueError, TypeError, AttributeError):
                damaged += 1
            else:
                self._keep(trial)
        if damaged:
            warnings.warn(
                f"{self.path}: {damaged} damaged line(s) left out; their trials will be run again, the others stand.",
                FewlabelsWarning,
                stacklevel=2,
            )

    def append(self, trial: Trial) -> None:
        """Write one result through to the disk."""
        line = trial.line
        try:
            binary = getattr(os, "O_BINARY", 0)
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | binary, 0o644)
            try:
                size = os.lseek(handle, 0, os.SEEK_END)
                if size and (os.lseek(handle, size - 1, os.SEEK_SET), os.read(handle, 1))[1] != b"\n":
                    line = b"\n" + line
                if os.write(handle, line) < len(line):
                    raise OSError(28, "no space left on device")
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise FewlabelsError(
                f"{self.path}: a result could not be written ({error.strerror}); all before it are kept. Make room or "
                "choose another folder, then run the same command again."
            ) from None
        self._keep(trial)

    def _keep(self, trial: Trial) -> None:
        if trial.refused:
            self.refused.setdefault(trial.key, trial.refused)
        elif trial.key not in self.trials or self.trials[trial.key].version != trial.version:
            self.trials[trial.key] = trial

    @contextmanager
    def claim(self, key: str) -> Iterator[bool]:
        """Reserve a trial for this process; false if another, living one has it."""
        path = self.claims / sha256(key.encode()).hexdigest()[:20]
        mine = _take(path)
        try:
            yield mine
        finally:
            if mine:
                path.unlink(missing_ok=True)
                with suppress(OSError):
                    path.parent.rmdir()

    def tidy(self) -> None:
        """Remove what processes left behind that were killed between writing a result and giving up their claim."""
        if not self.claims.exists():
            return
        for path in list(self.claims.iterdir()):
            if _is_stale(path):
                path.unlink(missing_ok=True)
        with suppress(OSError):
            self.claims.rmdir()


def _take(path: Path) -> bool:
    me = f"{socket.gethostname()} {os.getpid()}"
    for _ in range(3):
        try:
            path.parent.mkdir(exist_ok=True)
            with path.open("x") as file:
                file.write(me)
            return True
        except FileExistsError:
            if not _is_stale(path):
                return False
            path.unlink(missing_ok=True)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise FewlabelsError(
                f"{path.parent}: cannot write there ({error.strerror}); choose a folder that is writable."
            ) from None
    return False


def _is_stale(path: Path) -> bool:
    """Tell whether the process that made a claim is gone."""
    try:
        host, pid = path.read_text(encoding="utf-8").split()
    except OSError:
        return False
    except ValueError:  # cut off while it was written
        return time.time() - path.stat().st_mtime > UNREADABLE_SECONDS if path.exists() else False
    if host != socket.gethostname():
        return False
    return pid.isdigit() and not is_running(int(pid))
