"""Interface Laplace learning: harmonic inside the classes, with a learned jump term at the interface between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fewlabels.errors import FewlabelsError
from fewlabels.graph import Graph
from fewlabels.interface import (
    PENALTIES,
    farthest,
    fit_cross_entropy,
    fit_penalised,
    fit_ridge,
    fit_ridge_by_products,
    given_positions,
    gram,
    hops_interface,
    interface_term,
    least_spread,
    outside_balls,
)
from fewlabels.interface.ridge import AUTO_TARGET
from fewlabels.labels import Seeds
from fewlabels.methods.base import (
    InterfaceSpread,
    Method,
    green,
    harmonic_scores,
    impulses,
    poisson_source,
    refuse_both,
    solver_for,
    standard_targets,
)
from fewlabels.methods.columns import TABLE_ENTRIES, columns_of, in_blocks, split, spread_in_groups
from fewlabels.operators import Laplacian, laplacian_of
from fewlabels.reach import reach_of
from fewlabels.solvers import Auto, Solution, Solver, mixing_steps

__all__ = ["InterfaceLaplace"]

Block = NDArray[np.float64]

LOSSES = ("mse", "cross-entropy")
POSITIONS = ("auto", "hops", "balls", "training", "all", "random", "laplace", "poisson", "geodesic")
SMOOTH_FROM = 10
"""A term on at least one in so many nodes is smooth."""

ROUNDING = 1e-12
"""Relative accuracy of the Green's columns at best; an interface where they are smaller sees nothing of the labels."""


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
        of its largest Green's values, together 0.43 of all. "hops" with hops="auto" takes the number that leaves a
        share nearest 0.57. "training" is the labelled nodes, "all" every node. The others have as many nodes as
        the hops leave: a random choice; those whose Laplace or Poisson scores, of zero mean over the nodes, vary least
        between classes; or those farthest along edges. (Without zero mean, Laplace scores are nearly one constant row,
        and what varies least about it lies on the side of the weakest class.) Node numbers or a mask give it where it
        is known.
    loss : {"mse", "cross-entropy"}
        What the term minimises on the labels. Cross-entropy takes the ridge that the squared error would have.
    penalty : {"l2-squared", "l1", "l2", "linf"}
        What holds the term back. The norms that are not squared are minimised by FISTA, with a strength that leaves the
        target error on the labels.
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
        found = super().spread(graph, seeds)
        assert isinstance(found, InterfaceSpread)
        return found

    def _spread(self, graph: Graph, seeds: Seeds) -> InterfaceSpread:
        self._check(seeds)
        laplacian = laplacian_of(graph)
        solver = solver_for(self.solver, graph, seeds)
        if graph.n_nodes * seeds.size > TABLE_ENTRIES and self._needs_no_table():
            return self._spread_without_table(graph, seeds, solver)
        constant = None if self.zero_mean else mixing_steps(laplacian, seeds.indices)
        E = impulses(graph, seeds)
        columns = green(graph, solver, E if constant else laplacian.centre(E))
        learned = self._learned(graph, seeds, columns, _with_constant_mode(laplacian, columns.value, E, constant))
        answer = green(graph, self._solver_of_term(solver, [learned]), learned.term)
        u = _with_constant_mode(laplacian, answer.value, learned.term, constant)
        return self._answered(graph, seeds, learned, answer, laplacian.centre(u) if self.zero_mean else u)

    def spread_many(self, graph: Graph, problems: Sequence[Seeds]) -> list[InterfaceSpread]:
        """Spread several sets of labels over one graph; their columns are solved together, which saves time.

        Examples
        --------
        >>> path = Graph.from_weights(np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1))
        >>> draws = [Seeds.from_classes([0, 5], [0, 1]), Seeds.from_classes([1, 4], [0, 1])]
        >>> [spread.scores.argmax(axis=1).tolist() for spread in InterfaceLaplace().spread_many(path, draws)]
        [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
        """
        if not self.zero_mean or self.solver in ("series", "chebyshev"):
            return [self.spread(graph, seeds) for seeds in problems]
        found = spread_in_groups(graph, problems, self.spread, self._learned_group)
        unsolved = [place for place, spread in enumerate(found) if spread.scores.size == 0]
        for block in in_blocks([found[place].term.shape[1] for place in unsolved]):
            places = unsolved[block]
            group = [problems[place] for place in places]
            solved = self._solved_group(graph, group, [found[place] for place in places])
            for place, spread in zip(places, solved, strict=True):
                found[place] = spread
        return found

    def _learned_group(self, graph: Graph, group: Sequence[Seeds]) -> list[InterfaceSpread]:
        for seeds in group:
            self._check(seeds)
        columns = columns_of(graph, solver_for(self.solver, graph, group[0]), group)
        parts = split(columns, group)
        return [self._learned(graph, seeds, columns, G) for seeds, G in zip(group, parts, strict=True)]

    def _solved_group(
        self, graph: Graph, group: Sequence[Seeds], learned: Sequence[InterfaceSpread]
    ) -> list[InterfaceSpread]:
        solver = self._solver_of_term(solver_for(self.solver, graph, group[0]), learned)
        answer = green(graph, solver, np.hstack([each.term for each in learned]))
        width = np.cumsum([each.term.shape[1] for each in learned])[:-1]
        answers = np.split(laplacian_of(graph).centre(answer.value), width, axis=1)
        return [
            self._settled(graph, seeds, self._answered(graph, seeds, known, answer, u))  # type: ignore[misc]
            for seeds, known, u in zip(group, learned, answers, strict=True)
        ]

    def spread_again(self, graph: Graph, seeds: Seeds, before: InterfaceSpread, seeds_before: Seeds) -> InterfaceSpread:
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
        place = {node: column for column, node in enumerate(seeds_before.indices.tolist())}
        known = np.array([node in place for node in seeds.indices.tolist()])
        kept = before.columns.shape[1] == seeds_before.size and known.any()
        if not kept or not self.zero_mean or graph.n_nodes * seeds.size > TABLE_ENTRIES:
            return self.spread(graph, seeds)
        seeds.check_fits(graph.n_nodes)
        self._check(seeds)
        laplacian, solver = laplacian_of(graph), solver_for(self.solver, graph, seeds)
        G = np.empty((graph.n_nodes, seeds.size))
        G[:, known] = before.columns[:, [place[node] for node in seeds.indices[known].tolist()]]
        columns = before.solves[0]
        if not known.all():
            columns = green(graph, solver, laplacian.centre(impulses(graph, seeds)[:, ~known]))
            G[:, ~known] = columns.value
        learned = self._learned(graph, seeds, columns, G)
        solver = self._solver_of_term(solver, [learned])
        same = before.term.shape == learned.term.shape
        change = learned.term - before.term if same else learned.term
        if isinstance(solver, Auto):
            solver = solver.for_part(float(np.linalg.norm(change)), float(np.linalg.norm(learned.term)))
        answer = green(graph, solver, change)
        if same:
            answer = replace(answer, value=answer.value + before.solves[-1].value)
        raw = self._answered(graph, seeds, learned, answer, laplacian.centre(answer.value))
        return self._settled(graph, seeds, raw)  # type: ignore[return-value]

    def _learned(self, graph: Graph, seeds: Seeds, columns: Solution, G: Block) -> InterfaceSpread:
        """Return the interface and its term, the scores still to come; `G` are the Green's columns of the labels."""
        interface, hops = self._interface(graph, seeds, G)
        targets, _, _ = standard_targets(graph, seeds)
        term, ridge, mse = self._learn_apart(G, interface, targets, seeds.weights, graph.components, seeds.indices)
        return InterfaceSpread(np.zeros((0, 0)), (columns,), interface, hops, term, ridge, mse, G)

    def _answered(
        self, graph: Graph, seeds: Seeds, learned: InterfaceSpread, answer: Solution, u: Block
    ) -> InterfaceSpread:
        """Fill in the scores from the solution for the term."""
        _, middle, scale = standard_targets(graph, seeds)
        scores = u * scale + laplacian_of(graph).spread(middle)
        return replace(learned, scores=scores, solves=(*learned.solves, answer))

    def _solver_of_term(self, solver: Solver, learned: Sequence[InterfaceSpread]) -> Solver:
        """Return the solver for the term: what lives on much of the graph is smooth."""
        wide = all(SMOOTH_FROM * each.interface.size >= each.term.shape[0] for each in learned)
        smooth = wide and self.penalty == "l2-squared" and isinstance(solver, Auto)
        return solver.for_smooth_sources() if smooth else solver  # type: ignore[attr-defined]

    def _needs_no_table(self) -> bool:
        by_place = not isinstance(self.positions, str) or self.positions not in ("laplace", "poisson")
        return by_place and self.loss == "mse" and self.penalty == "l2-squared" and self.zero_mean

    def _spread_without_table(self, graph: Graph, seeds: Seeds, solver: Solver) -> InterfaceSpread:
        """Do the same for very many labels: K is multiplied by two solves and never formed."""
        laplacian = laplacian_of(graph)
        interface, hops = self._interface(graph, seeds, np.zeros((0, 0)))
        targets, middle, scale = standard_targets(graph, seeds)
        solves = []
        term = np.zeros((graph.n_nodes, targets.shape[1]))
        told, error, largest = 1.0, 0.0, -1
        for component in np.unique(graph.components[seeds.indices]):
            here = np.flatnonzero(graph.components[seeds.indices] == component)
            where = graph.components[interface] == component
            inside = np.zeros((graph.n_nodes, 1))
            inside[interface[where]] = 1.0

            def seen(alpha: Block, here: NDArray[np.int64] = here, inside: Block = inside) -> Block:
                """Return M G alpha: what coefficients of the labels put on the interface."""
                sources = np.zeros((graph.n_nodes, alpha.shape[1]))
                sources[seeds.indices[here]] = alpha
                solves.append(green(graph, solver, laplacian.centre(sources)))
                return np.asarray(inside * solves[-1].value)

            def multiply(alpha: Block, here: NDArray[np.int64] = here, seen: Callable[[Block], Block] = seen) -> Block:
                solves.append(green(graph, solver, seen(alpha)))
                return np.asarray(laplacian.centre(solves[-1].value)[seeds.indices[here]])

            fit = fit_ridge_by_products(multiply, targets[here], seeds.weights[here], self.ridge, self.target_mse)
            term += seen(fit.coefficients)
            error += fit.mse * here.size / seeds.size
            size = int((graph.components == component).sum())
            if size > largest:
                told, largest = fit.ridge, size
        solves.append(green(graph, solver, term))
        return InterfaceSpread(
            scores=laplacian.centre(solves[-1].value) * scale + laplacian.spread(middle),
            solves=tuple(solves),
            interface=interface,
            hops=hops,
            term=term,
            ridge=told,
            mse=error,
        )

    def _check(self, seeds: Seeds) -> None:
        refuse_both(self.ridge, self.target_mse)
        if self.loss not in LOSSES:
            raise FewlabelsError(f"loss={self.loss!r} is not known; choose one of {', '.join(LOSSES)}.")
        if self.penalty not in PENALTIES:
            raise FewlabelsError(f"penalty={self.penalty!r} is not known; choose one of {', '.join(PENALTIES)}.")
        if self.loss == "cross-entropy" and (seeds.is_regression or self.penalty != "l2-squared"):
            raise FewlabelsError("cross-entropy is for classes and goes with penalty='l2-squared'; use loss='mse'.")

    def _learn_apart(
        self,
        G: Block,
        interface: NDArray[np.int64],
        targets: Block,
        weights: NDArray[np.float64],
        components: NDArray[np.int64],
        seeds: NDArray[np.int64],
    ) -> tuple[Block, float, float]:
        """Learn the term of every component that has labels on its own; the strength told is that of the largest."""
        term, told, largest, error = np.zeros((G.shape[0], targets.shape[1])), 1.0, -1, 0.0
        for component in np.unique(components[seeds]):
            here = np.flatnonzero(components[seeds] == component)
            nodes = interface[components[interface] == component]
            if nodes.size == 0:
                error += float((weights[here, None] * targets[here] ** 2).sum()) / seeds.size
                continue
            part, ridge, mse = self._learn(G[:, here], nodes, targets[here], weights[here])
            term += part
            error += mse * here.size / seeds.size
            size = int((components == component).sum())
            if size > largest:
                told, largest = ridge, size
        return term, told, error

    def _learn(
        self, G: Block, interface: NDArray[np.int64], targets: Block, weights: NDArray[np.float64]
    ) -> tuple[Block, float, float]:
        """Return the term on all nodes, the strength of its penalty, and the squared error left on the labels."""
        K = gram(G, interface)
        noise = ROUNDING**2 * float(np.vdot(G, G))
        if self.penalty == "l2-squared" or self.loss == "cross-entropy":
            by_labels = targets.shape[1] > 1 and self.loss == "mse"
            fit = fit_ridge(K, targets, weights, self.ridge, self.target_mse, noise, by_labels)
            coefficients, mse = fit.coefficients, fit.mse
            if self.loss == "cross-entropy":
                coefficients = fit_cross_entropy(K, targets, weights, fit.ridge)
                mse = float((weights[:, None] * (K @ coefficients - targets) ** 2).sum() / len(targets))
            return interface_term(G, interface, coefficients), fit.ridge, mse
        goal = AUTO_TARGET if isinstance(self.target_mse, str) else self.target_mse
        found = fit_penalised(G[interface].T, targets, weights, self.penalty, self.ridge, goal)
        term = np.zeros((G.shape[0], targets.shape[1]))
        term[interface] = found.term
        return term, found.ridge, found.mse

    def _interface(self, graph: Graph, seeds: Seeds, G: Block) -> tuple[NDArray[np.int64], int | None]:
        """Return the interface and, where hops made it, their number; `G` are the Green's columns of the labels."""
        if not isinstance(self.positions, str):
            given = given_positions(self.positions, graph.n_nodes)
            if not reach_of(graph, seeds).nodes[given].any():
                raise FewlabelsError("positions lie only where no label reaches; give nodes connected with the labels.")
            return given, None
        if self.positions not in POSITIONS:
            raise FewlabelsError(
                f"positions={self.positions!r} is not known; choose one of {', '.join(POSITIONS)}, or give the nodes."
            )
        reached = np.flatnonzero(reach_of(graph, seeds).nodes)
        balls = self.positions == "balls" or (self.positions == "auto" and self.hops == "auto")
        if balls and G.shape[1] == seeds.size:
            return outside_balls(graph, seeds.indices, G, weights=seeds.weights), None
        if self.positions == "training":
            return np.sort(seeds.indices), None
        if self.positions == "all":
            return reached, None
        by_hops, hops = hops_interface(graph, seeds.indices, self.hops)
        match self.positions:
            case "random":
                rng = np.random.default_rng(self.random_state)
                return np.sort(rng.choice(reached, size=by_hops.size, replace=False)), None
            case "laplace":
                base = laplacian_of(graph).centre(harmonic_scores(graph, seeds, G))
                return least_spread(base, reached, by_hops.size), None
            case "poisson":
                base = laplacian_of(graph).centre(G @ poisson_source(graph, seeds)[seeds.indices])
                return least_spread(base, reached, by_hops.size), None
            case "geodesic":
                return farthest(graph, seeds.indices, reached, by_hops.size), None
        return by_hops, hops


def _with_constant_mode(laplacian: Laplacian, X: Block, B: Block, steps: int | None) -> Block:
    """Add to X = H B what T steps leave of the constant mode, T 1 (1'B) / (1'd), when the mean is not subtracted."""
    if steps is None:
        return X
    volumes = np.where(laplacian.volumes > 0, laplacian.volumes, np.inf)[:, None]
    return X + laplacian.spread(steps * laplacian.sums(B) / volumes)
