import numpy as np
import pytest
import scipy.sparse as sp

from fewlabels import FewlabelsError
from fewlabels.methods import named_method
from fewlabels.web.opening import checksum_of, opened
from fewlabels.web.points import Points


def test_checksums_tell_data_apart():
    X = np.arange(12.0).reshape(4, 3)
    assert checksum_of(X) == checksum_of(X.copy())
    others = [X.astype(np.float32), X.reshape(3, 4), X + 1, sp.csr_array(X), sp.csr_array(X + 1)]
    assert len({checksum_of(each) for each in [X, *others]}) == 6


def test_a_journal_goes_on_with_its_own_data_and_labels_alone(open_session, points, tmp_path):
    session, _ = open_session({0: "ant"})
    session.act({"id": "1", "kind": "label", "nodes": [3], "label": "bee"})
    session.close()
    again, _ = open_session({0: "ant"})
    assert again.board.labels() == {0: "ant", 3: "bee"}
    again.close()
    with pytest.raises(FewlabelsError, match="belongs to other labels"):
        open_session({0: "bee"})
    other = Points("other", points.X + 1)
    with pytest.raises(FewlabelsError, match="belongs to other features"):
        opened(other, {0: "ant"}, named_method("poisson"), tmp_path / "labels.jsonl")
    renumbered = Points("blobs", points.X, ids=[f"q{row}" for row in range(points.n)])
    for other in (renumbered, Points("blobs", points.X)):
        with pytest.raises(FewlabelsError, match="belongs to other ids"):
            opened(other, {0: "ant"}, named_method("poisson"), tmp_path / "labels.jsonl")
    last, _ = open_session({0: "ant"})
    assert last.seq == 1


def test_more_classes_than_the_page_shows_are_refused(points, tmp_path, monkeypatch):
    monkeypatch.setattr("fewlabels.web.opening.MOST_CLASSES", 2)
    with pytest.raises(FewlabelsError, match="more than 2 classes"):
        opened(points, {0: "a", 1: "b", 2: "c"}, named_method("poisson"), tmp_path / "x")
