import numpy as np
import pytest

from fewlabels.interface.term import gram, interface_term


@pytest.fixture(params=[2, 100], autouse=True)
def _rows_at_once(request, monkeypatch):
    monkeypatch.setattr("fewlabels.interface.term.ROWS_AT_ONCE", request.param)


def test_the_gram_matrix_sums_over_the_interface_alone():
    G, interface = np.random.default_rng(0).normal(size=(9, 3)), np.array([1, 4, 7])
    np.testing.assert_allclose(gram(G, interface), sum(np.outer(G[i], G[i]) for i in interface))


def test_the_term_has_the_size_that_the_gram_matrix_tells():
    rng = np.random.default_rng(0)
    G, interface, alpha = rng.normal(size=(9, 3)), np.array([1, 4, 7]), rng.normal(size=(3, 2))
    term = interface_term(G, interface, alpha)
    np.testing.assert_allclose(term.T @ term, alpha.T @ gram(G, interface) @ alpha)
    np.testing.assert_allclose(term, G[interface] @ alpha)


def test_some_labels_have_the_columns_of_their_own():
    rng = np.random.default_rng(1)
    G, interface, some, alpha = rng.normal(size=(9, 3)), np.array([1, 4]), np.array([0, 2]), rng.normal(size=(2, 2))
    np.testing.assert_allclose(gram(G, interface, some), gram(G[:, some], interface))
    np.testing.assert_allclose(interface_term(G, interface, alpha, some), G[interface][:, some] @ alpha)
