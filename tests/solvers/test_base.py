import numpy as np
import pytest

from fewlabels.solvers.base import CONVERGED, STOPPED, Solution, joined


def part(value, status=CONVERGED, n_iter=1, residual=1e-6, remedy=""):
    return Solution(np.full((2, 1), value), "cg", status, n_iter, residual, remedy)


def test_the_worst_block_speaks_for_all():
    stopped = part(2.0, STOPPED, n_iter=9, residual=1e-3, remedy="allow more steps")
    value = np.array([[1.0, 2.0, 3.0]] * 2)
    found = joined([part(1.0, n_iter=30, residual=1e-2), stopped, part(3.0)], value)
    assert found.value is value
    assert not value.flags.writeable
    assert (found.status, found.remedy) == (STOPPED, "allow more steps")
    assert (found.n_iter, found.residual) == (30, 1e-2)


def test_a_solution_is_read_only_and_says_how_it_went():
    found = part(1.0, STOPPED, n_iter=7, residual=0.02, remedy="allow more steps")
    assert str(found) == "cg: stopped after 7 steps, relative residual 2.0e-02; allow more steps"
    assert found.nbytes == 16
    with pytest.raises(ValueError, match="read-only"):
        found.value[0] = 0
