"""The passes of a conjugate gradient step, compiled.

Every kernel works on a range of rows or aggregates and lets go of the interpreter, so that threads share the work.
Blocks are row-major with contiguous columns; sums are kept in double precision whatever the blocks are.
"""

from __future__ import annotations

import numpy as np

from fewlabels.compiled import compiled

__all__ = ["advance", "diffuse", "gather", "multiply", "propagate", "relax", "scatter"]

CHUNK = 64
"""Rows that are added up in the blocks' own precision before the sum goes on in double."""


@compiled
def multiply(first, last, starts, indptr, indices, data, shift, root, share, R, AP, sums, slopes):  # type: ignore[no-untyped-def]
    """V = shift R - S R and AP = V + share AP on the aggregates' rows; sums = Z'V, slopes += the columns' R'V.

    Rows of S have a multiple of four entries.
    """
    c = R.shape[1]
    row, few = np.zeros(c, dtype=R.dtype), np.zeros(c, dtype=R.dtype)
    for g in range(first, last):
        for q in range(c):
            sums[g, q] = 0
        for i in range(starts[g], starts[g + 1]):
            for q in range(c):
                row[q] = shift * R[i, q]
            for e in range(indptr[i], indptr[i + 1], 4):
                j0, j1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
                j2, j3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
                w0, w1, w2, w3 = data[e], data[e + 1], data[e + 2], data[e + 3]
                for q in range(c):
                    row[q] -= w0 * R[j0, q] + w1 * R[j1, q] + w2 * R[j2, q] + w3 * R[j3, q]
            s = root[i]
            for q in range(c):
                value = row[q]
                AP[i, q] = value + share[q] * AP[i, q]
                sums[g, q] += s * value
                few[q] += R[i, q] * value
            if i % CHUNK == 0:
                for q in range(c):
                    slopes[q] += few[q]
                    few[q] = 0
    for q in range(c):
        slopes[q] += few[q]


@compiled
def advance(  # type: ignore[no-untyped-def]
    first, last, starts, indptr, indices, data, root, length, share, lift, drop, X, R, P, AP, sums, squares
):
    """AP += A Z lift, P = R + Z lift + share P; then X += length P, R -= length AP + root drop.

    A Z, n x aggregates, is given in CSR form, its rows with a multiple of two entries. Leaves sums = Z'R, and adds the
    columns' R'R to squares.
    """
    c = R.shape[1]
    few = np.zeros(c, dtype=R.dtype)
    for g in range(first, last):
        for q in range(c):
            sums[g, q] = 0
        for i in range(starts[g], starts[g + 1]):
            for e in range(indptr[i], indptr[i + 1], 2):
                h0, h1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
                w0, w1 = data[e], data[e + 1]
                for q in range(c):
                    AP[i, q] += w0 * lift[h0, q] + w1 * lift[h1, q]
            s = root[i]
            for q in range(c):
                step = R[i, q] + s * lift[g, q] + share[q] * P[i, q]
                P[i, q] = step
                X[i, q] += length[q] * step
                value = R[i, q] - length[q] * AP[i, q] - s * drop[g, q]
                R[i, q] = value
                sums[g, q] += s * value
                few[q] += value * value
            if i % CHUNK == 0:
                for q in range(c):
                    squares[q] += few[q]
                    few[q] = 0
    for q in range(c):
        squares[q] += few[q]


@compiled
def diffuse(first, last, indptr, indices, data, twice, share, now, before, total):  # type: ignore[no-untyped-def]
    """Take a step of the Chebyshev recurrence, before = twice M now - before (or M now), and total += share before.

    On a range of rows, which have a multiple of four entries.
    """
    c = now.shape[1]
    row = np.zeros(c, dtype=now.dtype)
    for i in range(first, last):
        for q in range(c):
            row[q] = 0
        for e in range(indptr[i], indptr[i + 1], 4):
            j0, j1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            j2, j3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
            w0, w1, w2, w3 = data[e], data[e + 1], data[e + 2], data[e + 3]
            for q in range(c):
                row[q] += w0 * now[j0, q] + w1 * now[j1, q] + w2 * now[j2, q] + w3 * now[j3, q]
        for q in range(c):
            value = row[q] + row[q] - before[i, q] if twice else row[q]
            before[i, q] = value
            total[i, q] += share * value


