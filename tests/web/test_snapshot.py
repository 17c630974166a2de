import numpy as np
import pytest
from gallery import ring_of_blobs

from fewlabels import LabelingLoop
from fewlabels.web.snapshot import Snapshot


@pytest.fixture(scope="module", name="loop")
def _loop():
    loop = LabelingLoop(ring_of_blobs(), "poisson")
    n = loop.graph.n_nodes
    loop.become({0: 0, n // 2: 7})
    return loop


def test_nothing_is_known_without_labels():
    blank = Snapshot(5)
    assert not blank.known
    assert blank.packed(np.array([0]), {}) == bytes(10)
    assert len(blank.unsure) == 0
    assert all(entry[1:] == (0, 0.0) for entry in blank.above)
    assert len(blank.above) == 100


def test_an_answer_is_shown_by_the_numbers_of_its_classes(loop):
    n, found = loop.graph.n_nodes, Snapshot(loop.graph.n_nodes, loop.answer)
    assert set(found.classes.tolist()) == {0, 7}
    assert found.counts.tolist() == [np.sum(found.classes == c) for c in range(8)]
    assert np.allclose(found.confidence, loop.answer.labelled.confidence, atol=1e-6)
    assert sorted([*found.unsure.tolist(), 0, n // 2]) == list(range(n))
    assert (np.diff(found.confidence[found.unsure]) >= 0).all()
    both = found.of_classes(frozenset({0, 7}))
    assert (np.diff(found.confidence[both]) <= 0).all()
    assert both.size == n


def test_two_bytes_hold_code_and_level_and_labels_that_came_since(loop):
    found = Snapshot(loop.graph.n_nodes, loop.answer)
    codes = np.array([2, 0, 0, 0, 0, 0, 0, 1, 4095])
    read = np.frombuffer(found.packed(codes, {3: 8}), dtype="<u2")
    assert read[3] == 0xFFFF
    others = np.arange(len(read)) != 3
    assert ((read >> 4) == np.where(found.classes == 0, 2, 1))[others].all()
    assert ((read & 15) == np.rint(found.confidence * 15))[others].all()
    gone = np.frombuffer(found.packed(np.zeros(9, dtype=np.int64), {}), dtype="<u2")
    assert not gone.any()


def test_shares_above_a_threshold_are_mean_confidences(loop):
    found = Snapshot(loop.graph.n_nodes, loop.answer)
    sure = found.confidence[found.unsure].astype(float)
    for threshold, number, share in found.above:
        some = sure[sure >= threshold]
        assert number == some.size
        assert share == pytest.approx(some.mean() if some.size else 0.0, abs=1e-6)
