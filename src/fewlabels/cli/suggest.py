"""fewlabels suggest: what to label next, as a file to fill in."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlabels.cli.common import Commands
from fewlabels.cli.destinations import TABLES, add_out, called, check_new, tell
from fewlabels.cli.given import (
    FEATURES_HELP,
    LABELS_HELP,
    add_graph_options,
    add_seed,
    connected,
    names_of,
    read_features_of,
    read_given,
    seeded_method,
)
from fewlabels.cli.parsing import command

if TYPE_CHECKING:
    from fewlabels.answer import Answer
    from fewlabels.graph import Graph
    from fewlabels.methods import Method
    from fewlabels.tabular import FeatureFile

__all__ = ["add_to", "run"]

EXAMPLES = (
    "fewlabels suggest features.npy -n 10 -o ask.csv               # before there is any label",
    "fewlabels suggest features.npy labels.csv -n 20 -o ask.csv    # fill in the column label, add it to labels.csv",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "suggest", "say which points to label next", EXAMPLES)
    parser.add_argument("features", type=Path, metavar="FEATURES", help=FEATURES_HELP)
    parser.add_argument("labels", nargs="?", metavar="LABELS", help=f"labels so far, if there are any: {LABELS_HELP}")
    parser.add_argument("--id", metavar="COLUMN", help="the column of FEATURES with the ids")
    parser.add_argument("-n", "--number", type=int, default=10, metavar="N", help="how many points (default 10)")
    parser.add_argument("--strategy", default="mixed", help="mixed (default), margin or random")
    add_out(parser, "ASK")
    add_graph_options(parser)
    add_seed(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read what is labelled, and write which points to label next, with what they are labelled now."""
    from fewlabels.active import check_request
    from fewlabels.tabular import write_table

    method = seeded_method(options)
    inputs = [Path(each) for each in (options.features, options.labels) if each is not None]
    check_new(options.out, TABLES, inputs, force=options.force)
    check_request(options.number, options.strategy, options.seed)
    features, rows, found = _asked(options, method)
    names = names_of(features)
    key = "row" if features.ids is None else "id"
    columns: dict[str, Any] = {key: [names[row] for row in rows], "label": [""] * len(rows)}
    if found is not None:
        columns |= {"guess": found.labelled.labels[rows].tolist(), "confidence": found.labelled.confidence[rows]}
    write_table(options.out, columns)
    many = "s" * (len(rows) != 1)
    tell(options.out, f"{len(rows)} point{many} to label next, the most useful first: {called(options.out)}\n")
    return 0


def _asked(options: argparse.Namespace, method: Method) -> tuple[FeatureFile, list[int], Answer | None]:
    """Return the features, the rows to label next, and what the labels so far say."""
    from fewlabels.active import suggested
    from fewlabels.answer import answer
    from fewlabels.labels import Seeds

    wanted: dict[str, Any] = {"strategy": options.strategy, "random_state": options.seed}
    if options.labels is None:
        features = read_features_of(options)
        graph: Graph = connected(options, features)
        return features, suggested(graph, None, None, options.number, **wanted).tolist(), None
    features, given = read_given(options)
    seeds = Seeds.from_classes(given.rows, given.labels, balanced=True)
    found = answer(connected(options, features), seeds, method.with_features(features.X))
    return features, found.suggest(options.number, **wanted).tolist(), found
