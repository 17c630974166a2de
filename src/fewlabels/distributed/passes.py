"""A solve in passes: what one leaves of the right-hand side, measured in double precision, the next one solves for.

Single precision ends where rounding does. What is left then is a right-hand side of its own, and its solution, in
single precision again, the next digits of the one before. Double precision is the last resort.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.distributed.right_sides import Sources, System
from fewlabels.distributed.rows import matrix_of, read_halo
from fewlabels.distributed.scratch import discard, load, save, save_named
from fewlabels.distributed.stages import Found, Stages
from fewlabels.distributed.steps import Small
from fewlabels.files import load_arrays
from fewlabels.solvers.cg import LEAST_GAIN, MISSED, REFINEMENTS, SINGLE_FROM, ratio

__all__ = ["in_passes"]

Array = NDArray[Any]

Solve = Callable[[Path, Sources, float], Small]
"""Solves to a tolerance, in the precision that the folder is named by; the solution lies in the folder above."""


def in_passes(stages: Stages, system: System, sources: Sources, tol: float, folder: Path, solve: Solve) -> Small:
    """Solve, in single precision if that is enough; what a pass leaves is solved for in the next.

    Returns
    -------
    dict of arrays
        `plain` and `by_degree`, the means of the solution; `residual`, the largest |B - L X| / |B| of its columns;
        `n_iter`, the steps of all passes; `at`, the name of the folder with the solution's blocks.
    """
    passes, used, wanted, left = list[Path](), list[Sources](), tol, sources
    found: Small = {"plain": np.zeros(1), "by_degree": np.zeros(1), "n_iter": np.array(0)}
    kinds = [*["float32"] * ((tol >= SINGLE_FROM) * (1 + REFINEMENTS)), "float64"]
    for kind in kinds:
        passes.append(folder.with_name(f"{folder.name}-{len(passes)}"))
        told = _passed(passes[-1], kind, left, wanted, solve)
        found = {name: found[name] + told[name] for name in found}
        residual, _ = _measured(stages, system, sources, passes)
        if residual <= MISSED * tol or not np.isfinite(residual) or len(passes) == len(kinds):
            break
        _, left = _measured(stages, system, sources, passes, keep=True)
        used.append(left)
        wanted = max(tol / residual, LEAST_GAIN)
    at = _together(stages, system, passes, as_it_is=kind == "float32")
    for each in used:
        each.discard()
    return {**found, "residual": np.array(residual), "at": np.array(at.name)}


def _passed(folder: Path, kind: str, sources: Sources, tol: float, solve: Solve) -> Small:
    """Return what is told of a pass, or what an earlier run found for it."""
    done = folder / "passed.npz"
    if not done.exists():
        save_named(done, solve(folder / kind, sources, tol))
    discard((folder / kind).glob("*"))
    return load_arrays(done, "a pass that is done")


def _measured(
    stages: Stages, system: System, sources: Sources, passes: Sequence[Path], *, keep: bool = False
) -> tuple[float, Sources]:
    """Return the largest |B - L X| / |B| of the columns, X the sum of passes, and B - L X, written if it is kept."""
    made = stages.run("residual", _left, system.graph.count, system, sources, list(passes), keep)
    residual = float(np.sqrt(ratio(made.sum("left"), made.sum("whole")).max(initial=0.0)))
    nothing, none = np.zeros(0, dtype=np.int64), np.zeros((system.labelled.count, sources.width))
    return residual, Sources(sources.width, nothing, nothing, np.zeros(0), none, none, made.folder)


def _left(folder: Path, place: int, system: System, sources: Sources, passes: Sequence[Path], keep: bool) -> Found:
    graph = system.graph
    own = _sum_of(passes, place)
    halo = np.sum(
        [read_halo(lambda other, each=each: each / f"y-{other}.npy", graph, place, own) for each in passes],
        axis=0,
        dtype=np.float64,
    )
    B = sources.block(system, place, np.float64)
    image = load(graph.rows / f"degrees-{place}.npy")[:, None] * own - matrix_of(graph, place) @ np.vstack([own, halo])
    left = B - image
    if keep:
        save(folder / f"term-{place}.npy", left)
    return {"left": np.einsum("ij,ij->j", left, left), "whole": np.einsum("ij,ij->j", B, B)}


def _sum_of(passes: Sequence[Path], place: int) -> Array:
    return np.asarray(np.sum([load(each / f"x-{place}.npy") for each in passes], axis=0, dtype=np.float64))


def _together(stages: Stages, system: System, passes: Sequence[Path], *, as_it_is: bool) -> Path:
    """Return the folder of the sum of passes in single precision, `x-b.npy`; a single pass may be that as it is."""
    if len(passes) == 1 and as_it_is:
        return passes[0]
    made = stages.run("sum", _summed, system.graph.count, list(passes))
    for each in passes:
        discard(each.glob("[xy]-*.npy"))
    return made.folder


def _summed(folder: Path, place: int, passes: Sequence[Path]) -> Found:
    save(folder / f"x-{place}.npy", _sum_of(passes, place).astype(np.float32))
    return {"passes": np.array(len(passes))}
