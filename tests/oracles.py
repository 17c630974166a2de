"""The formulas, written densely from the paper and from nothing else."""

import numpy as np


def laplacian(W):
    return np.diag(W.sum(axis=1)) - W


def component_projection(components):
    """J, which removes the mean over each component."""
    same = (components[:, None] == components[None, :]).astype(float)
    return np.eye(components.size) - same / same.sum(axis=1, keepdims=True)


def series_matrix(W, J, T):
    """A = sum_{i<T} J (D^-1 W J)^i D^-1, step by step as printed."""
    d = W.sum(axis=1)
    inverse = np.divide(1.0, d, out=np.zeros_like(d), where=d > 0)
    step = (inverse[:, None] * W) @ J
    total, power = np.zeros_like(W), np.eye(len(W))
    for _ in range(T):
        total += J @ power
        power = power @ step
    return total * inverse[None, :]


def limit_matrix(W, J):
    """What A tends to: J D^-1/2 (I - D^-1/2 W D^-1/2)^+ D^-1/2."""
    d = W.sum(axis=1)
    root = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    normal = np.diag((d > 0).astype(float)) - root[:, None] * W * root[None, :]
    return J @ (root[:, None] * np.linalg.pinv(normal, rcond=1e-12, hermitian=True) * root[None, :])


def limit(graph):
    """The same for a graph, the mean removed over each of its components."""
    return limit_matrix(graph.weights.toarray(), component_projection(graph.components))


def interface_laplace(A, train, Y, interface, ridge, s=None):
    """f = A~' (A~ A~' + m lambda S^-1)^-1 y on the interface, u = A f: the paper's explicit solution."""
    m = len(train)
    s = np.ones(m) if s is None else s
    rows = A[np.ix_(train, interface)]
    f = np.zeros((A.shape[0], Y.shape[1]))
    f[interface] = rows.T @ np.linalg.solve(rows @ rows.T + m * ridge * np.diag(1 / s), Y)
    return A @ f, f


def label_error(A, train, Y, interface, ridge, s=None):
    """(1/m) sum_i s_i |u(x_i) - y_i|^2 after the fit."""
    u, _ = interface_laplace(A, train, Y, interface, ridge, s)
    s = np.ones(len(train)) if s is None else s
    return float((s[:, None] * (u[train] - Y) ** 2).sum() / len(train))


def khop_interface(W, train, k):
    """The paper's listing get_interface_idx, in plain sets."""
    if k == -1:
        return np.arange(len(W))
    near = set(train)
    for _ in range(k):
        near |= {int(j) for i in near for j in np.flatnonzero(W[i])}
    return np.array(sorted(set(range(len(W))) - near))


def laplace_learning(W, train, Y, order=1):
    """u = Y on the labels, L^order u = 0 elsewhere, by the block formula."""
    L = np.linalg.matrix_power(laplacian(W), order)
    free = np.setdiff1d(np.arange(len(W)), train)
    u = np.zeros((len(W), Y.shape[1]))
    u[train] = Y
    u[free] = np.linalg.solve(L[np.ix_(free, free)], -L[np.ix_(free, train)] @ Y)
    return u


def poisson_reweighted(W, train, Y, tau=0.0):
    """Laplace learning on w_i w_j W_ij, L w = counts - mean, w from 1e-5 to 1 + 1e-5, tau mean degrees added."""
    counts = np.zeros(len(W))
    counts[train] = 1
    w = np.linalg.pinv(laplacian(W)) @ (counts - counts.mean())
    w = (w - w.min()) / (w.max() - w.min()) + 1e-5
    heavier = w[:, None] * W * w
    free = np.setdiff1d(np.arange(len(W)), train)
    A = laplacian(heavier) + tau * heavier.sum() / len(W) * np.eye(len(W))
    u = np.zeros((len(W), Y.shape[1]))
    u[train] = Y
    u[free] = np.linalg.solve(A[np.ix_(free, free)], -A[np.ix_(free, train)] @ Y)
    return u


