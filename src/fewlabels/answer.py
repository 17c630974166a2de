"""The one way from a graph, labels and a method to an answer that can be kept, asked again and added to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fewlabels.active import suggested
from fewlabels.decision import Decision, decide
from fewlabels.graph import Graph
from fewlabels.kept import read_only
from fewlabels.labels import Seeds
from fewlabels.methods import Evidence, Method, Spread, WeighedSpread
from fewlabels.methods.contenders import DAMPING
from fewlabels.methods.interface_spread import InterfaceSpread
from fewlabels.progress import say
from fewlabels.reach import reach_of
from fewlabels.threads import one_blas_thread

__all__ = ["Answer", "answer", "glance"]


@dataclass(frozen=True, eq=False)
class Answer:
    """What labels say about every node of a graph.

    Attributes
    ----------
    graph : Graph
    seeds : Seeds
    method : Method
    spread : Spread
        The scores, and every solve on the way to them.
    decision : Decision or None
        Labels, probabilities and confidence; None for regression, where the scores are the answer.
    """

    graph: Graph
    seeds: Seeds
    method: Method
    spread: Spread
    decision: Decision | None

    @property
    def labelled(self) -> Decision:
        """The decision of a classification."""
        assert self.decision is not None
        return self.decision

    @property
    def values(self) -> NDArray[np.float64]:
        """The value of every node of a regression; the given one where there is one."""
        values = self.spread.scores[:, 0].copy()
        values[self.seeds.indices] = self.seeds.targets[:, 0]
        return read_only(values)

    @property
    def chosen(self) -> tuple[Evidence, ...]:
        """What method "auto" weighed, the contender with most weight first; empty for other methods."""
        return self.spread.chosen if isinstance(self.spread, WeighedSpread) else ()

    @property
    def unreached(self) -> str:
        """What nodes that no label reaches along the graph got."""
        told = isinstance(self.spread, WeighedSpread) and self.spread.beyond is not None
        return "were judged by their features alone" if told else "got the prior"

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Which nodes a label reaches."""
        return reach_of(self.graph, self.seeds).nodes

    def contradicted(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return labelled nodes that the rest would label otherwise, likely slips first, and the columns it says."""
        if isinstance(self.spread, WeighedSpread):
            return self.spread.redrawn.against(self.seeds)
        if self.labelled.drawn is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        return self.labelled.drawn.told(self.graph, self.seeds).against(self.seeds)

    def suggest(self, n: int, *, strategy: str = "mixed", random_state: int = 0) -> NDArray[np.int64]:
        """Return up to n nodes whose labels would help most; see :func:`fewlabels.active.suggested`."""
        weighed = isinstance(self.spread, WeighedSpread)
        return suggested(
            self.graph,
            self.seeds,
            self.labelled,
            n,
            strategy=strategy,
            random_state=random_state,
            columns=self.spread.columns if isinstance(self.spread, (InterfaceSpread, WeighedSpread)) else None,
            damping=DAMPING if weighed else 0.0,
        )


def answer(
    graph: Graph, seeds: Seeds, method: Method, *, keep_sizes: bool = False, before: Answer | None = None
) -> Answer:
    """Spread the labels over the graph by a method, and decide.

    Parameters
    ----------
    keep_sizes : bool
        Whether every class gets exactly its share of the prior.
    before : Answer, optional
        An answer for other labels on the same graph by the same method: what they have in common is taken over.

    Examples
    --------
    >>> from fewlabels.methods import Poisson
    >>> path = Graph.from_weights(np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1))
    >>> answer(path, Seeds.from_classes([0, 3], ["cat", "dog"]), Poisson()).labelled.labels.tolist()
    ['cat', 'cat', 'dog', 'dog']
    """
    say(f"spreading {seeds.size} labels")
    seeds.check_fits(graph.n_nodes)
    with one_blas_thread():
        return _answered(graph, seeds, method, keep_sizes, before)


def glance(graph: Graph, seeds: Seeds, method: Method, before: Answer) -> Answer | None:
    """Return a first answer for other labels, by the evidence of the one before; None where a full one is as quick."""
    with one_blas_thread():
        spread = method.spread_at_a_glance(graph, seeds, before.spread, before.seeds)
        return None if spread is None else _decided(graph, seeds, method, spread, False, before)


def _answered(graph: Graph, seeds: Seeds, method: Method, keep_sizes: bool, before: Answer | None) -> Answer:
    if seeds.size == graph.n_nodes:
        spread = _as_given(seeds)
    elif before is None:
        spread = method.spread(graph, seeds)
    else:
        spread = method.spread_again(graph, seeds, before.spread, before.seeds)
    return _decided(graph, seeds, method, spread, keep_sizes, before)


def _decided(
    graph: Graph, seeds: Seeds, method: Method, spread: Spread, keep_sizes: bool, before: Answer | None
) -> Answer:
    decision = None
    if not seeds.is_regression:
        last = None if before is None else before.decision
        redrawn, beyond = (spread.redrawn, spread.beyond) if isinstance(spread, WeighedSpread) else (None, None)
        decision = decide(
            spread.scores, graph, seeds, keep_sizes=keep_sizes, before=last, redrawn=redrawn, beyond=beyond
        )
    return Answer(graph, seeds, method, spread, decision)


def _as_given(seeds: Seeds) -> Spread:
    """Return the targets of nodes that are all labelled: there is nothing to spread."""
    scores = np.empty(seeds.targets.shape)
    scores[seeds.indices] = seeds.targets
    return Spread(scores, ())
