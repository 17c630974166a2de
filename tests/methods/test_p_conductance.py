import numpy as np
import pytest
from gallery import CONNECTED, GALLERY, ring_of_blobs, some_seeds

from fewlabels import FewlabelsError, PConductance
from fewlabels.methods.p_conductance import _shrunk
from fewlabels.volumes import class_sizes


def separations(n, train, codes, c):
    """Return each class's distribution over its labels less the mean of those of the others."""
    shares = np.zeros((n, c))
    for j in range(c):
        shares[train[codes == j], j] = 1 / np.sum(codes == j)
    return np.column_stack([shares[:, j] - np.delete(shares, j, axis=1).mean(axis=1) for j in range(c)])


@pytest.mark.parametrize("name", CONNECTED)
@pytest.mark.parametrize("p", [2.0, 1.7, 1.5])
def test_flows_along_edges_carry_each_class_to_the_others(name, p):
    """At the minimum, w |t|^(p-1) is a flow whose sources are a multiple of the separation, and that is enough."""
    graph = GALLERY[name]()
    seeds = some_seeds(graph)
    W, n = graph.weights.toarray(), graph.n_nodes
    g = separations(n, seeds.indices, seeds.codes, seeds.targets.shape[1])
    u = PConductance(p, steps=5000).scores(graph, seeds)
    np.testing.assert_allclose((u * g).sum(axis=0), 1.0, atol=1e-9)
    np.testing.assert_allclose(W.sum(axis=1) @ u, 0.0, atol=1e-9 * W.sum() * np.abs(u).max())
    for j in range(g.shape[1]):
        t = u[:, j][:, None] - u[:, j]
        sources = (W * np.abs(t) ** (p - 1) * np.sign(t)).sum(axis=1)
        conductance = (sources * g[:, j]).sum() / (g[:, j] ** 2).sum()
        np.testing.assert_allclose(sources / conductance, g[:, j], atol=0.03)


def test_smaller_p_gathers_the_differences_on_fewer_edges():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    W = graph.weights.tocoo()
    lengths = []
    for p in (2.0, 1.5, 1.2):
        u = PConductance(p, steps=500).scores(graph, seeds)[:, 0]
        lengths.append(W.data @ np.abs(u[W.row] - u[W.col]))
    assert lengths[0] > lengths[1] > lengths[2], "the weight that is cut, which p = 1 would make least"


def test_offsets_keep_to_the_sizes():
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    labels = PConductance(at_sizes=True).scores(graph, seeds).argmax(axis=1)
    sizes = class_sizes(seeds.prior, graph.n_nodes)
    assert np.abs(np.bincount(labels, minlength=sizes.size) - sizes).max() <= 2


@pytest.mark.parametrize("p", [1.0, 2.5, "two"])
def test_a_bad_p_gets_one_sentence(p):
    with pytest.raises(FewlabelsError, match="must be a number above 1 and at most 2"):
        PConductance(p).scores(ring_of_blobs(), some_seeds(ring_of_blobs()))


@pytest.mark.usefixtures("compiled_everywhere")
@pytest.mark.parametrize("name", GALLERY)
def test_compiled_steps_are_those_of_the_products(name, monkeypatch):
    graph, method = GALLERY[name](), PConductance(steps=20)
    seeds = some_seeds(graph)
    found = method.scores(graph, seeds)
    monkeypatch.setattr("fewlabels.methods.p_conductance.kernels_pay", lambda n: False)
    expected = method.scores(graph, seeds)
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("p", [1.2, 1.499999, 1.5, 1.8, 2.0])
def test_an_edge_solves_its_equation(p):
    v = np.array([-30.0, -1.0, -1e-3, 0.0, 1e-9, 0.5, 2.0, 100.0])
    z = _shrunk(v, p)
    np.testing.assert_allclose(np.sign(z) * np.abs(z) ** (p - 1) + z, v, rtol=1e-4, atol=1e-12)
