import numpy as np

from fewlabels.report.figures import confidence_histogram
from fewlabels.report.style import ACCENT


def test_the_histogram_counts_points_by_tenths(texts):
    text = confidence_histogram(np.array([0.05, 0.55, 0.55, 0.95, 1.0] + [0.31] * 1234))
    said = texts(text)
    assert said[:10] == [f"{low}–{low + 10}%" for low in range(0, 100, 10)]
    assert said[10:] == ["1", "0", "0", "1,234", "0", "2", "0", "0", "0", "2"]
    assert text.count(f"fill: {ACCENT}") == 10
