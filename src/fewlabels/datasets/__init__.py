"""Real data by name: labels, features and neighbours, from a folder of files."""

from fewlabels.datasets.folder import cache_folder, data_folder
from fewlabels.datasets.load import DATASETS, Dataset, base_of, load_dataset
from fewlabels.datasets.make import MODELS, make_features

__all__ = ["DATASETS", "MODELS", "Dataset", "base_of", "cache_folder", "data_folder", "load_dataset", "make_features"]
