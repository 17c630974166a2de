"""fewlabels predict: labels of points that come later, by a model that was saved."""

from __future__ import annotations

import argparse
from pathlib import Path

from fewlabels.cli.common import Commands
from fewlabels.cli.destinations import TABLES, add_out, called, check_new, named_columns, tell
from fewlabels.cli.given import FEATURES_HELP, names_of, read_features_of
from fewlabels.cli.parsing import command
from fewlabels.errors import FewlabelsError

__all__ = ["add_to", "run"]

EXAMPLES = (
    "fewlabels label features.npy labels.csv -o result.csv --save model.npz",
    "fewlabels predict model.npz new.npy -o new.csv",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "predict", "label points that come later, by a saved model", EXAMPLES)
    parser.add_argument("model", type=Path, metavar="MODEL", help="what fewlabels label --save wrote")
    parser.add_argument("features", type=Path, metavar="FEATURES", help=FEATURES_HELP)
    parser.add_argument("--id", metavar="COLUMN", help="the column of FEATURES with the ids")
    add_out(parser)
    parser.add_argument("--probabilities", action="store_true", help="also write a column per class, such as p(cat)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read the model and the new points, and write their labels."""
    from fewlabels.predictor import Predictor
    from fewlabels.tabular import write_result
    from fewlabels.tabular.inputs import check_input

    check_new(options.out, TABLES, [options.model, options.features], force=options.force)
    check_input(options.model, "make one by fewlabels label --save")
    model = Predictor.load(options.model)
    features = read_features_of(options, columns=model.names, fewest=1)
    try:
        labels, confidence, reached, rows = model.answered(features.X)
    except FewlabelsError as error:
        raise FewlabelsError(f"{options.features}: {error}") from None
    more = named_columns(model.classes, rows) if options.probabilities else None
    write_result(options.out, names_of(features), labels, confidence, reached, more)
    tell(options.out, f"{features.n_points:,} point{'s' * (features.n_points > 1)} labelled: {called(options.out)}\n")
    return 0
