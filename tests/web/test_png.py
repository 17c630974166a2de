import io

import matplotlib.image
import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.web.png import png


@pytest.mark.parametrize("shape", [(3, 5), (8, 8, 1), (4, 2, 3), (1, 1, 4)])
def test_another_reader_sees_the_same_pixels(shape):
    pixels = np.random.default_rng(0).integers(256, size=shape).astype(np.uint8)
    seen = (255 * matplotlib.image.imread(io.BytesIO(png(pixels)))).round().astype(np.uint8)
    assert np.array_equal(seen, pixels[:, :, 0] if shape[2:] == (1,) else pixels)


@pytest.mark.parametrize("pixels", [np.zeros((2, 2)), np.zeros((2, 2, 2), dtype=np.uint8), np.zeros(4, dtype=np.uint8)])
def test_what_is_no_picture_is_refused(pixels):
    with pytest.raises(FewlabelsError, match="give bytes"):
        png(pixels)
