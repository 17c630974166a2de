"""What workers hold between steps, and right-hand sides in files."""

from pathlib import Path

import numpy as np
import pytest

from fewlabels.distributed.right_sides import Sources
from fewlabels.distributed.steps import Held


def test_blocks_of_one_solve_do_not_make_way_for_one_another_those_of_others_do():
    held = Held()
    assert held.put(("one", 0), "a", size=6, limit=10)
    assert not held.put(("one", 1), "b", size=6, limit=10)
    assert held.put(("other", 0), "c", size=6, limit=10)
    assert held.take(("one", 0)) is None
    assert held.take(("other", 0)) == "c"
    assert held.put(("one", 1), "b", size=10, limit=10)


@pytest.mark.parametrize("folder", [None, Path("term-1")])
def test_sources_are_read_as_they_were_written(tmp_path, folder):
    even, by_degree = np.zeros((1, 3)), np.ones((1, 3))
    sources = Sources(3, np.array([4, 7]), np.array([0, 2]), np.array([1.0, -1.0]), even, by_degree, folder, 2)
    sources.write(tmp_path / "sources.npz")
    found = Sources.read(tmp_path / "sources.npz")
    assert (found.width, found.folder, found.first) == (3, folder, 2)
    for name in ("nodes", "columns", "values", "even", "by_degree"):
        np.testing.assert_array_equal(getattr(found, name), getattr(sources, name))
