"""make_features: from raw images to the features and neighbours that load_dataset reads."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from fewlabels.datasets.images import load_images
from fewlabels.datasets.load import METRIC_OF
from fewlabels.datasets.vae import vae_features
from fewlabels.errors import FewlabelsError
from fewlabels.files import save_arrays
from fewlabels.neighbors import NeighborSearch
from fewlabels.progress import say
from fewlabels.spelling import known_names

__all__ = ["MODELS", "make_features"]

MODELS = ("vae", "pixels")
N_NEIGHBORS = 30
NAME = re.compile(r"[\w-][\w.-]{0,99}")


def make_features(name: str, model: str, source: Path, out: Path, *, epochs: int = 100, seed: int = 0) -> Path:
    """Write ``<name>_features.npz`` and ``<name>_knn.npz`` into `out` from the images of `source`; return the first.

    "vae" is the paper's autoencoder; "pixels" are the images themselves, divided by 255.
    """
    if model not in MODELS:
        raise FewlabelsError(f"--model {model!r} is not known; {known_names(model, MODELS)}.")
    if not NAME.fullmatch(name):
        raise FewlabelsError(f"{name!r} is no name of a data set; use letters, digits, - and _.")
    if not 0 <= seed < 2**31:
        raise FewlabelsError(f"--seed {seed} must lie between 0 and {2**31 - 1}.")
    if epochs < 1:
        raise FewlabelsError(f"--epochs {epochs} must be at least 1.")
    features, table = out / f"{name}_features.npz", out / f"{name}_knn.npz"
    progress = out / f"{name}_vae_progress.npz"
    for path in (features, table):
        if path.exists() and (path == features or model != "vae" or not progress.exists()):
            raise FewlabelsError(f"{path}: is there already; remove it, or name another folder with --out.")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FewlabelsError(f"{out}: cannot be made ({error.strerror}); choose another folder with --out.") from None
    images, y = load_images(source, name)
    Z = vae_features(images, progress, epochs=epochs, seed=seed) if model == "vae" else (images / np.float32(255.0))
    say(f"finding the {N_NEIGHBORS} nearest of {len(Z):,} points")
    NeighborSearch(Z, metric=METRIC_OF.get(name, "euclidean")).among_themselves(N_NEIGHBORS).save(table)
    save_arrays(features, {"Z": Z.astype(np.float32), "y": y})
    if model == "vae":
        progress.unlink(missing_ok=True)
    return features
