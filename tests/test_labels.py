import numpy as np
import pytest

from fewlabels import FewlabelsError, Seeds
from fewlabels.labels import draw


def test_weights_are_true_share_over_labelled_share():
    seeds = Seeds.from_classes([0, 1, 2, 3], [0, 1, 1, 1], class_prior=[2, 2])
    np.testing.assert_allclose(seeds.class_weights, [0.5 / 0.25, 0.5 / 0.75])
    np.testing.assert_allclose(seeds.weights, [2, 2 / 3, 2 / 3, 2 / 3])
    np.testing.assert_allclose(Seeds.from_classes([0, 1], [0, 1]).weights, 1)


def test_draws_are_per_class_and_repeatable():
    y = np.repeat(["a", "b"], [5, 50])
    seeds = draw(y, 3, random_state=4)
    assert seeds.targets.sum(axis=0).tolist() == [3, 3]
    np.testing.assert_array_equal(seeds.indices, draw(y, 3, random_state=4).indices)
    assert (y[seeds.indices] == seeds.classes[seeds.codes]).all()
    assert draw(y, [1, 5], random_state=0).targets.sum(axis=0).tolist() == [1, 5]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Seeds.from_classes([], []), "no labels at all"),
        (lambda: Seeds.from_classes([1, 1], [0, 1]), "node 1 is labelled more than once"),
        (lambda: Seeds.from_classes([-1], [0]), "number the nodes from 0"),
        (lambda: Seeds.from_classes([0.5], [0]), "whole numbers"),
        (lambda: Seeds.from_classes([0, 1], [0]), "one class per labelled node"),
        (lambda: Seeds.from_classes([0], [7], n_classes=3), "class 7 is not in 0 to 2"),
        (lambda: Seeds.from_classes([0], ["a"], n_classes=3), "leave n_classes out"),
        (lambda: Seeds.from_classes([0, 1], [0, 1], class_prior=[1, 0]), "share of zero"),
        (lambda: Seeds.from_classes([0, 1], [0, 1], class_prior=[1]), "one share for each of the 2 classes"),
        (lambda: Seeds.from_classes([0, 1], [0, 1], class_prior=[-1, 2]), "not negative"),
        (lambda: Seeds.from_y([-1, -1]), "every entry is unlabelled"),
        (lambda: Seeds.from_y([[1], [2]]), "one label per node"),
        (lambda: Seeds.from_y(np.array(["a", 3, None], dtype=object)), "labels mix types"),
        (lambda: Seeds.from_classes([0, 1], [np.nan, 1.0]), "a label is NaN"),
        (lambda: Seeds.from_classes([0, 1], [0, 1], class_prior="balanced"), "must be shares"),
        (lambda: Seeds.from_values([0, 1], ["a", "b"]), "must be numbers"),
        (lambda: Seeds.from_values([0], [np.nan]), "leave unlabelled nodes out"),
        (lambda: Seeds.from_values([0, 1], [1.0]), "one number per labelled node"),
        (lambda: draw([0, 0, 1], 2), "cannot draw 2 of class"),
    ],
)
def test_bad_input_gets_one_sentence(make, sentence):
    with pytest.raises(FewlabelsError, match=sentence):
        make()


def test_seeds_beyond_the_graph_are_refused(path_graph):
    from fewlabels import Poisson

    with pytest.raises(FewlabelsError, match="node 99 is labelled but the graph has nodes 0 to 5"):
        Poisson().scores(path_graph, Seeds.from_classes([0, 99], [0, 1]))
