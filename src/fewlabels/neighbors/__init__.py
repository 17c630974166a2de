"""Exact and approximate nearest neighbours of dense or sparse features."""

from fewlabels.neighbors.backends import SEARCHES, Backend
from fewlabels.neighbors.metrics import METRICS, Metric
from fewlabels.neighbors.search import NeighborSearch, find_neighbors
from fewlabels.neighbors.table import Neighbors, recall_of

__all__ = [
    "METRICS",
    "SEARCHES",
    "Backend",
    "Metric",
    "NeighborSearch",
    "Neighbors",
    "find_neighbors",
    "recall_of",
]
