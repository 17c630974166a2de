import numpy as np

from fewlabels.soft import gaps_below_best, power_to_reach, probabilities, raised, softness


def test_rows_are_softmax_of_scores_over_their_scale():
    rng = np.random.default_rng(0)
    scores, scale = rng.normal(size=(20, 4)), rng.uniform(0.5, 2.0, size=20)
    wanted = np.exp(scores / scale[:, None])
    wanted /= wanted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(probabilities(scores, scale, np.ones((20, 4), dtype=bool)), wanted, rtol=1e-6)


def test_impossible_classes_get_nothing_and_rows_without_any_are_even():
    possible = np.array([[True, False, True], [False, False, False]])
    rows = probabilities(np.zeros((2, 3)), np.ones(2), possible)
    np.testing.assert_allclose(rows, [[0.5, 0.0, 0.5], [1 / 3, 1 / 3, 1 / 3]])


def test_the_scale_is_each_components_own():
    scores = np.array([[1.0, -1.0], [1.0, -1.0], [50.0, -50.0]])
    found = softness(scores, np.ones((3, 2), dtype=bool), np.array([0, 0, 1]))
    np.testing.assert_allclose(found, [1.0, 1.0, 50.0])


def test_the_scale_is_about_the_mean_of_the_possible_classes():
    scores = np.array([[3.0, 1.0, 99.0], [4.0, 2.0, 6.0]])
    possible = np.array([[True, True, False], [True, True, True]])
    wanted = np.sqrt((1.0 + 1.0 + 0.0 + 4.0 + 4.0) / 5)
    np.testing.assert_allclose(softness(scores, possible, np.array([0, 0])), [wanted, wanted])


def test_a_scale_of_zero_decides_by_the_best_and_leaves_ties_even():
    gaps = gaps_below_best(np.array([[1.0, 0.0], [2.0, 2.0]]), np.zeros(2), np.ones((2, 2), dtype=bool))
    np.testing.assert_array_equal(gaps, [[0.0, -np.inf], [0.0, 0.0]])


def test_a_power_makes_distributions_as_sure_as_wanted():
    rows = np.random.default_rng(0).dirichlet(np.ones(4), size=300)
    for wanted in (0.3, 0.6, 0.95):
        assert abs(raised(rows, power_to_reach(wanted, rows)).max(axis=1).mean() - wanted) < 1e-3
    np.testing.assert_array_equal(raised(rows, 2.0).argmax(axis=1), rows.argmax(axis=1))


def test_a_power_out_of_reach_is_the_nearest_end_of_its_range():
    even = np.full((5, 4), 0.25)
    assert power_to_reach(0.9, even) > 10.0
    assert power_to_reach(0.1, even) < 0.1
