"""Real data by name: labels, features and neighbours, from a folder of files."""

from fewlabels.datasets.folder import data_folder
from fewlabels.datasets.load import DATASETS, Dataset, load_dataset

__all__ = ["DATASETS", "Dataset", "data_folder", "load_dataset"]
