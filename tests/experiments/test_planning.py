import re
from dataclasses import replace

import pytest
from trials import asked

from fewlabels.experiments import EXPERIMENTS, Cell, Spec, laboratory, named_plan, perform, planned
from fewlabels.experiments.planning import lead_of

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


def test_a_table_says_what_other_code_made_and_makes_it_again_if_asked(monkeypatch, tmp_path):
    def cells(dataset, rates):
        return [Cell(row, rate, Spec(row), rate) for rate in rates for row in ("nearest-neighbor", "poisson")]

    monkeypatch.setitem(EXPERIMENTS, "tiny", planned("tiny", "Tiny", rates=("1",), cells=cells))
    request = asked(tmp_path, "tiny", datasets=["blobs"], trials=2)
    assert "other code" not in perform(request)[0].table.markdown()
    lines = request.store.read_text().splitlines()
    old = [line.replace('"version": "', '"version": "0.0.') if "poisson" in line else line for line in lines]
    request.store.write_text("\n".join(old) + "\n")
    said = perform(request)[0].table.markdown()
    assert "Made by other code than this (poisson, 1: 2 of 2 by 0.0." in said
    assert "--redo-older runs them again" in said
    assert len(request.store.read_text().splitlines()) == 4
    again = perform(replace(request, redo_older=True))[0]
    assert "other code" not in again.table.markdown()
    assert again.command.endswith("--redo-older")
    assert len(request.store.read_text().splitlines()) == 6, "the two of Poisson, and no other"


def test_columns_tell_labels_per_class_and_the_best_is_bold(tmp_path):
    table = perform(asked(tmp_path, "loss", datasets=["blobs"], trials=2, rates=["1", "2"]))[0].table
    assert table.markdown().splitlines()[2] == "| | 1 label per class | 2 labels per class | draws |"
    assert "& 1 label per class & 2 labels per class" in table.latex()
    assert "2 labels per class" in table.html()
    for text, mark in ((table.markdown(), "| **"), (table.latex(), "textbf"), (table.html(), "<b>")):
        assert text.count(mark) >= 2


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


def test_a_lead_is_the_difference_on_the_draws_that_both_have(monkeypatch, tmp_path):
    def cells(dataset, rates):
        return [Cell(row, rate, Spec(row), rate) for rate in rates for row in ("laplace", "poisson")]

    plan = planned("tiny", "Tiny", rates=("1",), cells=cells, also={"lead": lead_of("laplace")})
    monkeypatch.setitem(EXPERIMENTS, "tiny", plan)
    request = asked(tmp_path, "tiny", datasets=["big-blobs"], trials=5)
    accuracies, lead = perform(request)
    ours, theirs = (accuracies.table.entry(row, "1").values for row in ("laplace", "poisson"))
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    assert (lead.name, lead.table.rows) == ("tiny-lead-big-blobs", ["poisson"])
    assert list(lead.table.entry("poisson", "1").values) == differences
    alone = perform(replace(request, rows=["poisson"]))[1]
    assert list(alone.table.entry("poisson", "1").values) == differences
    lines = [
        line for line in request.store.read_text().splitlines() if '"poisson"' not in line or '"draw": 1,' not in line
    ]
    request.store.write_text("\n".join(lines) + "\n")
    fewer = perform(request, only_tables=True)[1]
    assert list(fewer.table.entry("poisson", "1").values) == differences[:1] + differences[2:]
    assert "other code" not in fewer.table.markdown()
    request.store.write_text(re.sub(r'"version": "[^"]*"', '"version": "0.0.0"', "\n".join(lines) + "\n"))
    assert "4 of 4 by 0.0.0" in perform(request, only_tables=True)[1].table.markdown()
