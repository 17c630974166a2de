"""Beyond one machine: the same labels on a Dask cluster, rows in blocks all the way (extra 'dask')."""

from fewlabels.distributed.labelling import ClusterAnswer, Settings, label

__all__ = ["ClusterAnswer", "Settings", "label"]
