import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.bench.record import Report
from fewlabels.bench.suite import suite


def test_every_set_is_timed_beside_the_peer_and_held_to_converged_solves(tmp_path, monkeypatch):
    (tmp_path / "suite").mkdir()
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    y = np.arange(120) % 3
    X = (np.eye(3)[y] + 0.2 * np.random.default_rng(0).normal(size=(120, 3))).astype(np.float32)
    for name in ("one", "two"):
        np.savez(tmp_path / "suite" / f"{name}.npz", X=X, y=y.astype(np.int16))
    report = Report("here")
    suite(report, None, 2)
    assert [m.name.split(": ")[1] for m in report.measured] == ["one"] * 3 + ["two"] * 3
    ours, theirs, alone = (each.seconds for each in report.measured[:3])
    assert report.ratios[1] == ("one: ours / Interface Laplace alone, at most", pytest.approx(ours / alone), "2.5")
    told, ratio, wanted = report.ratios[0]
    assert ratio == pytest.approx(ours / theirs)
    assert "one, 120 points" in told
    assert "100.00%" in told
    assert wanted == "3"


def test_an_empty_folder_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("FEWLABELS_DATA", str(tmp_path))
    with pytest.raises(FewlabelsError, match="holds no data"):
        suite(Report("here"), None, 1)
