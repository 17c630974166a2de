import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.solvers import CG, solve
from fewlabels.systems import OperatorSystem


def test_a_product_alone_has_no_coarse_picture():
    system = OperatorSystem(4, lambda X: 3 * X)
    assert solve(system, np.ones((4, 1)), CG(1e-9, coarse=False)).value.ravel().tolist() == [1 / 3] * 4
    with pytest.raises(FewlabelsError, match="CG\\(coarse=False\\)"):
        solve(system, np.ones((4, 1)), CG(1e-9))
