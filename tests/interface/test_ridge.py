import numpy as np
import pytest

from fewlabels.interface import fit_ridge


def test_the_default_target_is_what_labels_say_of_each_other():
    rng = np.random.default_rng(0)
    for _ in range(5):
        codes = np.repeat([0, 1, 2, 3], [4, 3, 2, 1])
        Y, weights, m = np.eye(4)[codes], rng.uniform(0.5, 2.0, codes.size), codes.size
        features = rng.normal(size=(m, 30)) + 2.0 * rng.normal(size=(4, 30))[codes] * rng.uniform(0, 1)
        K = features @ features.T
        usual = fit_ridge(K, Y, weights).ridge
        wrong = 0.0
        for i in range(m):
            rest = np.delete(np.arange(m), i)
            alpha = np.linalg.solve(K[np.ix_(rest, rest)] + m * usual * np.diag(1 / weights[rest]), Y[rest])
            wrong += ((K[i, rest] @ alpha).argmax() != codes[i]) * (1 - 1 / np.sum(codes == codes[i]) ** 2)
        share = (wrong + 10 * 0.2) / (9 + 10)
        fit = fit_ridge(K, Y, weights, by_labels=True)
        assert fit.mse == pytest.approx(share * float((weights[:, None] * Y**2).sum()) / m)
        ridges = [
            fit_ridge(K, Y, weights, target_mse=fit.mse * by).ridge for by in (2 ** (-10 / 19), 1, 2 ** (10 / 19))
        ]
        terms = [np.linalg.solve(K + m * ridge * np.diag(1 / weights), Y) for ridge in ridges]
        sizes = [np.sqrt(np.trace(alpha.T @ K @ alpha)) for alpha in terms]
        expected = sum(alpha / size for alpha, size in zip(terms, sizes, strict=True)) / sum(1 / size for size in sizes)
        np.testing.assert_allclose(fit.coefficients, expected, rtol=1e-6, atol=1e-9)
