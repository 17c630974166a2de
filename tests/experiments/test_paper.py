from fewlabels.experiments import named_plan


def test_values_on_the_interface_have_a_hop_more_than_the_term():
    hops = {cell.row: cell.spec.params.get("hops") for cell in named_plan("dirichlet", "mnist", ["1"]).cells}
    assert hops["Inter-Laplace"] == 4
    assert hops["Inter-Laplace-D"] == 5
