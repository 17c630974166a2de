import numpy as np
import pytest
from scipy.optimize import approx_fprime

from fewlabels.interface import fit_network, network

RNG = np.random.default_rng(0)
A, X, Y = RNG.normal(size=(6, 50)) / 7, RNG.normal(size=(50, 3)), np.eye(4)[RNG.integers(4, size=6)]
WEIGHTS = RNG.uniform(0.5, 2.0, 6)


def by_formula(layers, X):
    first, second, bias = layers
    return np.maximum(np.column_stack([X, np.ones(len(X))]) @ first, 0.0) @ second + bias


def loss_of(f, ridge):
    return float((WEIGHTS[:, None] * (A @ f - Y) ** 2).sum() / len(Y) + ridge * (f**2).sum())


@pytest.mark.parametrize("rows", [7, 4096], ids=["blocks", "at once"])
def test_gradients_are_those_of_finite_differences(rows, monkeypatch):
    monkeypatch.setattr(network, "ROWS_AT_ONCE", rows)
    net = network._Network(X, 5, 4, 0)
    net.layers = tuple(layer.astype(np.float64) for layer in net.layers)
    slope = RNG.normal(size=(50, 4)).astype(np.float32)
    flat, sizes = np.concatenate([layer.ravel() for layer in net.layers]), [layer.size for layer in net.layers]

    def along(values):
        parts = np.split(values, np.cumsum(sizes)[:-1])
        layers = [part.reshape(layer.shape) for part, layer in zip(parts, net.layers, strict=True)]
        return float((by_formula(layers, X) * slope).sum())

    found = np.concatenate([gradient.ravel() for gradient in net.gradients(slope)])
    np.testing.assert_allclose(found, approx_fprime(flat, along, 1e-7), atol=2e-3)
    np.testing.assert_allclose(net.output(), by_formula(net.layers, X), atol=1e-5)


def test_steps_are_adams():
    values, m, v = np.array([1.0, -2.0]), np.zeros(2), np.zeros(2)
    expected, found = values.copy(), values.astype(np.float32)
    adam = network._Adam(found, 0.1)
    for t in range(1, 30):
        g = np.array([np.sin(t), 2.0 * np.cos(t)])
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        expected -= 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        adam.take(g.astype(np.float32))
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_a_wide_network_on_few_nodes_reaches_the_least_loss_of_any_term():
    ridge = 0.01
    S = np.diag(WEIGHTS) / len(Y)
    least = loss_of(np.linalg.solve(A.T @ S @ A + ridge * np.eye(50), A.T @ S @ Y), ridge)
    found = loss_of(fit_network(A, X, Y, WEIGHTS, ridge, hidden=200, epochs=2000), ridge)
    assert least <= found < 1.02 * least
    assert loss_of(fit_network(A, X, Y, WEIGHTS, ridge, hidden=200, epochs=5), ridge) > 1.1 * least


@pytest.mark.filterwarnings("error")
def test_steps_that_go_astray_leave_the_best_before_them():
    assert np.isfinite(fit_network(A, X, Y, WEIGHTS, 0.01, rate=1e30, epochs=20)).all()


def test_the_least_loss_that_was_seen_counts():
    wild = [loss_of(fit_network(A, X, Y, WEIGHTS, 0.01, rate=3.0, epochs=epochs), 0.01) for epochs in (1, 2, 5, 20, 40)]
    assert wild == sorted(wild, reverse=True)
