"""The interface term as the output of a small network on the features (the paper's appendix A.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fewlabels.progress import track

__all__ = ["fit_network"]

Block = NDArray[np.float64]
Single = NDArray[np.float32]

ROWS_AT_ONCE = 4096
"""Nodes whose hidden layer is worked out together, so that it is in a core's cache when it is multiplied."""

DECAYS, EPSILON = (0.9, 0.999), 1e-8
"""Adam's: of its means of the gradient and of its square, and what is added to the root of the latter."""


def fit_network(
    A: Block,
    X: Block,
    Y: Block,
    weights: NDArray[np.float64],
    ridge: float,
    hidden: int = 64,
    rate: float = 0.01,
    epochs: int = 1000,
    random_state: int = 0,
) -> Block:
    """Minimise (1/m) |S^1/2 (A f(X) - Y)|^2 + lambda |f(X)|^2 over the weights of a 2-layer ReLU network f, by Adam.

    Parameters
    ----------
    A : ndarray, shape (m, interface)
        What each label sees of each interface node.
    X : ndarray, shape (interface, features)
        Features of the interface nodes; they are brought to mean zero and variance one.
    Y : ndarray, shape (m, c)
    weights : ndarray, shape (m,)
        S, how much each label counts.
    ridge : float
        lambda.

    Returns
    -------
    ndarray, shape (interface, c)
        f(X) at the least loss that was seen.
    """
    deviation = X.std(axis=0)
    scaled = (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    network = _Network(scaled, hidden, Y.shape[1], random_state)
    seen, wanted = A.astype(np.float32), Y.astype(np.float32)
    counts = (weights[:, None] / len(Y)).astype(np.float32)
    steps = [_Adam(each, rate) for each in network.layers]
    least, best = np.inf, network.copies()
    with np.errstate(over="ignore", invalid="ignore"):  # steps that go astray have no smaller loss
        for _ in track(range(epochs), "training the interface network"):
            f = network.output()
            left = seen @ f - wanted
            loss = float((counts * left**2).sum()) + ridge * float(np.vdot(f, f))
            if loss < least:
                least, best = loss, network.copies()
            slope = seen.T @ (2.0 * counts * left)
            slope += np.float32(2.0 * ridge) * f
            for step, gradient in zip(steps, network.gradients(slope), strict=True):
                step.take(gradient)
    network.layers = best
    return network.output().astype(np.float64)


class _Network:
    """Two layers with biases; that of the first is the last row of its weights."""

    def __init__(self, X: Block, hidden: int, outputs: int, random_state: int) -> None:
        rng = np.random.default_rng(random_state)
        first, first_bias, second, second_bias = (
            rng.uniform(-bound, bound, shape).astype(np.float32)
            for inputs, width in ((X.shape[1], hidden), (hidden, outputs))
            for bound in (1.0 / np.sqrt(inputs),)
            for shape in ((inputs, width), (1, width))
        )
        self.layers: tuple[Single, ...] = (np.vstack([first, first_bias]), second, second_bias)
        self._inputs = np.column_stack([X, np.ones(len(X))]).astype(np.float32)
        self._hidden = np.empty((min(len(X), ROWS_AT_ONCE), hidden), dtype=np.float32)

    def copies(self) -> tuple[Single, ...]:
        """Return copies of the layers."""
        return tuple(layer.copy() for layer in self.layers)

    def output(self) -> Single:
        """Return f(X)."""
        _, second, bias = self.layers
        f = np.empty((len(self._inputs), bias.size), dtype=np.float32)
        for some, h in self._passes():
            np.matmul(h, second, out=f[some])
        f += bias
        return f

    def gradients(self, slope: Single) -> tuple[Single, ...]:
        """Return the gradients of a loss by the layers; `slope` is that by f(X)."""
        first, second, _ = (np.zeros_like(layer) for layer in self.layers)
        for some, h in self._passes():
            second += h.T @ slope[some]
            back = slope[some] @ self.layers[1].T
            back *= h > 0
            first += self._inputs[some].T @ back
        return first, second, np.ones((1, len(slope)), dtype=np.float32) @ slope

    def _passes(self) -> Iterator[tuple[slice, Single]]:
        """Yield blocks of rows with their hidden layer, which the next one overwrites."""
        for start in range(0, len(self._inputs), ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            inputs = self._inputs[some]
            h = self._hidden[: len(inputs)]
            np.matmul(inputs, self.layers[0], out=h)
            np.maximum(h, 0.0, out=h)
            yield some, h


class _Adam:
    """Steps of Adam for one array, which it changes in place."""

    def __init__(self, values: Single, rate: float) -> None:
        self._values, self._rate, self._taken = values, rate, 0
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)

    def take(self, gradient: Single) -> None:
        """Take a step."""
        self._taken += 1
        keep_mean, keep_square = DECAYS
        self._mean += (1.0 - keep_mean) * (gradient - self._mean)
        self._square += (1.0 - keep_square) * (gradient**2 - self._square)
        size = np.sqrt(self._square / (1.0 - keep_square**self._taken)) + EPSILON
        self._values -= self._rate / (1.0 - keep_mean**self._taken) * self._mean / size
