"""The paper's two synthetic examples: a disc cut by two half-circles, and a cosine on a grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.experiments.experiment import Experiment, Setting
from fewlabels.experiments.plans import FEW
from fewlabels.graph import Graph
from fewlabels.interface import nonzero_laplacian
from fewlabels.labels import Seeds, draw
from fewlabels.methods import InterfaceLaplace, Laplace, Method, Poisson
from fewlabels.progress import track
from fewlabels.report.style import ACCENT, CREAM, ORANGE, PALE, house_figure
from fewlabels.report.surroundings import surroundings
from fewlabels.report.tables import Entry, Table

__all__ = ["CLASSIFICATION", "REGRESSION", "disc", "grid"]

INTER = "Interface Laplace"
TARGET_MSE = 1e-4
"""The paper does not say how strongly it regularises the disc. The labels are exact, so the term may follow them."""

SIDE = 50
SHAKEN = 10
DISC_PUBLISHED = {"Laplace": 93.87, "Poisson": 91.17, INTER: 98.43}
GRID_PUBLISHED = {"Laplace": 0.3118, "Poisson": 0.2598, INTER: 0.0028}

CLASS_COLOURS, LABEL_COLOURS = (ACCENT, ORANGE), (PALE, CREAM)
PANEL_TITLE = 12


def disc(n_points: int = 20_000, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sample the unit disc; the boundary is the left half of one circle and the right half of another."""
    rng = np.random.default_rng(seed)
    radius, angle = np.sqrt(rng.random(n_points)), 2 * np.pi * rng.random(n_points)
    a, b = radius * np.cos(angle), radius * np.sin(angle)
    upper, lower = a**2 + (b - 0.5) ** 2 < 0.25, a**2 + (b + 0.5) ** 2 < 0.25
    return np.c_[a, b], np.where(a < 0, upper, ~lower).astype(np.int64)


def _classification(setting: Setting) -> tuple[Table, Any]:
    """Label 20,000 points of the disc from 25 labels per class, the interface known."""
    found: dict[str, list[float]] = {"Laplace": [], "Poisson": [], INTER: []}
    figure = None
    for seed in track(setting.draws, "discs"):
        X, y = disc(seed=seed)
        graph, seeds = Graph.from_features(X), draw(y, 25, random_state=seed)
        inter = InterfaceLaplace(positions=nonzero_laplacian(graph, y), target_mse=TARGET_MSE)
        methods: dict[str, Method] = {"Laplace": Laplace(), "Poisson": Poisson(), INTER: inter}
        labels = {name: method.scores(graph, seeds).argmax(axis=1) for name, method in methods.items()}
        others = np.setdiff1d(np.arange(y.size), seeds.indices)
        for name, predicted in labels.items():
            found[name].append(100.0 * float(np.mean(predicted[others] == y[others])))
        if figure is None:
            panels = {f"{name}, {found[name][0]:.1f}%": labels[name] for name in labels}
            figure = _draw_disc(X, y, labelled=seeds.indices, panels={"truth": y, **panels})
    column = "25 labels per class"
    best = "; ".join(f"{name} {max(values):.2f}" for name, values in found.items())
    table = Table(
        "20,000 points in a disc",
        [*found],
        [column],
        {(name, column): Entry(tuple(values)) for name, values in found.items()},
        notes=[
            f"Accuracy in percent. The paper shows one draw; ours at best: {best}. Target error {TARGET_MSE:g}, ours.",
            f"{surroundings()}.",
        ],
        published={(name, column): (value, float("nan")) for name, value in DISC_PUBLISHED.items()},
    )
    return table, figure


def _draw_disc(
    X: NDArray[np.float64], y: NDArray[np.int64], *, labelled: NDArray[np.int64], panels: Mapping[str, Any]
) -> Any:
    """Draw the points of each panel in the colours of its classes, and the labelled ones with a black rim."""
    with house_figure(13, 3.6) as figure:
        for axes, (name, classes) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
            axes.scatter(*X.T, c=np.array(CLASS_COLOURS)[classes], s=5, linewidths=0, rasterized=True)
            shades = np.array(LABEL_COLOURS)[y[labelled]]
            axes.scatter(*X[labelled].T, c=shades, s=18, edgecolors="k", linewidths=0.8)
            axes.set_title(name, fontsize=PANEL_TITLE)
            axes.set_aspect("equal")
            axes.axis("off")
    return figure


