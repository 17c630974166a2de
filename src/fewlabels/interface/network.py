"""The interface term as the output of a small network on the features (the paper's appendix A.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fewlabels.extras import optional
from fewlabels.progress import track

__all__ = ["fit_network"]

Block = NDArray[np.float64]


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
    torch = optional("torch", extra="torch", what="the network-parametrised term")
    rng = np.random.default_rng(random_state)

    def layer(inputs: int, outputs: int) -> list[object]:
        bound = 1.0 / np.sqrt(inputs)
        shapes = (inputs, outputs), (outputs,)
        return [torch.tensor(rng.uniform(-bound, bound, s), dtype=torch.float32, requires_grad=True) for s in shapes]

    deviation = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    seen, inputs, wanted, counts = (torch.tensor(a, dtype=torch.float32) for a in (A, X, Y, weights[:, None]))
    parameters = layer(X.shape[1], hidden) + layer(hidden, Y.shape[1])
    steps = torch.optim.Adam(parameters, lr=rate)
    least, best = np.inf, np.zeros((X.shape[0], Y.shape[1]))
    for _ in track(range(epochs), "training the interface network"):
        first, first_bias, second, second_bias = parameters
        f = torch.addmm(second_bias, torch.relu_(torch.addmm(first_bias, inputs, first)), second)
        loss = (counts * (seen @ f - wanted) ** 2).sum() / len(Y) + ridge * torch.dot(f.view(-1), f.view(-1))
        if loss.item() < least:
            least, best = loss.item(), f.detach().numpy().astype(np.float64)
        steps.zero_grad()
        loss.backward()
        steps.step()
    return best
