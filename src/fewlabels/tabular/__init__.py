"""Files people bring: features, labels and results as .npy, .npz, .csv or .parquet."""

from fewlabels.tabular.feature_file import FeatureFile, read_features
from fewlabels.tabular.inputs import STANDARD, from_standard_input
from fewlabels.tabular.label_file import GivenLabels, read_labels
from fewlabels.tabular.results import check_destination, write_result, write_rows, write_table
from fewlabels.tabular.roles import Asked
from fewlabels.tabular.units import units_sentence

__all__ = [
    "STANDARD",
    "Asked",
    "FeatureFile",
    "GivenLabels",
    "check_destination",
    "from_standard_input",
    "read_features",
    "read_labels",
    "units_sentence",
    "write_result",
    "write_rows",
    "write_table",
]
