import numpy as np

from fewlabels.solvers.constants import Constants


def test_means_and_shares_are_those_of_dense_projections():
    rng = np.random.default_rng(0)
    component, volumes, lift = np.array([0, 1, 0, 1, 1]), rng.random(5), rng.normal(size=(5, 3))
    constants, wanted, outer = Constants(component, volumes), np.empty((5, 3)), np.zeros((5, 5))
    for place in (0, 1):
        here = component == place
        wanted[here] = volumes[here] @ lift[here] / volumes[here].sum()
        outer += np.outer(volumes * here, volumes * here) / volumes[here].sum()
    np.testing.assert_allclose(constants.means(lift), wanted)
    np.testing.assert_allclose(constants.outer(np.array([0, 1, 3])), outer[np.ix_([0, 1, 3], [0, 1, 3])])
    np.testing.assert_allclose(constants.squares(), outer.diagonal())


def test_a_component_without_volume_has_no_share():
    assert Constants(np.array([0, 1]), np.array([0.0, 2.0])).shares(np.ones((2, 1))).ravel().tolist() == [0.0, 0.5]
