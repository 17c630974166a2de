import numpy as np
import pytest
from gallery import points

from fewlabels import FewlabelsError
from fewlabels.neighbors.single import SinglePrecision


@pytest.mark.parametrize(("shift", "scale"), [(0.0, 1.0), (1e6, 1.0), (0.0, 1e-30), (-1e12, 1e3)])
def test_differences_survive_whatever_the_place_and_size_of_the_data(shift, scale):
    X = shift + scale * points(50, 3)
    single = SinglePrecision(X)
    small = single.of(X)
    assert small.dtype == np.float32
    assert np.abs(small).max() == pytest.approx(1.0, rel=1e-6)
    gaps = (small[1:].astype(float) - small[:1]) * single.scale
    np.testing.assert_allclose(gaps, X[1:] - X[:1], atol=1e-5 * scale)


def test_new_rows_are_moved_as_the_data_was():
    X = points(50, 3)
    np.testing.assert_array_equal(SinglePrecision(X).of(X[:4]), SinglePrecision(X).of(X)[:4])


def test_equal_points_and_overflow():
    assert not SinglePrecision(np.full((4, 2), 3.0)).of(np.full((1, 2), 3.0)).any()
    with pytest.raises(FewlabelsError, match="rescale the features"):
        SinglePrecision(np.array([[1.7e308], [-1.7e308], [1.7e308]]))


def test_rows_far_outside_the_data_stay_numbers():
    precision = SinglePrecision(np.array([[0.0, 1.0], [2.0, 3.0]]))
    with np.errstate(all="raise"):
        found = precision.of(np.array([[1e25, -1e300], [1.0, 1.0]]))
    assert np.isfinite(found.astype(np.float64) ** 2).all()
    assert np.isfinite(np.einsum("ij,ij->i", found, found)).all()
