"""The paper's features: the mean of a variational autoencoder's latent, 784-400-20, trained on the images."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.extras import optional
from fewlabels.files import digest, load_arrays, save_arrays
from fewlabels.progress import track

__all__ = ["vae_features"]

HIDDEN, LATENT, BATCH, LEARNING_RATE = 400, 20, 128, 1e-3


def vae_features(images: NDArray[np.uint8], progress: Path, *, epochs: int = 100, seed: int = 0) -> NDArray[np.float32]:
    """Train for some epochs and return the latent means; every epoch is saved to `progress`, so that a run can resume.

    The order of the images and the noise of an epoch depend on `seed` and its number alone: a run that was interrupted
    ends with the features of one that was not.
    """
    torch = optional("torch", extra="torch", what="the autoencoder")
    identity = digest({"images": images})[:16]
    inputs = torch.tensor(images, dtype=torch.float32) / 255.0
    network = _Autoencoder(torch, images.shape[1], seed)
    done = 0
    if progress.exists():
        done = _resume(network, progress, identity, seed)
        if done > epochs:
            raise FewlabelsError(f"{progress}: has {done} epochs already; ask for as many, or remove it to start anew.")
    for epoch in track(range(done, epochs), "epochs"):
        network.train(inputs, torch.Generator().manual_seed(1_000_003 * seed + epoch))
        told = {"epochs": np.array(epoch + 1), "seed": np.array(seed), "images": np.array(identity)}
        save_arrays(progress, {**told, **network.arrays()}, compress=False)
    with torch.no_grad():
        return np.concatenate([network.encode(part)[0].numpy() for part in inputs.split(10_000)])


class _Autoencoder:
    """The weights of the network and the state of its optimiser, which go to a file and back as plain arrays."""

    def __init__(self, torch: ModuleType, pixels: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        sizes = {"in": (pixels, HIDDEN), "mean": (HIDDEN, LATENT), "log_variance": (HIDDEN, LATENT)}
        sizes |= {"out": (LATENT, HIDDEN), "image": (HIDDEN, pixels)}
        self._torch = torch
        self._weights: dict[str, Any] = {}
        for name, (rows, columns) in sizes.items():
            bound = 1.0 / np.sqrt(rows)
            for part, shape in ((name, (rows, columns)), (f"{name}_bias", (columns,))):
                values = torch.tensor(rng.uniform(-bound, bound, shape), dtype=torch.float32)
                self._weights[part] = values.requires_grad_()
        self._adam = torch.optim.Adam(self._weights.values(), lr=LEARNING_RATE)

    def encode(self, x: Any) -> tuple[Any, Any]:
        """Return the mean and the log-variance of the latent of some images."""
        hidden = self._torch.relu(self._layer("in", x))
        return self._layer("mean", hidden), self._layer("log_variance", hidden)

    def _layer(self, name: str, x: Any) -> Any:
        return x @ self._weights[name] + self._weights[f"{name}_bias"]

    def train(self, inputs: Any, generator: Any) -> None:
        """Go once through the images, a step on the evidence lower bound for each batch."""
        torch = self._torch
        for batch in torch.randperm(len(inputs), generator=generator).split(BATCH):
            x = inputs[batch]
            mean, log_variance = self.encode(x)
            z = mean + torch.exp(0.5 * log_variance) * torch.randn(mean.shape, generator=generator)
            logits = self._layer("image", torch.relu(self._layer("out", z)))
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, x, reduction="sum")
            loss = loss - 0.5 * (1 + log_variance - mean**2 - torch.exp(log_variance)).sum()
            self._adam.zero_grad()
            loss.backward()
            self._adam.step()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights and, for each, the two moments and the count of steps that Adam keeps after a step."""
        arrays = {f"weights {name}": values.detach().numpy() for name, values in self._weights.items()}
        kept = self._adam.state_dict()["state"]
        for place, name in enumerate(self._weights):
            arrays |= {f"{part} {name}": values.numpy() for part, values in kept[place].items()}
        return arrays

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Go on from what :meth:`arrays` returned; a missing array is a KeyError."""
        torch = self._torch
        with torch.no_grad():
            for name, values in self._weights.items():
                values.copy_(torch.tensor(arrays[f"weights {name}"]))
        state = self._adam.state_dict()
        state["state"] = {
            place: {part: torch.tensor(arrays[f"{part} {name}"]) for part in ("step", "exp_avg", "exp_avg_sq")}
            for place, name in enumerate(self._weights)
        }
        self._adam.load_state_dict(state)


def _resume(network: _Autoencoder, progress: Path, identity: str, seed: int) -> int:
    """Put the network into the state of a file, and return how many epochs it has been trained."""
    arrays = load_arrays(progress, "a training in progress")
    other = FewlabelsError(f"{progress}: belongs to other images or another seed; remove it to start anew.")
    if str(arrays.get("images")) != identity or int(arrays.get("seed", -1)) != seed:
        raise other
    try:
        network.restore(arrays)
        return int(arrays["epochs"])
    except KeyError:
        raise other from None
