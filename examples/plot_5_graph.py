"""
Your own graph: a club that split in two
========================================

Zachary watched 34 members of a karate club, and who met whom outside it. When the club split, everybody followed
either the instructor (member 0) or the officer (member 33). Two labels and the graph tell who went where.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

from fewlabels import FewLabelClassifier, Graph, Laplace, Seeds

club = nx.karate_club_graph()
truth = np.array([club.nodes[member]["club"] for member in club])

# %%
# A networkx graph, a scipy matrix or a numpy array of weights is a graph as it is.

graph = Graph.from_weights(nx.to_scipy_sparse_array(club, weight="weight", dtype=float))
y = np.full(34, "", dtype=object)
y[[0, 33]] = truth[[0, 33]]
model = FewLabelClassifier("laplace", graph="precomputed").fit(graph, y)
print(f"{np.sum(model.transduction_ == truth)} of 34 members are right")

# %%
# Below the estimators: a method is a value that is handed a graph and labels, and returns scores.

seeds = Seeds.from_classes([0, 33], truth[[0, 33]])
scores = Laplace().scores(graph, seeds)
officer = scores[:, 1] / scores.sum(axis=1)

figure, axis = plt.subplots(figsize=(7, 5))
places = nx.spring_layout(club, seed=4)
nx.draw_networkx_edges(club, places, ax=axis, alpha=0.3)
dots = nx.draw_networkx_nodes(club, places, node_color=officer, cmap="coolwarm", vmin=0, vmax=1, ax=axis, node_size=330)
dots.set_edgecolor(["black" if member in (0, 33) else "white" for member in club])
nx.draw_networkx_labels(club, places, font_size=8, ax=axis)
figure.colorbar(dots, label="with the officer")
axis.axis("off")
