import pytest
from gallery import grid

from fewlabels import FewlabelsError, InterfaceLaplace, Seeds


def test_cross_entropy_is_refused_for_values():
    with pytest.raises(FewlabelsError, match="cross-entropy is for classes"):
        InterfaceLaplace(loss="cross-entropy").scores(grid(), Seeds.from_values([0, 80], [0.0, 1.0]))
