"""The labelling loop: a person labels, sees what changed, labels again."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.active import suggested
from fewlabels.answer import Answer, answer, glance
from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.kept import ReadOnlyArrays
from fewlabels.labels import Seeds, entries_of, is_unlabelled, prior_for
from fewlabels.methods import DEFAULT_METHOD, Method, named_method

__all__ = ["Change", "LabelingLoop"]

Given = dict[int, Any]


@dataclass(frozen=True, eq=False)
class Change(ReadOnlyArrays):
    """What an action changed: the nodes that have another label now, and which; None where none is known any more."""

    nodes: NDArray[np.int64]
    labels: NDArray[Any]


class LabelingLoop:
    """A graph, the labels given so far, and what they say about all nodes; only what an action changes is solved for.

    Every action either happens whole or, if it is refused or interrupted, not at all. Actions may come from several
    threads; they happen one after the other.

    Parameters
    ----------
    graph : Graph
    method : str or method
    class_prior : array-like in the order of the classes, or mapping from label to share, optional
        Every class then gets exactly its share of the points.

    Attributes
    ----------
    answer : Answer or None
        What the labels say; None while there are none.

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> loop = LabelingLoop(path, "poisson")
    >>> _ = loop.label([0, 3], ["cat", "dog"])
    >>> loop.label([1], ["dog"]).nodes.tolist(), loop.undo().nodes.tolist()
    ([1], [1])
    >>> loop.merge(["cat", "dog"], "pet").labels.tolist(), loop.labels
    (['pet', 'pet', 'pet', 'pet'], {0: 'pet', 3: 'pet'})
    """

    def __init__(
        self,
        graph: Graph,
        method: str | Method = DEFAULT_METHOD,
        *,
        class_prior: ArrayLike | Mapping[Any, float] | None = None,
    ) -> None:
        self.graph, self.answer = graph, None
        self._method, self._prior = named_method(method), class_prior
        self._given: Given = {}
        self._past: list[Given] = []
        self._glanced: Answer | None = None
        self._lock = threading.RLock()

    answer: Answer | None

    @classmethod
    def after(cls, found: Answer, *, class_prior: ArrayLike | Mapping[Any, float] | None = None) -> Self:
        """Return a loop that goes on from an answer."""
        loop = cls(found.graph, found.method, class_prior=class_prior)
        loop.answer = found
        assert found.seeds.classes is not None
        loop._given = dict(
            zip(found.seeds.indices.tolist(), found.seeds.classes[found.seeds.codes].tolist(), strict=True)
        )
        return loop

    @property
    def labels(self) -> Given:
        """The labels given so far, by node."""
        return dict(self._given)

    def label(self, nodes: ArrayLike, labels: ArrayLike) -> Change:
        """Give some nodes labels, or better ones than they have."""
        numbers, names = self._numbers(nodes), np.atleast_1d(entries_of(labels))
        if names.shape != numbers.shape or numbers.size == 0:
            raise FewlabelsError("labelling takes row numbers, such as [3, 17], and as many labels, at least one.")
        if is_unlabelled(names).any():
            raise FewlabelsError("a label to add is empty; give one for every row.")
        with self._lock:
            return self._become(self._given | dict(zip(numbers.tolist(), names.tolist(), strict=True)))

    def unlabel(self, nodes: ArrayLike) -> Change:
        """Take the labels of some nodes back."""
        numbers = self._numbers(nodes).tolist()
        with self._lock:
            strangers = [node for node in numbers if node not in self._given]
            if strangers:
                raise FewlabelsError(f"row {strangers[0]} has no label that could be taken back.")
            return self._become({node: name for node, name in self._given.items() if node not in set(numbers)})

    def rename(self, old: Any, new: Any) -> Change:
        """Call a class by a new name."""
        with self._lock:
            if new == old and old in self._given.values():
                raise FewlabelsError(f"the class is called {old!r} already; give another name.")
            if new in self._given.values():
                raise FewlabelsError(f"there is a class {new!r} already; merge the two to make them one.")
            return self.merge([old], new)

    def merge(self, classes: list[Any], into: Any) -> Change:
        """Make some classes one."""
        if is_unlabelled(np.atleast_1d(entries_of([into]))).any():
            raise FewlabelsError("the name of a class must not be empty.")
        if not classes:
            raise FewlabelsError("merging takes at least one class; see `labels` for their names.")
        with self._lock:
            for name in classes:
                if name not in self._given.values():
                    raise FewlabelsError(f"no label names a class {name!r}; see `labels`.")
            return self._become({node: into if name in classes else name for node, name in self._given.items()})

    def undo(self) -> Change:
        """Take the last action back; so may all be, one by one."""
        with self._lock:
            if not self._past:
                raise FewlabelsError("there is nothing to take back.")
            change = self._become(self._past[-1])
            del self._past[-2:]
            return change

    def become(self, labels: Mapping[int, Any]) -> Change:
        """Let exactly these labels be given, by node: many actions at once. Nothing before it can be taken back."""
        given = self._checked(labels)
        with self._lock:
            change = self._become(given)
            self._past.clear()
            return change

    def glance(self, labels: Mapping[int, Any]) -> Answer | None:
        """Return a first answer for other labels, by node, without taking them in.

        It weighs the methods as the present answer does. None where `become` takes no longer, or without an answer.
        """
        given = self._checked(labels)
        with self._lock:
            if self.answer is None or not given or self._prior is not None:
                return None
            self._glanced = glance(self.graph, self._seeds(given), self._method, self.answer)
            return self._glanced

    def suggest(self, n: int = 1, *, strategy: str = "mixed", random_state: int = 0) -> NDArray[np.int64]:
        """Return up to n nodes whose labels would help most; before any label, those that tell most about others."""
        with self._lock:
            if self.answer is None:
                return suggested(self.graph, None, None, n, strategy=strategy, random_state=random_state)
            return self.answer.suggest(n, strategy=strategy, random_state=random_state)

    def _checked(self, labels: Mapping[int, Any]) -> Given:
        """Return labels by node, or refuse rows that are not there and names that are empty."""
        if not labels:
            return {}
        if is_unlabelled(np.atleast_1d(entries_of(list(labels.values())))).any():
            raise FewlabelsError("a label to add is empty; give one for every row.")
        return dict(zip(self._numbers(list(labels)).tolist(), labels.values(), strict=True))

    def _numbers(self, nodes: ArrayLike) -> NDArray[np.int64]:
        numbers = np.atleast_1d(np.asarray(nodes))
        if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
            raise FewlabelsError("labelling takes row numbers, such as [3, 17], and as many labels, at least one.")
        numbers = numbers.astype(np.int64)
        strangers = numbers[(numbers < 0) | (numbers >= self.graph.n_nodes)]
        if strangers.size:
            raise FewlabelsError(f"there is no row {strangers[0]}; rows go from 0 to {self.graph.n_nodes - 1}.")
        if np.unique(numbers).size < numbers.size:
            raise FewlabelsError("a row is named twice; name every row once.")
        return numbers

    def _become(self, given: Given) -> Change:
        """Answer for other labels, then let them and the answer be the present ones."""
        found = None
        if given:
            sizes, last = self._prior is not None, self._glanced or self.answer
            found = answer(self.graph, self._seeds(given), self._method, keep_sizes=sizes, before=last)
        change = self._difference(self.answer, found)
        self._past.append(self._given)
        self._given, self.answer, self._glanced = given, found, None
        return change

    def _seeds(self, given: Given) -> Seeds:
        names = entries_of(list(given.values()))
        return Seeds.from_classes(list(given), names, class_prior=prior_for(self._prior, names), balanced=True)

    def _difference(self, before: Answer | None, found: Answer | None) -> Change:
        nothing = np.full(self.graph.n_nodes, None, dtype=object)
        old = nothing if before is None else before.labelled.labels
        new = nothing if found is None else found.labelled.labels
        nodes = np.flatnonzero(np.asarray(old != new, dtype=bool))
        return Change(nodes, new[nodes])
