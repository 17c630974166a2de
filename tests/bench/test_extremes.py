import json

import pytest

from fewlabels.bench import extremes
from fewlabels.bench.record import Report


@pytest.mark.usefixtures("no_data")
def test_each_extreme_is_timed_beside_an_ordinary_case(monkeypatch):
    monkeypatch.setattr(extremes, "ROWS", 300)
    monkeypatch.setattr(extremes, "CLASSES", 12)
    monkeypatch.setattr(extremes, "FEWER", 4)
    monkeypatch.setattr(extremes, "POINTS", 240)
    report = Report("here")
    extremes.extremes(report, 1)
    seconds = {m.name: m.seconds for m in report.measured}
    assert list(seconds) == [
        "ours: digits, ten labels",
        "ours: digits, all 300 rows labelled",
        "ours: 4 classes",
        "ours: 12 classes",
    ]
    ratios = {name: ratio for name, ratio, _ in report.ratios}
    assert ratios["12 classes / 4 on one graph, at most"] == seconds["ours: 12 classes"] / seconds["ours: 4 classes"]


def test_memory_of_wide_features_is_told(monkeypatch, capsys):
    monkeypatch.setattr(extremes, "WIDE", (600, 40))
    extremes.main([])
    assert 0 <= json.loads(capsys.readouterr().out)["megabytes"] < 500
