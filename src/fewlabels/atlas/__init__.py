"""A map of all points in the plane, drawn from the graph: for looking at, never for labelling."""

from fewlabels.atlas.maps import drawing, plane_of
from fewlabels.atlas.store import load_plane, save_plane

__all__ = ["drawing", "load_plane", "plane_of", "save_plane"]
