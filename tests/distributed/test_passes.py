"""A solve in passes, by a solver that never gets more than a part of the way."""

import numpy as np
import pytest
from distributed_running import run

from fewlabels import Seeds
from fewlabels.distributed.passes import in_passes
from fewlabels.distributed.right_sides import Sources, System
from fewlabels.distributed.rows import matrix_of
from fewlabels.distributed.scratch import load, save
from fewlabels.distributed.spreading import placed
from fewlabels.distributed.stages import Stages


class Partly:
    """Solves a dense L X = B but for a share of it, and writes the solution as a pass does."""

    def __init__(self, graph, where, left):
        self.graph, self.system, self.left, self.kinds = graph, System(graph, where.labelled), left, []
        n = graph.n_nodes
        self.L = np.zeros((n, n))
        for b in range(graph.count):
            start, stop = graph.starts[b : b + 2]
            columns = np.concatenate([np.arange(start, stop), load(graph.rows / f"halo-{b}.npy")])
            self.L[np.ix_(np.arange(start, stop), columns)] -= matrix_of(graph, b).toarray()
        self.L -= np.diag(self.L.sum(axis=1))

    def __call__(self, folder, sources, tol):
        self.kinds.append(folder.name)
        folder.mkdir(parents=True, exist_ok=True)
        B = np.concatenate([sources.block(self.system, b, np.float64) for b in range(self.graph.count)])
        X = (1.0 - self.left) * np.linalg.lstsq(self.L, B, rcond=None)[0].astype(folder.name)
        for b in range(self.graph.count):
            own = X[slice(*self.graph.starts[b : b + 2])]
            save(folder.parent / f"x-{b}.npy", own)
            save(folder.parent / f"y-{b}.npy", own[load(self.graph.halo / f"outward-{b}.npy")])
        return {"plain": X.mean(axis=0)[None], "by_degree": X.mean(axis=0)[None], "n_iter": np.array(7)}


@pytest.fixture(scope="module")
def solved(client, blobs, tmp_path_factory):
    """Return what solves in passes, a right-hand side in blocks, and the dense solver behind it."""
    X, y, rows = blobs
    seeds = Seeds.from_classes(rows, y[rows])
    folder = tmp_path_factory.mktemp("passes")
    found = run(client, folder, X, seeds, blocks=3, method="poisson")
    stages = Stages(client, folder / "scratch")
    where = placed(stages, found.graph, found.pictured, seeds, found.blocks.places_of(stages, seeds.indices))
    alike = where.nodes[seeds.codes == 0][:2]  # of one blob, so that there is a solution
    none = np.zeros((where.labelled.count, 1))
    sources = Sources(1, alike, np.zeros(2, dtype=np.int64), np.array([1.0, -1.0]), none, none)

    def solve(solver, tol):
        return in_passes(stages, solver.system, sources, tol, stages.scratch / f"solve-{solver.left}-{tol}", solver)

    def blocks(told):
        parts = [load(stages.scratch / str(told["at"]) / f"x-{b}.npy") for b in range(found.graph.count)]
        return np.concatenate(parts)

    return solve, blocks, sources, lambda left: Partly(found.graph, where, left), stages.scratch


@pytest.mark.parametrize(("left", "kinds"), [(0.0, 1), (0.02, 2), (0.08, 3), (0.3, 5)])
def test_what_a_pass_leaves_is_solved_for_in_the_next(solved, left, kinds):
    solve, blocks, sources, partly, _ = solved
    solver = partly(left)
    told = solve(solver, 1e-4)
    assert solver.kinds == (["float32"] * 4 + ["float64"])[:kinds]
    assert int(told["n_iter"]) == 7 * kinds
    assert float(told["residual"]) == pytest.approx(left**kinds, rel=0.05, abs=1e-5)
    B = np.concatenate([sources.block(solver.system, b, np.float64) for b in range(solver.graph.count)])
    X = blocks(told)
    assert X.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(solver.L @ X - B) / np.linalg.norm(B), told["residual"], atol=1e-5)
    np.testing.assert_allclose(X.mean(axis=0), told["plain"][0], atol=1e-6)


def test_fine_tolerances_take_double_precision_at_once(solved):
    solve, _, _, partly, _ = solved
    solver = partly(0.0)
    assert float(solve(solver, 1e-9)["residual"]) < 1e-9
    assert solver.kinds == ["float64"]


def test_a_solve_that_was_ended_goes_on_with_the_pass_it_was_in(solved, monkeypatch):
    solve, _, _, partly, scratch = solved
    first = partly(0.05)
    real = Partly.__call__

    def ended(self, folder, sources, tol):
        if self.kinds:
            raise KeyboardInterrupt
        return real(self, folder, sources, tol)

    monkeypatch.setattr(Partly, "__call__", ended)
    with pytest.raises(KeyboardInterrupt):
        solve(first, 1e-3)
    monkeypatch.setattr(Partly, "__call__", real)
    second = partly(0.05)
    told = solve(second, 1e-3)
    assert first.kinds == second.kinds == ["float32"]
    assert float(told["residual"]) == pytest.approx(0.05**2, rel=0.05)
    assert not list(scratch.glob("residual-*/term-*.npy"))
