"""Files people bring: features, labels and results as .npy, .npz, .csv or .parquet."""

from fewlabels.tabular.columns import Asked
from fewlabels.tabular.feature_file import FeatureFile, read_features
from fewlabels.tabular.label_file import GivenLabels, read_labels
from fewlabels.tabular.results import check_destination, write_result, write_rows

__all__ = [
    "Asked",
    "FeatureFile",
    "GivenLabels",
    "check_destination",
    "read_features",
    "read_labels",
    "write_result",
    "write_rows",
]
