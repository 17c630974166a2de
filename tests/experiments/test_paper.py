import pytest
from trials import asked

from fewlabels.datasets import load_dataset
from fewlabels.experiments import named_plan, perform


def test_values_on_the_interface_have_a_hop_more_than_the_term():
    hops = {cell.row: cell.spec.params.get("hops") for cell in named_plan("dirichlet", "mnist", ["1"]).cells}
    assert hops["Inter-Laplace"] == 4
    assert hops["Inter-Laplace-D"] == 5


def test_positions_of_equal_size_have_a_column_for_each_k_at_each_rate():
    plan = named_plan("positions-by-size", "mnist", ["1", "2"])
    assert plan.columns == [
        f"k = {k}, {rate}" for rate in ("1 label per class", "2 labels per class") for k in range(2, 6)
    ]
    assert {cell.spec.params["hops"] for cell in plan.cells if cell.column.startswith("k = 3")} == {3}
    assert {cell.spec.params.get("positions") for cell in plan.cells if cell.row == "Poisson-base"} == {"poisson"}


@pytest.mark.usefixtures("blob_data")
def test_the_shares_are_those_of_nodes_beyond_the_hops(tmp_path):
    accuracy, share = perform(asked(tmp_path, "positions-by-size", datasets=["blobs"], trials=2))
    assert share.name == "positions-by-size-share-blobs"
    data = load_dataset("blobs")
    for draw in (0, 1):
        beyond = data.graph.hops_from(data.seeds("1", draw).indices) > 2
        assert share.table.entry("beyond k hops", "k = 2, 1 label per class").values[draw] == pytest.approx(
            100 * beyond.mean()
        )
    assert "| k = 2, 1 label per class |" in accuracy.table.markdown()
