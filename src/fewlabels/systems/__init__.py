"""Linear systems on a graph, each known by what can be asked of it; who solves them never sees how they are stored."""

from fewlabels.systems.base import Block, System
from fewlabels.systems.coarse import CoarsePicture, aggregates_of, connected_aggregates
from fewlabels.systems.laplacian import Laplacian, green_system, laplacian_of
from fewlabels.systems.matrix import MatrixSystem
from fewlabels.systems.operator import OperatorSystem
from fewlabels.systems.projections import Projections, projections_of
from fewlabels.systems.rows import Rows, in_order, padded_rows
from fewlabels.systems.shape import Shape, shape_of
from fewlabels.systems.walk import WalkSystem

__all__ = [
    "Block",
    "CoarsePicture",
    "Laplacian",
    "MatrixSystem",
    "OperatorSystem",
    "Projections",
    "Rows",
    "Shape",
    "System",
    "WalkSystem",
    "aggregates_of",
    "connected_aggregates",
    "green_system",
    "in_order",
    "laplacian_of",
    "padded_rows",
    "projections_of",
    "shape_of",
]
