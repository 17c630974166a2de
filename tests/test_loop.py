import threading

import numpy as np
import pytest
from gallery import disconnected, ring_of_blobs, some_seeds
from sklearn.datasets import load_digits

from fewlabels import FewlabelsError, Graph, LabelingLoop, Poisson, Seeds
from fewlabels.answer import answer
from fewlabels.labels import draw
from fewlabels.methods import Auto


def ready(method="interface-laplace"):
    graph = ring_of_blobs()
    seeds = some_seeds(graph)
    loop = LabelingLoop(graph, method)
    loop.label(seeds.indices, [f"class {code}" for code in seeds.codes])
    return loop, seeds


def test_every_action_tells_what_changed():
    loop, seeds = ready()
    before = loop.answer.labelled.labels.copy()
    node = int(np.setdiff1d(np.arange(loop.graph.n_nodes), seeds.indices)[0])
    other = next(name for name in loop.answer.seeds.classes if name != before[node])
    change = loop.label([node], [other])
    after = loop.answer.labelled.labels
    np.testing.assert_array_equal(change.nodes, np.flatnonzero(before != after))
    np.testing.assert_array_equal(change.labels, after[change.nodes])
    assert node in change.nodes
    back = loop.unlabel([node])
    assert node in back.nodes
    np.testing.assert_array_equal(loop.answer.labelled.labels, before)


def test_labels_are_those_of_a_fresh_answer():
    loop, seeds = ready()
    rng = np.random.default_rng(0)
    truth = loop.answer.labelled.labels.copy()
    for node in rng.permutation(np.setdiff1d(np.arange(loop.graph.n_nodes), seeds.indices))[:6]:
        loop.label([node], [truth[node]])
    given = loop.labels
    fresh = answer(
        ring_of_blobs(), Seeds.from_classes(list(given), list(given.values()), balanced=True), loop.answer.method
    )
    np.testing.assert_array_equal(fresh.labelled.labels, loop.answer.labelled.labels)
    np.testing.assert_allclose(fresh.labelled.confidence, loop.answer.labelled.confidence, atol=0.02)


def test_everything_can_be_taken_back_one_by_one():
    loop, _ = ready("poisson")
    states = [loop.labels]
    loop.label([1, 2], ["class 0", "new"])
    states.append(loop.labels)
    loop.rename("new", "newer")
    states.append(loop.labels)
    loop.merge(["newer", "class 1"], "both")
    states.append(loop.labels)
    loop.unlabel([1])
    for state in reversed(states):
        loop.undo()
        assert loop.labels == state
    assert loop.undo().labels.tolist() == [None] * loop.graph.n_nodes
    assert loop.answer is None
    with pytest.raises(FewlabelsError, match="nothing to take back"):
        loop.undo()


def test_a_class_that_is_renamed_keeps_its_points():
    loop, _ = ready("poisson")
    before = loop.answer.labelled.labels
    change = loop.rename("class 1", "a first name")
    np.testing.assert_array_equal(change.nodes, np.flatnonzero(before == "class 1"))
    assert set(change.labels.tolist()) == {"a first name"}


@pytest.mark.parametrize(
    "action",
    [
        lambda loop: loop.label([0], ["a", "b"]),
        lambda loop: loop.label([], []),
        lambda loop: loop.label([10**6], ["a"]),
        lambda loop: loop.label([-1], ["a"]),
        lambda loop: loop.label([3, 3], ["a", "a"]),
        lambda loop: loop.label([0.5], ["a"]),
        lambda loop: loop.label([0], [None]),
        lambda loop: loop.label([0], [7]),
        lambda loop: loop.unlabel([1]),
        lambda loop: loop.rename("class 0", "class 1"),
        lambda loop: loop.rename("nobody", "someone"),
        lambda loop: loop.merge(["class 0"], ""),
        lambda loop: loop.suggest(0),
    ],
)
def test_what_is_refused_changes_nothing(action):
    loop, _ = ready("poisson")
    given, found = loop.labels, loop.answer
    with pytest.raises(FewlabelsError):
        action(loop)
    assert loop.labels == given
    assert loop.answer is found


def test_an_interrupted_action_changes_nothing(monkeypatch):
    loop, _ = ready("poisson")
    given, found = loop.labels, loop.answer

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Poisson, "_spread", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loop.label([1], ["class 0"])
    assert loop.labels == given
    assert loop.answer is found
    monkeypatch.undo()
    loop.label([1], ["class 0"])
    assert loop.labels[1] == "class 0"


@pytest.mark.parametrize("make", [ring_of_blobs, disconnected])
def test_before_any_label_the_points_that_tell_most_are_asked_about(make):
    loop = LabelingLoop(make())
    asked = loop.suggest(3)
    assert len(set(asked.tolist())) == 3
    loop.label(asked, ["a", "b", "c"])
    assert loop.suggest(1)[0] not in asked


