"""Clusters by name: workers of this machine, or a scheduler's address; and what must hold before work is sent there."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from fewlabels.distributed.scratch import UNLIMITED
from fewlabels.errors import FewlabelsError
from fewlabels.extras import optional
from fewlabels.progress import say

__all__ = ["memory_of", "opened", "shared_scratch", "threads_of"]

LOCAL = re.compile(r"local:(\d+)")
ADDRESS = re.compile(r"(tcp|tls|ucx|ws|wss)://\S+")
SAID = "local:4 for four workers on this machine, or a scheduler's address such as tcp://scheduler:8786"
FAILURES = 10
"""How often a block may lose its worker before that counts as the block's fault."""

PATIENCE = "10s"
LOCALLY = {
    "distributed.scheduler.allowed-failures": FAILURES,
    "distributed.scheduler.worker-ttl": None,
    "distributed.scheduler.no-workers-timeout": "300s",
    "distributed.deploy.lost-worker-timeout": "1 day",
}
"""How workers of this machine are looked after. One that ends is missed at once; silence alone is no sign of it, since
after a machine has slept all of them have been silent, and would be let go without being started again. So would one
that is lost twice within Dask's own timeout, while it is being started again. Work that finds no worker for so long
ends with a sentence."""


@contextmanager
def opened(name: str, memory: str | None = None) -> Iterator[Any]:
    """Yield a client of the cluster that a name stands for; workers on this machine end with the block."""
    distributed = optional("distributed", extra="dask", what="--cluster")
    dask = optional("dask", extra="dask", what="--cluster")
    local = LOCAL.fullmatch(name)
    if local is None and ADDRESS.fullmatch(name) is None:
        raise FewlabelsError(f"--cluster {name!r} is not known; give {SAID}.")
    if local is None and memory is not None:
        raise FewlabelsError("--memory is for workers on this machine (local:N); those of a cluster have their own.")
    if local is None:
        try:
            client = distributed.Client(name, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise FewlabelsError(f"--cluster {name}: no scheduler answers there ({error}); start it first.") from None
        with client:
            if not client.nthreads():
                raise FewlabelsError(f"--cluster {name}: the scheduler has no workers; start some first.")
            say(f"dashboard: {client.dashboard_link}")
            yield client
        return
    count = int(local[1])
    if count < 1:
        raise FewlabelsError(f"--cluster {name}: give at least one worker.")
    limit = _bytes(memory) if memory is not None else "auto"
    with dask.config.set(LOCALLY):
        with _interrupts_ignored():
            workers = distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                memory_limit=limit,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=50,
            )
        with workers as cluster, distributed.Client(cluster, set_as_default=False) as client:
            say(f"{count} workers on this machine; dashboard: {client.dashboard_link}")
            yield client


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Start processes that leave Ctrl-C to the one that started them, which ends them in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _bytes(memory: str) -> int:
    utils = optional("dask.utils", extra="dask", what="--memory")
    try:
        found = int(utils.parse_bytes(memory))
    except ValueError:
        raise FewlabelsError(f"--memory {memory!r} is not a size; give for example 1GB or 500MiB.") from None
    if found < 2**28:
        raise FewlabelsError(f"--memory {memory}: a worker needs 300 MB for its libraries alone; give at least 512MB.")
    return found


def memory_of(client: Any) -> int:
    """Return the bytes that a thread of the smallest worker may use."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    limits = [(int(worker["memory_limit"]) or UNLIMITED) // max(1, worker["nthreads"]) for worker in workers]
    return min(limits, default=UNLIMITED)


def threads_of(client: Any) -> list[str]:
    """Return the address of every worker, once for each of its threads."""
    return [address for address, threads in sorted(client.nthreads().items()) for _ in range(threads)]


def shared_scratch(client: Any, folder: Path) -> Path:
    """Return the folder for blocks, if it can be written and every worker sees it."""
    if "://" in str(folder) or re.match(r"s3:/|gs:/|https?:/", str(folder)):
        raise FewlabelsError(f"--scratch {folder}: give a folder that all workers see, such as a shared disk.")
    token = uuid4().hex
    folder = folder.resolve()
    mark = folder / f".seen-{token}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError as error:
        raise FewlabelsError(f"--scratch {folder}: cannot be written ({error.strerror}); choose another.") from None
    try:
        seen = client.run(_sees, mark)
    finally:
        mark.unlink(missing_ok=True)
    blind = [worker for worker, sees in seen.items() if not sees]
    if blind:
        raise FewlabelsError(f"--scratch {folder}: worker {blind[0]} does not see it; give a folder on a shared disk.")
    return folder


def _sees(mark: Path) -> bool:
    return mark.exists()
