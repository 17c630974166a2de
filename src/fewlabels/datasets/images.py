"""Raw images: from the data folder, or from OpenML by scikit-learn's fetcher, checked before they count as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.files import digest, load_arrays, save_arrays
from fewlabels.progress import say

__all__ = ["load_images"]

OPENML = {"mnist": "mnist_784", "fashion-mnist": "Fashion-MNIST", "cifar-10": "CIFAR_10"}
SHAPES = {"mnist": (70_000, 784), "fashion-mnist": (70_000, 784), "cifar-10": (60_000, 3072)}
CHECKSUMS = {
    "mnist": "80a268344f5df334a1d62c643cbec9b308ba28d6163477f8c6c0132d53fe9f5e",
    "fashion-mnist": "84dadaf39cd3ad3a4690eff10763a9c19144dd620426f7971c60f1250bde8c00",
}
"""Of the images as published, training before test. OpenML has the same in the same order."""


def load_images(folder: Path, name: str) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return images, a row each, and their labels; download them into the folder if they are not there.

    A file dropped into the folder (``<name>_images.npz`` with arrays X and y) is taken as it is, if it has the shape of
    the data set. A download counts only when it is whole and its checksum is right.
    """
    path = folder / f"{name}_images.npz"
    if path.exists():
        arrays = load_arrays(path, "images X and labels y")
        if not {"X", "y"} <= arrays.keys():
            raise FewlabelsError(f"{path}: lacks the arrays X and y; save images and labels under these names.")
        return _checked(path, name, arrays["X"], arrays["y"])
    if name not in OPENML:
        raise FewlabelsError(f"{path}: no such file, and no download of {name!r} is known; put images X and y there.")
    X, y = _fetched(folder, name)
    images, labels = _checked(Path(f"OpenML's {OPENML[name]}"), name, X, y)
    wanted = CHECKSUMS.get(name)
    if wanted and digest({"X": images, "y": labels}) != wanted:
        raise FewlabelsError(f"the download of {name!r} is not the published data set; try again, or put {path} there.")
    save_arrays(path, {"X": images, "y": labels})
    return images, labels


def _fetched(folder: Path, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    from sklearn.datasets import fetch_openml

    say(f"downloading {OPENML[name]} from OpenML")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = fetch_openml(OPENML[name], version=1, as_frame=False, data_home=str(folder / "openml"), n_retries=1)
    except Exception as error:  # no network, a timeout, a cut-off file, a changed server: all mean the same here
        raise FewlabelsError(
            f"{name!r} could not be downloaded ({type(error).__name__}: {error}); try again with a connection, or put "
            f"{name}_images.npz with arrays X and y into {folder}."
        ) from None
    return np.asarray(found.data), np.asarray(found.target)


def _checked(source: Path, name: str, X: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    images = np.ascontiguousarray(X.reshape(len(X), -1)) if X.ndim > 1 and X.size else np.zeros((0, 0))
    with np.errstate(invalid="ignore"):
        whole = images.size and np.array_equal(images, images.astype(np.uint8))
    if not whole or y.dtype.kind not in "biuUOf":
        raise FewlabelsError(f"{source}: images must be whole numbers from 0 to 255, one image a row.")
    if images.shape != SHAPES.get(name, images.shape) or y.shape != (len(images),):
        raise FewlabelsError(
            f"{source}: images of shape {X.shape} and labels {y.shape} are not {name!r}; get them again."
        )
    try:
        return images.astype(np.uint8), y.astype(np.int64)
    except ValueError:
        raise FewlabelsError(f"{source}: the labels y are not numbers; number the classes from 0.") from None
