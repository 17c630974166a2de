"""Exact and approximate nearest neighbours of dense or sparse features."""

from fewlabels.neighbors.search import NeighborSearch, find_neighbors, recall_of
from fewlabels.neighbors.table import Neighbors

__all__ = ["NeighborSearch", "Neighbors", "find_neighbors", "recall_of"]
