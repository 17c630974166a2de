import numpy as np
import pytest
from gallery import blob_points

from fewlabels import FewlabelsError, Graph, Seeds
from fewlabels.experiments.linear import LinearClassifier


def test_features_are_standardised_so_that_their_scale_and_place_do_not_matter():
    X, truth = blob_points(noise=0.2)
    graph, nodes = Graph.from_features(X, n_neighbors=60), np.arange(5, 160, 20)
    seeds = Seeds.from_classes(nodes, truth[nodes])
    scores = LinearClassifier().with_features(X).scores(graph, seeds)
    assert np.mean(scores.argmax(axis=1) == truth) > 0.95
    np.testing.assert_allclose(scores.sum(axis=1), 1)
    moved = LinearClassifier().with_features(1000 + X * [1e-3, 1e5]).scores(graph, seeds)
    np.testing.assert_allclose(moved, scores, atol=1e-3)


def test_columns_follow_the_classes_also_where_one_has_no_label():
    X, truth = blob_points(noise=0.2)
    graph, nodes = Graph.from_features(X, n_neighbors=60), np.array([5, 85, 125])
    scores = LinearClassifier().with_features(X).scores(graph, Seeds.from_classes(nodes, truth[nodes], n_classes=4))
    assert scores[nodes].argmax(axis=1).tolist() == [0, 2, 3]
    assert (scores[:, 1] < scores[:, [0, 2, 3]].min(axis=1)).all()


def test_without_features_one_sentence():
    X, _ = blob_points()
    with pytest.raises(FewlabelsError, match="needs features"):
        LinearClassifier().scores(Graph.from_features(X), Seeds.from_classes([0, 50], [0, 1]))