@compiled
def gather(first, last, order, scale, unit, B, R):  # type: ignore[no-untyped-def]
    """R[i] = scale[i] unit B[order[i]]: into the order of the aggregates."""
    for i in range(first, last):
        j = order[i]
        for q in range(B.shape[1]):
            R[i, q] = scale[i] * unit[q] * B[j, q]


@compiled
def scatter(first, last, order, scale, unit, X, out):  # type: ignore[no-untyped-def]
    """out[order[i]] = scale[i] unit X[i]: back into the order of the graph."""
    for i in range(first, last):
        j = order[i]
        for q in range(out.shape[1]):
            out[j, q] = scale[i] * unit[q] * X[i, q]


@compiled
def relax(indptr, indices, share, free, mean_share, over, u):  # type: ignore[no-untyped-def]
    """One Gauss-Seidel sweep of the game-theoretic p-Laplacian over the free nodes; return the largest change.

    Every change is made `over` times as large. Rows have a multiple of four entries, spare ones of no share pointing to
    a neighbour.
    """
    c = u.shape[1]
    low, high, mean = np.empty(c, dtype=u.dtype), np.empty(c, dtype=u.dtype), np.empty(c, dtype=u.dtype)
    half, change = (u.dtype.type(1) - mean_share) / u.dtype.type(2), u.dtype.type(0)
    for r in range(free.size):
        i = free[r]
        j = np.uint64(indices[indptr[i]])
        for q in range(c):
            low[q] = u[j, q]
            high[q] = u[j, q]
            mean[q] = 0
        for e in range(indptr[i], indptr[i + 1], 4):
            j0, j1 = np.uint64(indices[e]), np.uint64(indices[e + 1])
            j2, j3 = np.uint64(indices[e + 2]), np.uint64(indices[e + 3])
            w0, w1, w2, w3 = share[e], share[e + 1], share[e + 2], share[e + 3]
            for q in range(c):
                x0, x1, x2, x3 = u[j0, q], u[j1, q], u[j2, q], u[j3, q]
                mean[q] += w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3
                least, most = x0 if x0 < x1 else x1, x0 if x0 > x1 else x1
                least, most = x2 if x2 < least else least, x2 if x2 > most else most
                least, most = x3 if x3 < least else least, x3 if x3 > most else most
                low[q] = least if least < low[q] else low[q]
                high[q] = most if most > high[q] else high[q]
        for q in range(c):
            step = over * (mean_share * mean[q] + half * (low[q] + high[q]) - u[i, q])
            change = max(change, abs(step))
            u[i, q] += step
    return change


@compiled
def propagate(first, last, indptr, indices, weights, pace, v, u, F, v_next):  # type: ignore[no-untyped-def]
    """Do a primal-dual step: F_ij = clip(F_ij - (v_j - v_i)/2), then u_i -= pace_i sum_j w_ij F_ij.

    Every node keeps the flows of its own edges, so that a range of nodes needs nothing of another but v. Leaves
    v_next = 2 u - (u before).
    """
    c = u.shape[1]
    one, half = u.dtype.type(1.0), u.dtype.type(0.5)
    out, at = np.zeros(c, dtype=u.dtype), np.zeros(c, dtype=u.dtype)
    for i in range(first, last):
        for q in range(c):
            out[q] = 0
            at[q] = half * v[i, q]
        for e in range(indptr[i], indptr[i + 1]):
            j = np.uint64(indices[e])
            w = weights[e]
            for q in range(c):
                flow = F[e, q] - half * v[j, q] + at[q]
                flow = flow if flow > -one else -one
                flow = flow if flow < one else one
                F[e, q] = flow
                out[q] += w * flow
        for q in range(c):
            before = u[i, q]
            u[i, q] = before - pace[i] * out[q]
            v_next[i, q] = 2 * u[i, q] - before
