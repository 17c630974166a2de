"""Features and labels as commands are given them: the options, the reading, and the graph."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import say

if TYPE_CHECKING:
    from fewlabels.graph import Graph
    from fewlabels.methods import Method
    from fewlabels.tabular import FeatureFile, GivenLabels

__all__ = [
    "FEATURES_HELP",
    "LABELS_HELP",
    "add_graph_options",
    "add_inputs",
    "add_seed",
    "checked_method",
    "connected",
    "names_of",
    "read_features_of",
    "read_given",
    "seeded_method",
]

DEFAULT_METHOD, NEIGHBORS = "auto", 10
FEATURES_HELP = "one row per point: .npy, .npz, .csv or .parquet; - for standard input"
LABELS_HELP = (
    ".csv or .parquet with two columns, (row or id, label), rows numbered from 0; or with one column, a line per "
    "point, blank where there is no label; or the name of such a column in FEATURES"
)


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add FEATURES, LABELS and --id."""
    parser.add_argument("features", type=Path, metavar="FEATURES", help=FEATURES_HELP)
    parser.add_argument("labels", metavar="LABELS", help=LABELS_HELP)
    parser.add_argument("--id", metavar="COLUMN", help="the column of FEATURES with the ids")


def add_graph_options(parser: argparse.ArgumentParser) -> None:
    """Add the method, and what the graph is made by."""
    parser.add_argument(
        "--method",
        default=DEFAULT_METHOD,
        help="auto (default) weighs several; or interface-laplace, poisson, laplace or another method by name",
    )
    parser.add_argument(
        "--neighbors", type=int, default=NEIGHBORS, metavar="K", help="neighbours per point (default 10)"
    )
    parser.add_argument("--metric", default="euclidean", help="euclidean (default) or cosine")
    parser.add_argument("--search", default="auto", help="auto (default), exact or approximate")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add --seed."""
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="S",
        help="which labels are drawn again to weigh methods and to tell how sure the answer is (default 0)",
    )


def checked_method(options: argparse.Namespace, refine: str | None = None) -> Method:
    """Return the method; it, the metric and the search are refused before any file is read."""
    from fewlabels.methods import named_method
    from fewlabels.neighbors.backends import named_search
    from fewlabels.neighbors.metrics import named_metric

    named_metric(options.metric)
    named_search(options.search)
    if options.neighbors < 1:
        raise FewlabelsError(f"--neighbors {options.neighbors}: give at least one neighbour per point.")
    return named_method(options.method, refine=refine)


def seeded_method(options: argparse.Namespace, refine: str | None = None) -> Method:
    """Return the method, with what is random in it drawn from --seed."""
    from fewlabels.methods import seeded

    if not 0 <= options.seed < 2**32:
        raise FewlabelsError(f"--seed {options.seed}: give a whole number from 0 to 2**32 - 1.")
    return seeded(checked_method(options, refine), options.seed)


def read_given(options: argparse.Namespace) -> tuple[FeatureFile, GivenLabels]:
    """Read features and labels."""
    from fewlabels.tabular import STANDARD, from_standard_input, read_labels

    if str(options.features) == options.labels == STANDARD:
        raise FewlabelsError("FEATURES and LABELS cannot both come from standard input; name a file for one of them.")
    a_file = options.labels == STANDARD or Path(options.labels).exists()
    features = read_features_of(options, None if a_file else options.labels)
    with from_standard_input(options.labels) if a_file else nullcontext(options.labels) as labels:
        return features, read_labels(str(labels), features)


def read_features_of(
    options: argparse.Namespace, label_column: str | None = None, *, columns: Sequence[str] = (), fewest: int = 2
) -> FeatureFile:
    """Read the features, from a file or from standard input: all columns or, of a table, those that are named."""
    from fewlabels.tabular import Asked, from_standard_input, read_features

    asked = Asked(id=options.id, features=tuple(columns))
    with from_standard_input(options.features) as path:
        say(f"reading {options.features}")
        return read_features(path, label_column, shown=asked, fewest=fewest)


def connected(options: argparse.Namespace, features: FeatureFile) -> Graph:
    """Return the graph of the features; tell of columns in other units and of fewer neighbours than were asked for."""
    from fewlabels.graph import Graph
    from fewlabels.marks import with_random_state
    from fewlabels.tabular import units_sentence

    k, most = options.neighbors, features.n_points - 1
    if k > most and k != NEIGHBORS:
        warnings.warn(
            f"--neighbors {k}: every point has only {most:,} others and is connected with all of them, which tells "
            "little; ten to thirty is usual.",
            FewlabelsWarning,
            stacklevel=1,
        )
    if said := units_sentence(features):
        warnings.warn(said, FewlabelsWarning, stacklevel=1)
    say(f"connecting {features.n_points:,} points with their {min(k, most):,} nearest")
    graph = Graph.from_features(features.X, k, metric=options.metric, search=options.search)
    return with_random_state(graph, options.seed)


def names_of(features: FeatureFile) -> Sequence[Any]:
    """Return what the points are called: their ids, or their rows."""
    return features.ids if features.ids is not None else range(features.n_points)
