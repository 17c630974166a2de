"""More processes for one plan: each runs the same command on the same store, and takes what no other has."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

from fewlabels.errors import FewlabelsError
from fewlabels.threads import cores

__all__ = ["helpers"]

THREADS = "OMP_NUM_THREADS"


@contextmanager
def helpers(jobs: int, arguments: Sequence[str]) -> Iterator[None]:
    """Run `fewlabels` with these arguments in jobs - 1 more processes while the block runs; the cores are shared out.

    The helpers end by themselves when nothing is left to do, and are ended with the block if it fails.
    """
    if jobs < 1:
        raise FewlabelsError(f"--jobs {jobs} must be at least 1.")
    if jobs == 1:
        yield
        return
    before = os.environ.get(THREADS)
    os.environ[THREADS] = share = str(max(1, cores() // jobs))
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": share}
    command = [sys.executable, "-m", "fewlabels", *arguments]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(jobs - 1):
            started.append(
                subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )
        with threadpool_limits(limits=int(share)):
            yield
    except BaseException:
        for process in started:
            process.terminate()
        raise
    finally:
        for process in started:
            process.wait()
        os.environ.pop(THREADS) if before is None else os.environ.__setitem__(THREADS, before)
