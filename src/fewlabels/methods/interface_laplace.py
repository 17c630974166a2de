"""Interface Laplace learning: harmonic inside the classes, with a learned jump term at the interface between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.again import columns_again, green_again
from fewlabels.graph import Graph
from fewlabels.green import TABLE_ENTRIES, columns_of, green, green_columns, impulses, split_columns
from fewlabels.interface import Interface, Learner, Place, Term, find_interface, learn_by_products, needs_columns
from fewlabels.labels import Seeds
from fewlabels.methods.base import Method, Spread
from fewlabels.methods.groups import in_blocks, spread_in_groups
from fewlabels.methods.interface_spread import InterfaceSpread
from fewlabels.solvers import (
    SMOOTH_TOL,
    USUAL_TOL,
    Solution,
    Solver,
    columns_at_once,
    mixing_steps,
    named_solver,
    shared_solver,
)
from fewlabels.systems import projections_of
from fewlabels.targets import standard_targets

__all__ = ["InterfaceLaplace"]

Block = NDArray[np.float64]

SMOOTH_FROM = 10
"""A term on at least one in so many nodes is smooth."""


@dataclass(frozen=True, eq=False)
class _Learned:
    """The interface and its term, and the Green's columns they were learned from; scores are still to come."""

    interface: Interface
    term: Term
    columns: Solution
    G: Block

    @property
    def is_wide(self) -> bool:
        return SMOOTH_FROM * self.interface.nodes.size >= len(self.term.values)