def grid() -> tuple[NDArray[np.float64], NDArray[np.float64], Seeds]:
    """Return the grid on [0, pi] x [0, pi], the target, and the two labelled places."""
    line = np.linspace(0, np.pi, SIDE)
    X = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    places = np.array([[np.pi / 4, np.pi / 2], [3 * np.pi / 4, np.pi / 2]])
    nodes = [int(((X - place) ** 2).sum(axis=1).argmin()) for place in places]
    return X, np.cos(X[:, 0]), Seeds.from_values(nodes, np.cos(places[:, 0]))


def _regression(setting: Setting) -> tuple[Table, Any]:
    """Estimate cos(x) on a 50 x 50 grid from two labels.

    On a lattice the tenth neighbour is a tie of four. Which two of them a search returns is chance. To show what that
    chance is worth, the points of the grid are also moved by a millionth of their distance, ten times.
    """
    X, target, seeds = grid()
    methods: dict[str, Method] = {
        "Laplace": Laplace(),
        "Poisson": Poisson(),
        INTER: InterfaceLaplace(hops=5, ridge=0.05),
    }
    plain = Graph.from_features(X)
    surfaces = {name: method.scores(plain, seeds).ravel() for name, method in methods.items()}
    errors = {name: float(np.mean((surface - target) ** 2)) for name, surface in surfaces.items()}
    entries = {(name, "grid"): Entry((error,)) for name, error in errors.items()}
    shaken: dict[str, list[float]] = {name: [] for name in methods}
    for seed in track(range(SHAKEN), "shaken grids"):
        noise = np.random.default_rng(seed).normal(size=X.shape)
        graph = Graph.from_features(X + 1e-6 * np.pi / SIDE * noise)
        for name, method in methods.items():
            shaken[name].append(float(np.mean((method.scores(graph, seeds).ravel() - target) ** 2)))
    entries |= {(name, "ties shaken"): Entry(tuple(values)) for name, values in shaken.items()}
    table = Table(
        "cos(x) on a grid from two labels",
        [*methods],
        ["grid", "ties shaken"],
        entries,
        notes=[
            "Mean squared error; Interface Laplace with k = 5 and lambda = 0.05, as the paper says.",
            f"{surroundings()}.",
        ],
        published={(name, "grid"): (value, float("nan")) for name, value in GRID_PUBLISHED.items()},
        digits=4,
    )
    panels = {"truth": target, **{f"{name}, MSE {errors[name]:.4f}": surface for name, surface in surfaces.items()}}
    return table, _draw_surfaces(panels, labelled=X[seeds.indices])


def _draw_surfaces(panels: Mapping[str, NDArray[np.float64]], *, labelled: NDArray[np.float64]) -> Any:
    """Draw the values on the grid as colours, and the labelled places as white dots."""
    with house_figure(13, 3.5) as figure:
        row = figure.subplots(1, len(panels))
        for axes, (name, values) in zip(row, panels.items(), strict=True):
            image, extent = values.reshape(SIDE, SIDE).T, (0.0, np.pi, 0.0, np.pi)
            drawn = axes.imshow(image, origin="lower", extent=extent, cmap="RdBu", vmin=-1, vmax=1)
            axes.plot(*labelled.T, "o", mfc="white", mec="black", ms=7)
            axes.set_title(name, fontsize=PANEL_TITLE)
            axes.set_xticks([0, np.pi], ["0", "π"])
            axes.set_yticks([0, np.pi], ["0", "π"])
            axes.tick_params(labelsize=10)
            axes.spines[:].set_visible(True)
            axes.grid(visible=False)
        figure.colorbar(drawn, ax=row, shrink=0.85, pad=0.01)
    return figure


CLASSIFICATION = Experiment(
    name="synthetic-classification",
    title="Points in a disc, the interface known",
    tabulate=_classification,
    draws=FEW,
    needs_data=False,
)
REGRESSION = Experiment(
    name="synthetic-regression", title="A cosine on a grid from two labels", tabulate=_regression, needs_data=False
)
