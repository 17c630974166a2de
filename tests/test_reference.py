"""What the paper's own procedure computes on real graphs, found again."""

import numpy as np
import pytest

from fewlabels import InterfaceLaplace, Seeds

CASES = (
    [("digits", "r1", t) for t in range(10)]
    + [("digits", "r5", t) for t in range(10)]
    + [("mnist", "r1", t) for t in range(2)]
)


@pytest.mark.parametrize(("name", "rate", "t"), CASES)
def test_series_repeats_the_authors(name, rate, t, shared_graph, shared_labels, shared_reference):
    authors, draws, y = shared_reference(f"authors_{name}"), shared_reference(f"draws_{name}"), shared_labels(name)
    train = draws[rate][t]
    seeds = Seeds.from_classes(train, y[train], n_classes=10)
    method = InterfaceLaplace(
        hops=int(authors[f"{rate}_hops"]), target_mse=float(authors[f"{rate}_target_mse"]), solver="series"
    )
    found = method.spread(shared_graph(name), seeds)
    assert [solve.n_iter for solve in found.solves] == [authors[f"{rate}_T"][t]] * 2
    assert found.interface.size == authors[f"{rate}_n_interface"][t]
    assert found.ridge == pytest.approx(authors[f"{rate}_lambda"][t], rel=0.005)
    predicted = found.scores.argmax(axis=1)
    assert np.mean(predicted == authors[f"{rate}_pred"][t]) >= 0.995
    others = np.setdiff1d(np.arange(y.size), train)
    assert 100 * np.mean(predicted[others] == y[others]) == pytest.approx(authors[f"{rate}_accuracy"][t], abs=0.2)


def test_the_default_solver_is_as_accurate_on_mnist_in_far_fewer_products(
    shared_graph, shared_labels, shared_reference
):
    authors, draws, y = shared_reference("authors_mnist"), shared_reference("draws_mnist"), shared_labels("mnist")
    for t in range(2):
        train = draws["r1"][t]
        seeds = Seeds.from_classes(train, y[train], n_classes=10)
        found = InterfaceLaplace(hops=4, target_mse=0.2).spread(shared_graph("mnist"), seeds)
        predicted = found.scores.argmax(axis=1)
        assert np.mean(predicted == authors["r1_pred"][t]) > 0.99
        others = np.setdiff1d(np.arange(y.size), train)
        assert 100 * np.mean(predicted[others] == y[others]) == pytest.approx(authors["r1_accuracy"][t], abs=0.3)
        assert max(solve.n_iter for solve in found.solves) < authors["r1_T"][t] / 4
        assert all(solve.status == "converged" for solve in found.solves)
