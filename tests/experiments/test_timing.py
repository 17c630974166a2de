import numpy as np
import pytest
from trials import asked

from fewlabels.datasets import load_dataset
from fewlabels.experiments import Setting, Store, Subject
from fewlabels.experiments.timing import TIMING


@pytest.mark.usefixtures("blob_data")
def test_the_sum_is_that_of_all_stages_but_the_mixing_time(tmp_path, monkeypatch):
    monkeypatch.setattr("fewlabels.experiments.timing.REPEATS", 3)
    request = asked(tmp_path, "timing", datasets=["blobs"])
    subjects = {"blobs": Subject(load_dataset("blobs"))}
    table, figure = TIMING.tabulate(Setting(TIMING, request, Store(request.store), "blobs", subjects))
    assert figure is None
    assert list(table.rows) == ["T", "interface", "A", "lambda", "f", "u", "sum without T"]
    seconds = {row: np.array(table.entry(row, "seconds").values) for row in table.rows}
    assert all(values.shape == (3,) and (values > 0).all() for values in seconds.values())
    np.testing.assert_allclose(seconds["sum without T"], sum(seconds[row] for row in table.rows[1:-1]))
    assert not table.published, "the paper has no seconds of these points"