def test_actions_from_several_threads_all_happen():
    loop, seeds = ready("poisson")
    nodes = np.setdiff1d(np.arange(loop.graph.n_nodes), seeds.indices)[:8]
    threads = [threading.Thread(target=loop.label, args=([node], ["class 0"])) for node in nodes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {int(node) for node in nodes} <= loop.labels.keys()


def test_many_actions_at_once_are_one_that_cannot_be_taken_back():
    loop, seeds = ready("poisson")
    wanted = {int(node): int(code) for node, code in zip(seeds.indices, seeds.codes, strict=True)}
    for labels in (wanted, dict(list(wanted.items())[:2]), {}):
        before = None if loop.answer is None else loop.answer.labelled.labels
        change = loop.become(labels)
        assert loop.labels == labels
        fresh = LabelingLoop(loop.graph, "poisson")
        if labels:
            fresh.label(list(labels), list(labels.values()))
            np.testing.assert_array_equal(loop.answer.labelled.labels, fresh.answer.labelled.labels)
            np.testing.assert_array_equal(change.nodes, np.flatnonzero(before != loop.answer.labelled.labels))
        assert (loop.answer is None) == (not labels)
        with pytest.raises(FewlabelsError, match="nothing to take back"):
            loop.undo()


@pytest.mark.parametrize("labels", [{-1: "a"}, {10**6: "a"}, {0: ""}, {0: None}])
def test_many_actions_at_once_are_refused_whole(labels):
    loop, _ = ready("poisson")
    before = loop.labels
    with pytest.raises(FewlabelsError):
        loop.become(before | labels)
    assert loop.labels == before
    loop.undo()


def test_a_glance_shows_a_new_class_before_the_evidence_is_gathered_anew(monkeypatch):
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    X, truth = load_digits(return_X_y=True)
    loop = LabelingLoop(Graph.from_features(X), Auto().with_features(X))
    nodes = draw(truth, 1, random_state=0).indices[:-1]
    given = dict(zip(nodes.tolist(), truth[nodes].tolist(), strict=True))
    loop.become(given)
    new = int(np.flatnonzero(truth == 9)[3])
    before, wanted = loop.answer, given | {new: 9}
    seen = loop.glance(wanted)
    assert loop.labels == given
    assert loop.answer is before
    assert seen.labelled.labels[new] == 9
    loop.become(wanted)
    fresh = LabelingLoop(Graph.from_features(X), Auto().with_features(X))
    fresh.become(wanted)
    assert np.mean(loop.answer.labelled.labels == fresh.answer.labelled.labels) > 0.999
    assert loop.answer.spread.gathered == len(wanted)
    assert np.mean(seen.labelled.labels == loop.answer.labelled.labels) > 0.85
    assert np.isfinite(seen.labelled.probabilities).all()
    np.testing.assert_allclose(seen.labelled.probabilities.sum(axis=1), 1.0)


def test_there_is_no_glance_where_a_full_answer_is_as_quick(monkeypatch):
    X, truth = load_digits(return_X_y=True)
    small = LabelingLoop(Graph.from_features(X), Auto())
    small.become({0: 0, 1: 1})
    assert small.glance({0: 0, 1: 1, 2: 2}) is None
    monkeypatch.setattr("fewlabels.methods.weighed.QUICK", 0)
    loop = LabelingLoop(Graph.from_features(X), Auto().with_features(X))
    assert loop.glance({0: 1}) is None
    nodes = draw(truth, 2, random_state=0).indices
    given = dict(zip(nodes.tolist(), truth[nodes].tolist(), strict=True))
    loop.become(given)
    other = int(np.setdiff1d(np.arange(truth.size), nodes)[7])
    assert loop.glance(given | {other: int(truth[other])}) is None
    assert loop.glance({}) is None


@pytest.mark.parametrize("seed", range(4))
def test_on_small_graphs_the_answer_does_not_depend_on_the_way_there(seed):
    X, truth = load_digits(return_X_y=True)
    graph, rng = Graph.from_features(X[:600]), np.random.default_rng(seed)
    rows = rng.permutation(600)[:9].tolist()
    loop, fresh = LabelingLoop(graph), LabelingLoop(graph)
    loop.label(rows[:7], truth[rows[:7]])
    loop.label(rows[7:], truth[rows[7:]])
    loop.unlabel(rows[:1])
    fresh.label(rows[1:], truth[rows[1:]])
    assert np.mean(loop.answer.labelled.labels == fresh.answer.labelled.labels) > 0.99


def test_bad_rows_and_empty_names_are_refused_in_words():
    loop, _ = ready("poisson")
    for labels, said in (({1.5: "a"}, "row numbers"), ({"x": "a"}, "row numbers"), ({99_999: "a"}, "no row 99999")):
        for ask in (loop.become, loop.glance):
            with pytest.raises(FewlabelsError, match=said):
                ask(labels)
    with pytest.raises(FewlabelsError, match="empty"):
        loop.glance({0: ""})
    with pytest.raises(FewlabelsError, match="at least one class"):
        loop.merge([], "b")
    with pytest.raises(FewlabelsError, match="already"):
        loop.rename("class 0", "class 0")
