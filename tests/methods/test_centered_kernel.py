import numpy as np

from fewlabels import CenteredKernel, Graph, Seeds


def test_a_graph_without_edges_leaves_the_centred_kernel_with_the_labels():
    scores = CenteredKernel().scores(Graph.from_weights(np.zeros((5, 5))), Seeds.from_classes([0, 1], ["a", "b"]))
    assert scores[:2].argmax(axis=1).tolist() == [0, 1]