@dataclass(eq=False)
class InterfaceLaplace(Method):
    """L u = f on the interface and 0 elsewhere, f learned from the labels by ridge regression.

    f minimises (1/m) sum_i s_i |u(x_i) - y_i|^2 + lambda |f|^2 over terms that vanish off the interface. With the
    Green's columns G = A0 J E of the labels and K = sum over the interface of g_i g_i',
    f = G_I S^1/2 (S^1/2 K S^1/2 + m lambda)^-1 S^1/2 y and u = J A0 f.

    Parameters
    ----------
    hops : int or "auto"
        The interface is the nodes more than this many edges from every label; -1 for every node. "auto" takes what lies
        outside balls of equal size around the labels (see `positions`).
    target_mse : float or "auto"
        The mean squared error to leave on the labels, which fixes the ridge. For classes "auto" is the share of labels
        that the others get wrong, as far as they can tell, and the mean of terms about it where they cannot: from one
        label per class, those of 0.1, 0.2 and 0.4. For regression, whose targets are scaled to variance one first, 0.2.
    ridge : float, optional
        lambda itself, instead of a target error.
    positions : {"auto", "hops", "balls", "training", "all", "random", "laplace", "poisson", "geodesic"}, or array-like
        Where the interface lies. "auto" is "balls" unless a number of hops is given: every label's ball are the nodes
        of its largest Green's values, together 0.43 of all. With so many labels that there is no table of Green's
        values, "auto" takes the hops instead. "hops" with hops="auto" takes the number that leaves a
        share nearest 0.57. "training" is the labelled nodes, "all" every node. The others have as many nodes as
        the hops leave: a random choice of nodes without a label; those whose Laplace or Poisson scores, of zero mean
        over the nodes, vary least between classes; or those farthest along edges. (Without zero mean, Laplace scores
        are nearly one constant row, and what varies least about it lies on the side of the weakest class.) Node numbers
        or a mask give it where it is known.
    loss : {"mse", "cross-entropy"}
        What the term minimises on the labels. From a target error (0.2 for "auto") cross-entropy takes 1/(2c) of the
        ridge that the squared error would have, for c classes: by their curvatures this holds the term back alike. A
        ridge that is given is taken as it is.
    penalty : {"l2-squared", "l1", "l2", "linf"}
        What holds the term back. The norms that are not squared have a strength that leaves the target error on the
        labels.
    zero_mean : bool
        Whether scores have zero mean over the nodes, as the paper prefers.
    solver : {"auto", "series", "chebyshev", "cg", "direct", "multigrid"} or a solver
        "series" does the paper's T steps; "auto" finds what they tend to.
    random_state : int
        Seed of positions="random".

    Examples
    --------
    >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
    >>> InterfaceLaplace().scores(path, Seeds.from_classes([0, 5], [0, 1])).argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    hops: int | str = "auto"
    _: KW_ONLY
    target_mse: float | str = "auto"
    ridge: float | None = None
    positions: str | ArrayLike = "auto"
    loss: str = "mse"
    penalty: str = "l2-squared"
    zero_mean: bool = True
    solver: str | Solver = "auto"
    random_state: int = 0

    def spread(self, graph: Graph, seeds: Seeds) -> InterfaceSpread:
        """Return the scores with the interface, its term, the ridge and the solves."""
        seeds.check_fits(graph.n_nodes)
        return self._completed(graph, seeds, self._spread(graph, seeds))

    def _spread(self, graph: Graph, seeds: Seeds) -> InterfaceSpread:
        self._learner.check(seeds)
        solver = named_solver(self.solver, graph, seeds.indices)
        if graph.n_nodes * seeds.size > TABLE_ENTRIES and self._needs_no_table():
            return self._spread_without_table(graph, seeds, solver)
        centre = projections_of(graph).centre
        constant = None if self.zero_mean else mixing_steps(graph, seeds.indices)
        columns = green_columns(graph, seeds.indices, solver, centred=constant is None)
        G = columns.value
        if constant is not None:
            G = _with_constant_mode(graph, G, impulses(graph, seeds.indices), constant)
        learned = self._learn(graph, seeds, columns, G)
        answer = green(graph, learned.term.values, solver, tol=self._tol_of_term([learned]))
        u = _with_constant_mode(graph, answer.value, learned.term.values, constant)
        return self._answered(graph, seeds, learned, answer, centre(u) if self.zero_mean else u)

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> list[InterfaceSpread]:
        """Spread several sets of labels over one graph; their columns are solved together, which saves time.

        Examples
        --------
        >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
        >>> draws = [Seeds.from_classes([0, 5], [0, 1]), Seeds.from_classes([1, 4], [0, 1])]
        >>> [spread.scores.argmax(axis=1).tolist() for spread in InterfaceLaplace().spread_many(path, draws)]
        [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
        """
        if not self.zero_mean:
            return [self.spread(graph, seeds) for seeds in problems]
        begun = spread_in_groups(graph, problems, self.spread, self._learn_group)
        found = {place: spread for place, spread in enumerate(begun) if isinstance(spread, InterfaceSpread)}
        learned = [(place, each) for place, each in enumerate(begun) if isinstance(each, _Learned)]
        for block in in_blocks([each.term.values.shape[1] for _, each in learned], columns_at_once(graph.n_nodes)):
            places = [place for place, _ in learned[block]]
            group = [problems[place] for place in places]
            solved = self._solve_group(graph, group, [each for _, each in learned[block]])
            found |= dict(zip(places, solved, strict=True))
        return [found[place] for place in range(len(problems))]

    def _learn_group(self, graph: Graph, group: Sequence[Seeds]) -> list[_Learned]:
        for seeds in group:
            self._learner.check(seeds)
        columns = columns_of(graph, group, self._solver_of(graph, group, [seeds.size for seeds in group]))
        parts = split_columns(columns, group)
        return [self._learn(graph, seeds, columns, G) for seeds, G in zip(group, parts, strict=True)]

    def _solve_group(self, graph: Graph, group: Sequence[Seeds], learned: Sequence[_Learned]) -> list[InterfaceSpread]:
        terms = [each.term.values for each in learned]
        solver = self._solver_of(graph, group, [term.shape[1] for term in terms])
        answer = green(graph, np.hstack(terms), solver, tol=self._tol_of_term(learned))
        width = np.cumsum([term.shape[1] for term in terms])[:-1]
        answers = np.split(projections_of(graph).centre(answer.value), width, axis=1)
        return [
            self._completed(graph, seeds, self._answered(graph, seeds, known, answer, u))
            for seeds, known, u in zip(group, learned, answers, strict=True)
        ]

    def spread_again(self, graph: Graph, seeds: Seeds, before: Spread, seeds_before: Seeds) -> InterfaceSpread:
        """Spread labels of which some were spread before, on the same graph: only what is new is solved for.

        The Green's columns of old labels are taken over, and the scores are corrected for the change of the term.

        Examples
        --------
        >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
        >>> few, more = Seeds.from_classes([0, 5], [0, 1]), Seeds.from_classes([0, 2, 5], [0, 0, 1])
        >>> method = InterfaceLaplace()
        >>> again = method.spread_again(path, more, method.spread(path, few), few)
        >>> bool(np.abs(again.scores - method.scores(path, more)).max() < 1e-9)
        True
        """
        known = np.isin(seeds.indices, seeds_before.indices)
        kept = isinstance(before, InterfaceSpread) and before.columns is not None and known.any()
        if not kept or not self.zero_mean or graph.n_nodes * seeds.size > TABLE_ENTRIES:
            return self.spread(graph, seeds)
        assert isinstance(before, InterfaceSpread)
        seeds.check_fits(graph.n_nodes)
        self._learner.check(seeds)
        solver = named_solver(self.solver, graph, seeds.indices)
        assert before.columns is not None
        G, columns = columns_again(graph, seeds.indices, seeds_before.indices, before.columns, solver)
        learned = self._learn(graph, seeds, columns or before.solves[0], np.asarray(G, dtype=np.float64))
        last = (before.term, before.solves[-1].value)
        answer = green_again(graph, learned.term.values, last, solver, tol=self._tol_of_term([learned]))
        u = projections_of(graph).centre(answer.value)
        return self._completed(graph, seeds, self._answered(graph, seeds, learned, answer, u))

    def _solver_of(self, graph: Graph, group: Sequence[Seeds], widths: Sequence[int]) -> Solver:
        return shared_solver(self.solver, graph, [seeds.indices for seeds in group], widths)

    @property
    def _learner(self) -> Learner:
        return Learner(self.loss, self.penalty, self.ridge, self.target_mse)

    def _learn(self, graph: Graph, seeds: Seeds, columns: Solution, G: Block) -> _Learned:
        """Return the interface and its term; `G` are the Green's columns of the labels."""
        interface = find_interface(self.positions, Place(graph, seeds, G, self.hops, self.random_state))
        return _Learned(interface, self._learner.learn(graph, seeds, G, interface.nodes), columns, G)

    def _answered(self, graph: Graph, seeds: Seeds, learned: _Learned, answer: Solution, u: Block) -> InterfaceSpread:
        """Return what was learned with the scores from the solution for the term."""
        return InterfaceSpread(
            scores=_rescaled(graph, seeds, u),
            solves=(learned.columns, answer),
            interface=learned.interface.nodes,
            hops=learned.interface.hops,
            term=learned.term.values,
            ridge=learned.term.ridge,
            mse=learned.term.mse,
            columns=learned.G,
        )

    def _tol_of_term(self, learned: Sequence[_Learned]) -> float:
        """Return how exactly to solve for the term: what lives on much of the graph is smooth."""
        return SMOOTH_TOL if self.penalty == "l2-squared" and all(each.is_wide for each in learned) else USUAL_TOL

    def _needs_no_table(self) -> bool:
        return not needs_columns(self.positions) and self._learner.is_plain_ridge and self.zero_mean

    def _spread_without_table(self, graph: Graph, seeds: Seeds, solver: Solver) -> InterfaceSpread:
        interface = find_interface(self.positions, Place(graph, seeds, None, self.hops, self.random_state))
        term, solves = learn_by_products(
            graph, seeds, interface.nodes, solver, ridge=self.ridge, target_mse=self.target_mse
        )
        solves.append(green(graph, term.values, solver))
        return InterfaceSpread(
            scores=_rescaled(graph, seeds, projections_of(graph).centre(solves[-1].value)),
            solves=tuple(solves),
            interface=interface.nodes,
            hops=interface.hops,
            term=term.values,
            ridge=term.ridge,
            mse=term.mse,
        )


def _rescaled(graph: Graph, seeds: Seeds, u: Block) -> Block:
    """Return scores in the scale of the targets, about their means; those of classes are as they are."""
    if not seeds.is_regression:
        return u
    _, means, scale = standard_targets(graph, seeds)
    return np.asarray(u * scale + projections_of(graph).repeated(means))


def _with_constant_mode(graph: Graph, X: Block, B: Block, steps: int | None) -> Block:
    """Add to X = H B what T steps leave of the constant mode, T 1 (1'B) / (1'd), when the mean is not subtracted."""
    if steps is None:
        return X
    projections = projections_of(graph)
    volumes = np.where(projections.volumes > 0, projections.volumes, np.inf)[:, None]
    return X + projections.repeated(steps * projections.sums(B) / volumes)