def mixing_time(W, train, fewest=100, most=1000):
    n = len(W)
    d = W.sum(axis=1)
    p, target = np.zeros(n), d / d.sum()
    p[train] = 1 / len(train)
    T = 0
    while T < most and (T < fewest or np.abs(p - target).max() > 1 / n):
        p = W @ (p / d)
        T += 1
    return T


def nearest_neighbors(X, k):
    """Every distance, sorted; the point itself left out."""
    distances = np.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))
    np.fill_diagonal(distances, np.inf)
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(distances, order, axis=1)


def normal_laplacian(W):
    d = W.sum(axis=1)
    root = np.divide(1.0, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    return np.diag((d > 0).astype(float)) - root[:, None] * W * root[None, :]


def random_walk(W, train, Y, a=0.95):
    padded = np.zeros((len(W), Y.shape[1]))
    padded[train] = Y
    return np.linalg.solve((1 - a) * np.eye(len(W)) + a * normal_laplacian(W), padded)


def wnll(W, train, Y):
    A = np.ones(len(W))
    A[train] = len(W) / len(train)
    return laplace_learning(A[:, None] * W + W * A[None, :], train, Y)


def centered_kernel(W, train, Y, margin=1.05):
    """The iteration itself, run to its fixed point."""
    n = len(W)
    J = np.eye(n) - 1 / n
    A = J @ W @ J
    alpha = margin * np.abs(np.linalg.eigvalsh(A)).max()
    centred = Y - Y.mean(axis=0)
    u = np.zeros((n, Y.shape[1]))
    u[train] = centred
    for _ in range(3000):
        u = A @ u / alpha
        u[train] = centred
    return u


def sparse_label_propagation(W, train, Y, steps=100):
    """Flows in both directions of every edge, as the formula has them."""
    n, c = len(W), Y.shape[1]
    d = W.sum(axis=1)
    out = np.zeros((n, c))
    for k in range(c):
        u = np.zeros(n)
        u[train] = Y[:, k]
        F = np.zeros((n, n))
        for _ in range(steps):
            old = u
            div = 0.5 * (W * (F - F.T)).sum(axis=1)
            u = old - 2 * np.divide(div, d, out=np.zeros(n), where=d > 0)
            u[train] = Y[:, k]
            v = 2 * u - old
            F = np.clip(F - (v[None, :] - v[:, None]) / 2, -1, 1) * (W > 0)
        out[:, k] = u
    return out


def variance_poisson(W, train, Y, fraction):
    d = W.sum(axis=1)
    v = fraction * np.sort(np.linalg.eigvalsh(normal_laplacian(W)))[1]
    b = np.zeros((len(W), Y.shape[1]))
    b[train] = Y - Y.mean(axis=0)
    M = laplacian(W) - v * (np.diag(d) - np.outer(d, d) / d.sum())
    u = np.linalg.pinv(M, rcond=1e-12, hermitian=True) @ b
    return u - d @ u / d.sum()


def mbo(W, train, Y, start, modes, rounds, steps, dt, mu):
    values, X = np.linalg.eigh(normal_laplacian(W))
    values, X = values[:modes], X[:, :modes]
    mask, padded = np.zeros((len(W), 1)), np.zeros((len(W), Y.shape[1]))
    mask[train], padded[train] = 1, Y
    u = start.copy()
    for _ in range(rounds):
        for _ in range(steps):
            u = X @ np.diag(1 / (1 + dt / steps * values)) @ X.T @ (u - dt / steps * mu * mask * (u - padded))
        u = np.eye(Y.shape[1])[u.argmax(axis=1)]
    return u


def graph_distance(lengths, train):
    """Floyd and Warshall; the distance of every node to each labelled one."""
    D = np.where(lengths > 0, lengths, np.inf)
    np.fill_diagonal(D, 0)
    for k in range(len(D)):
        D = np.minimum(D, D[:, k : k + 1] + D[k : k + 1, :])
    return D[:, train]


def one_hot(codes, c):
    return np.eye(c)[codes]
