import pytest
from trials import TOY

from fewlabels.errors import FewlabelsError
from fewlabels.experiments import EXPERIMENTS, Experiment, named_plan, registry

pytestmark = pytest.mark.usefixtures("blob_data")


@pytest.mark.parametrize("name", [name for name, each in EXPERIMENTS.items() if each.cells])
def test_every_plan_has_cells(name):
    cells = named_plan(name, "mnist").cells
    assert len(cells) >= 2
    assert len({(cell.row, cell.column) for cell in cells}) == len(cells)


def test_an_entry_whose_extra_is_missing_is_left_out_of_all_alone(toy, monkeypatch, capsys):
    needy = Experiment(name="needy", title="", tabulate=TOY.tabulate, extra="no_such_library")
    monkeypatch.setitem(EXPERIMENTS, "needy", needy)
    names = registry.chosen(["all"])
    assert "needy" not in names
    assert "toy" in names
    assert registry.chosen(["needy"]) == ["needy"]


@pytest.mark.parametrize(("names", "sentence"), [([], "no experiment is named"), (["loss", "los"], "'los'")])
def test_names_that_are_none_or_unknown_are_refused(names, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        registry.chosen(names)
