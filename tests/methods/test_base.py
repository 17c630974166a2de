import pytest
from sklearn.base import clone

from fewlabels import FewlabelsError, InterfaceLaplace
from fewlabels.solvers import CG


def test_methods_are_values_that_scikit_learn_can_clone():
    method = InterfaceLaplace(hops=3, solver=CG(1e-3))
    copy = clone(method)
    assert copy is not method
    assert copy.get_params() == method.get_params()
    assert copy.set_params(hops=5).hops == 5
    assert method.hops == 3
    with pytest.raises(FewlabelsError, match="no parameter 'hop'; it has hops"):
        method.set_params(hop=1)
