"""load_dataset: digits from scikit-learn; mnist, fashion-mnist and cifar-10 from the data folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.datasets.folder import data_folder
from fewlabels.errors import FewlabelsError
from fewlabels.files import digest, load_arrays
from fewlabels.graph import Graph
from fewlabels.labels import Seeds, draw
from fewlabels.neighbors import Neighbors, NeighborSearch

__all__ = ["DATASETS", "Dataset", "base_of", "load_dataset"]

DATASETS = ("digits", "mnist", "fashion-mnist", "cifar-10")
TITLES = {"digits": "digits", "mnist": "MNIST", "fashion-mnist": "FashionMNIST", "cifar-10": "CIFAR-10"}
METRIC_OF = {"cifar-10": "cosine"}
"""The metric of a data set where it is not Euclidean."""

AUTHORS = {
    "MNIST_vae": "mnist",
    "FashionMNIST_vae": "fashion-mnist",
    "cifar_aet": "cifar-10",
    "MNIST_vae2": "mnist",
}
"""The paper's own tables of neighbours, as they are published, and the data sets whose labels they share."""

N_NEIGHBORS = 10
UNBALANCED = "unbalanced"


def base_of(name: str) -> str:
    """Return the data set whose labels and draws a name shares.

    Examples
    --------
    >>> base_of("MNIST_vae"), base_of("digits")
    ('mnist', 'digits')
    """
    return AUTHORS.get(name, name)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Labelled points with their neighbours.

    Attributes
    ----------
    name : str
    y : ndarray of int, shape (n,)
    neighbors : Neighbors
        The nearest others of every point.
    features : ndarray, shape (n, d), or None
        None where only neighbours are at hand.
    draws : dict
        Fixed label draws by rate ("r1" ... "r5", "r100", "unbalanced"), where a file of them lies with the data.
    """

    name: str
    y: NDArray[np.int64]
    neighbors: Neighbors
    features: NDArray[Any] | None
    draws: dict[str, NDArray[np.int64]]

    @property
    def title(self) -> str:
        """The name as people write it."""
        return TITLES.get(self.name, self.name)

    @cached_property
    def graph(self) -> Graph:
        """The graph of the ten nearest neighbours, as the paper builds it."""
        return Graph.from_neighbors(self.neighbors, n_neighbors=min(N_NEIGHBORS, self.neighbors.n_neighbors))

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over labels, neighbours and fixed draws."""
        return digest({"y": self.y, "J": self.neighbors.indices, "D": self.neighbors.distances, **self.draws})

    def seeds(self, rate: str, t: int, *, sizes_told: bool = False) -> Seeds:
        """Return draw `t` of so many labels per class ("1", "100"), or of 1 and 5 in turn ("unbalanced").

        The true class sizes are the seeds' prior where they are told; for unbalanced draws they always are.

        A fixed draw where there is one, otherwise a random one that depends on `t` and the rate alone.

        Examples
        --------
        >>> load_dataset("digits").seeds("2", 0).size
        20
        """
        listed = self.draws.get(rate if rate == UNBALANCED else f"r{rate}")
        classes = int(self.y.max()) + 1
        prior = np.bincount(self.y) / self.y.size if sizes_told or rate == UNBALANCED else None
        if listed is not None and t < len(listed):
            nodes = listed[t]
        else:
            per_class = [5 if j % 2 else 1 for j in range(classes)] if rate == UNBALANCED else int(rate)
            number = 0 if rate == UNBALANCED else int(rate)
            nodes = draw(self.y, per_class, random_state=1_000_000 * number + t).indices
        return Seeds.from_classes(nodes, self.y[nodes], n_classes=classes, class_prior=prior)


def load_dataset(name: str) -> Dataset:
    """Return a data set by name: digits, mnist, fashion-mnist, cifar-10, or any whose files lie in the data folder.

    The files of the paper's authors, ``MNIST_vae.npz`` and the like, load by their own names.

    The folder (``FEWLABELS_DATA``, else the platform's cache folder) holds ``<name>_features.npz`` with arrays Z and y,
    ``<name>_knn.npz`` with J and D (neighbours and distances, the point itself first), and ``<name>_labels.npz`` with
    y; neighbours are computed from features where they are missing.

    Examples
    --------
    >>> load_dataset("digits").graph
    Graph(1,797 nodes, ... edges, 1 component)
    """
    folder = data_folder()
    features, y = _features_and_labels(folder, name)
    table = next((path for path in (folder / f"{name}_knn.npz", folder / f"{name}.npz") if path.exists()), None)
    if table is not None:
        neighbors = Neighbors.load(table)
    elif features is not None:
        neighbors = NeighborSearch(features, metric=METRIC_OF.get(name, "euclidean")).among_themselves(N_NEIGHBORS)
    else:
        raise FewlabelsError(_missing(folder, name))
    if y is None:
        raise FewlabelsError(f"{folder}: holds no labels of {name!r}; add {name}_labels.npz with an array y.")
    if neighbors.n_points != y.size or (features is not None and len(features) != y.size):
        raise FewlabelsError(f"{folder}: the files of {name!r} disagree about the number of points; make them again.")
    return Dataset(name, _class_numbers(folder, name, y), neighbors, features, _draws(folder, name, y.size))


def _class_numbers(folder: Path, name: str, y: NDArray[Any]) -> NDArray[np.int64]:
    """Return classes numbered from 0; every point of a data set has one."""
    if y.dtype.kind not in "biuUf" or (y.dtype.kind in "if" and not (np.isfinite(y) & (y >= 0)).all()):
        raise FewlabelsError(f"{folder}: labels of {name!r} are not a class for every point; number them from 0.")
    return np.asarray(np.unique(y, return_inverse=True)[1], dtype=np.int64)


def _features_and_labels(folder: Path, name: str) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
    features = y = None
    if (folder / f"{name}_features.npz").exists():
        arrays = load_arrays(folder / f"{name}_features.npz", "features Z and labels y")
        if "Z" not in arrays:
            raise FewlabelsError(
                f"{folder / f'{name}_features.npz'}: has no array Z; save the features under that name."
            )
        features, y = arrays["Z"].astype(np.float32), arrays.get("y")
    for labels in (folder / f"{each}_labels.npz" for each in (name, base_of(name))):
        if y is None and labels.exists():
            arrays = load_arrays(labels, "labels y")
            y = arrays.get("y", arrays.get("labels"))
    if y is None and base_of(name) != name:
        y = _features_and_labels(folder, base_of(name))[1]
    if features is None and name == "digits":
        from sklearn.datasets import load_digits

        features, y = load_digits(return_X_y=True)
    return features, y


def _draws(folder: Path, name: str, n: int) -> dict[str, NDArray[np.int64]]:
    for place in (folder, folder.parent / "reference"):
        path = next((p for each in (name, base_of(name)) if (p := place / f"draws_{each}.npz").exists()), None)
        if path is not None:
            listed = load_arrays(path, "label draws")
            return {rate: nodes for rate, nodes in listed.items() if nodes.ndim == 2 and nodes.max() < n}
    return {}


def _missing(folder: Path, name: str) -> str:
    return (
        f"data set {name!r} is not in {folder}; put {name}_features.npz or {name}_knn.npz there, set FEWLABELS_DATA to "
        f"the folder that has them (known names: {', '.join(DATASETS)}), or run fewlabels features {base_of(name)}."
    )
