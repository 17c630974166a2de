"""The paper's features: the mean of a variational autoencoder's latent, 784-400-20, trained on the images."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.extras import torch_for
from fewlabels.files import digest, load_arrays, save_arrays
from fewlabels.progress import track

__all__ = ["vae_features"]

HIDDEN, LATENT, BATCH, RATE = 400, 20, 128, 1e-3


def vae_features(images: NDArray[np.uint8], progress: Path, epochs: int = 100, seed: int = 0) -> NDArray[np.float32]:
    """Train for some epochs and return the latent means; every epoch is kept in `progress`, so that a run can go on.

    The order of the images and the noise of an epoch depend on `seed` and its number alone: a run that was interrupted
    ends with the features of one that was not.
    """
    torch = torch_for("the autoencoder")
    identity = digest({"images": images})[:16]
    inputs = torch.tensor(images, dtype=torch.float32) / 255.0
    state = _started(torch, images.shape[1], seed)
    done = 0
    if progress.exists():
        done = _restored(torch, progress, state, identity, seed)
        if done > epochs:
            raise FewlabelsError(f"{progress}: has {done} epochs already; ask for as many, or remove it to start anew.")
    for epoch in track(range(done, epochs), "epochs"):
        _train(torch, inputs, state, seed, epoch)
        save_arrays(progress, _stored(state, identity, seed, epoch + 1), compress=False)
    with torch.no_grad():
        weights = state["weights"]
        return np.concatenate([_encode(torch, weights, part)[0].numpy() for part in inputs.split(10_000)])


def _started(torch: ModuleType, pixels: int, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    sizes = {"in": (pixels, HIDDEN), "mean": (HIDDEN, LATENT), "spread": (HIDDEN, LATENT)}
    sizes |= {"out": (LATENT, HIDDEN), "image": (HIDDEN, pixels)}
    weights = {}
    for name, (rows, columns) in sizes.items():
        bound = 1.0 / np.sqrt(rows)
        for part, shape in ((name, (rows, columns)), (f"{name}_bias", (columns,))):
            values = torch.tensor(rng.uniform(-bound, bound, shape), dtype=torch.float32)
            weights[part] = values.requires_grad_()
    zeros = {name: torch.zeros_like(values) for name, values in weights.items()}
    return {
        "weights": weights,
        "first": zeros,
        "second": {name: values.clone() for name, values in zeros.items()},
        "steps": 0,
    }


def _encode(torch: ModuleType, w: dict[str, Any], x: Any) -> tuple[Any, Any]:
    hidden = torch.relu(x @ w["in"] + w["in_bias"])
    return hidden @ w["mean"] + w["mean_bias"], hidden @ w["spread"] + w["spread_bias"]


def _train(torch: ModuleType, inputs: Any, state: dict[str, Any], seed: int, epoch: int) -> None:
    """Go once through the images, with Adam's steps on the evidence lower bound."""
    chance = torch.Generator().manual_seed(1_000_003 * seed + epoch)
    weights = state["weights"]
    for batch in torch.randperm(len(inputs), generator=chance).split(BATCH):
        x = inputs[batch]
        mean, spread = _encode(torch, weights, x)
        z = mean + torch.exp(0.5 * spread) * torch.randn(mean.shape, generator=chance)
        hidden = torch.relu(z @ weights["out"] + weights["out_bias"])
        logits = hidden @ weights["image"] + weights["image_bias"]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, x, reduction="sum")
        loss = loss - 0.5 * (1 + spread - mean**2 - torch.exp(spread)).sum()
        gradients = torch.autograd.grad(loss, list(weights.values()))
        state["steps"] += 1
        with torch.no_grad():
            for name, gradient in zip(weights, gradients, strict=True):
                first, second = state["first"][name], state["second"][name]
                first.mul_(0.9).add_(gradient, alpha=0.1)
                second.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
                size = (second / (1 - 0.999 ** state["steps"])).sqrt_().add_(1e-8)
                weights[name].addcdiv_(first, size, value=-RATE / (1 - 0.9 ** state["steps"]))


def _stored(state: dict[str, Any], identity: str, seed: int, epochs: int) -> dict[str, NDArray[Any]]:
    arrays = {"epochs": np.array(epochs), "steps": np.array(state["steps"]), "seed": np.array(seed)}
    arrays["images"] = np.array(identity)
    for kind in ("weights", "first", "second"):
        arrays |= {f"{kind} {name}": values.detach().numpy() for name, values in state[kind].items()}
    return arrays


def _restored(torch: ModuleType, progress: Path, state: dict[str, Any], identity: str, seed: int) -> int:
    arrays = load_arrays(progress, "a training in progress")
    names = {f"{kind} {name}" for kind in ("weights", "first", "second") for name in state[kind]}
    if str(arrays.get("images")) != identity or int(arrays.get("seed", -1)) != seed or not names <= arrays.keys():
        raise FewlabelsError(f"{progress}: belongs to other images or another seed; remove it to start anew.")
    for kind in ("weights", "first", "second"):
        for name in state[kind]:
            state[kind][name] = torch.tensor(arrays[f"{kind} {name}"]).requires_grad_(kind == "weights")
    state["steps"] = int(arrays["steps"])
    return int(arrays["epochs"])
