import pytest

from fewlabels.datasets import load_dataset
from fewlabels.experiments import Store, Subject, named_plan, runner

pytestmark = pytest.mark.usefixtures("blob_data")


def test_the_true_interface_is_found_once_and_not_written_into_the_graph(monkeypatch, tmp_path):
    found = []
    real = Subject.true_interface.func
    monkeypatch.setattr(Subject.true_interface, "func", lambda self: (found.append(self), real(self))[1])
    subject = Subject(load_dataset("blobs"))
    plan = named_plan("positions", "blobs", ["1"], ["Ground truth"])
    runner.run([plan], Store(tmp_path / "trials.jsonl"), 8, subjects={"blobs": subject})
    assert found == [subject]
    graph, y = subject.data.graph, subject.data.y
    on_boundary = {i for i in range(y.size) if (y[graph.weights[[i]].indices] != y[i]).any()}
    assert set(subject.true_interface.tolist()) == on_boundary
    assert not any("interface" in str(key) for key in getattr(graph, "memo", {}))


def test_rounding_adds_nodes_to_the_true_interface():
    subject = Subject(load_dataset("digits"))
    exact, rounded = set(subject.true_interface), set(subject.rounded_interface)
    assert exact <= rounded
    assert len(rounded) > 2 * len(exact)
