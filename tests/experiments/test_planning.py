import pytest
from trials import asked

from fewlabels.experiments import EXPERIMENTS, Cell, Spec, laboratory, named_plan, perform, planned

pytestmark = pytest.mark.usefixtures("blob_data")


def test_a_plan_is_an_entry_too(monkeypatch, tmp_path):
    def cells(dataset, rates):
        return [Cell(row, rate, Spec("nearest-neighbor"), rate) for rate in rates for row in ("1", "2")]

    plan = planned("tiny", "Tiny", rates=("2",), cells=cells, axis="k")
    monkeypatch.setitem(EXPERIMENTS, "tiny", plan)
    assert [cell.row for cell in named_plan("tiny", "blobs", rows=["2"]).cells] == ["2"]
    result = perform(asked(tmp_path, "tiny", datasets=["blobs"], trials=3))[0]
    assert len(result.table.entry("1", "2").values) == 3
    assert result.table.entry("1", "2").mean > 90
    assert result.table.title == "Tiny: blobs"


@pytest.mark.parametrize("axis", ["k", ""])
def test_the_axis_of_a_chart_is_the_entrys(axis, monkeypatch, tmp_path):
    figures = []
    monkeypatch.setattr(laboratory, "drawn", lambda figure, kind: figures.append(figure) or b"<svg>")

    def cells(dataset, rates):
        return [Cell(str(row), rate, Spec("nearest-neighbor"), rate) for rate in rates for row in (1, 2)]

    plan = planned("tiny", "Tiny", rates=("2",), cells=cells, axis=axis)
    monkeypatch.setitem(EXPERIMENTS, "tiny", plan)
    perform(asked(tmp_path, "tiny", datasets=["blobs"], trials=1))
    axes = figures[0].axes[0]
    assert axes.get_xlabel() == (axis or "accuracy in percent")
    assert axes.get_ylabel() == ("accuracy in percent" if axis else "")
