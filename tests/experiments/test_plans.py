import pytest

from fewlabels import FewlabelsError
from fewlabels.experiments.plans import EVERY, FEW, ODD, Cell, Plan, Spec, checked_rates, interface_laplace


def test_draws_are_those_that_an_experiment_uses_of_the_ones_asked_for():
    assert list(EVERY.among(4)) == [0, 1, 2, 3]
    assert list(ODD.among(6)) == [1, 3, 5]
    assert list(ODD.among(1)) == []
    assert list(FEW.among(3)) == [0, 1, 2]
    assert list(FEW.among(100)) == list(range(20))


def test_the_papers_parameters_are_used_where_it_tells_them():
    assert interface_laplace("fashion-mnist", "1").params == {"hops": 5, "target_mse": 0.35}
    assert interface_laplace("mnist", "100").params == {"hops": "auto", "target_mse": 0.2}
    assert interface_laplace("MNIST_vae", "5", loss="cross-entropy").params == {
        "hops": 2,
        "target_mse": 0.2,
        "loss": "cross-entropy",
    }
    assert interface_laplace("mnist", "1", hops=0).params["hops"] == 0
    assert interface_laplace("digits", "1").params == {}


def test_a_spec_has_one_name_whatever_the_order_of_its_parameters():
    first, again = Spec("a", {"x": 1, "b": None}), Spec("a", {"b": None, "x": 1})
    assert str(first) == str(again) == "a(b=None,x=1)"
    assert str(Spec("a")) == "a"


def test_rows_and_columns_keep_their_order():
    cells = [Cell(row, column, Spec("a"), column) for column in ("5", "1") for row in ("z", "b")]
    plan = Plan("p", "P", "mnist", tuple(cells))
    assert (plan.rows, plan.columns) == (["z", "b"], ["5", "1"])


@pytest.mark.parametrize("rate", ["0", "-1", "1.5", "", "²", "many"])
def test_what_is_no_number_of_labels_is_refused(rate):
    with pytest.raises(FewlabelsError, match="is no number of labels per class"):
        checked_rates(["1", rate])


def test_rates_are_named_once():
    assert checked_rates(["5", "005", "1", "unbalanced", "1", "unbalanced"]) == ["5", "1", "unbalanced"]


def test_an_experiment_has_its_own_words_for_rates():
    assert checked_rates(["1", "drawn"], ["drawn"]) == ["1", "drawn"]
    with pytest.raises(FewlabelsError, match="use for example --rates 1,5,drawn"):
        checked_rates(["unbalanced"], ["drawn"])
