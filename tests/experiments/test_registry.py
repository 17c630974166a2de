import pytest

from fewlabels.errors import FewlabelsError
from fewlabels.experiments import EXPERIMENTS, named_plan, registry

pytestmark = pytest.mark.usefixtures("blob_data")


@pytest.mark.parametrize("name", [name for name, each in EXPERIMENTS.items() if each.cells])
def test_every_plan_has_cells(name):
    cells = named_plan(name, "mnist").cells
    assert len(cells) >= 2
    assert len({(cell.row, cell.column) for cell in cells}) == len(cells)


def test_all_are_all_that_are_registered(toy):
    assert registry.chosen(["all"]) == list(EXPERIMENTS)
    assert "toy" in EXPERIMENTS


@pytest.mark.parametrize(
    ("names", "sentence"), [([], "no experiment is named"), (["loss", "hpos"], "'hpos'.*did you mean hops")]
)
def test_names_that_are_none_or_unknown_are_refused(names, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        registry.chosen(names)
