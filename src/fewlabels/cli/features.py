"""fewlabels features: features of data sets of images."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fewlabels.cli.common import INTERRUPTED, Commands, complain
from fewlabels.cli.parsing import command

__all__ = ["add_to", "run"]

EXAMPLES = (
    "fewlabels features mnist --model vae --epochs 100",
    "fewlabels features fashion-mnist --model pixels",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "features", "make the features of a data set of images", EXAMPLES)
    parser.add_argument("name", metavar="NAME", help="mnist, fashion-mnist or cifar-10, or one whose images you have")
    parser.add_argument("--model", default="vae", help="vae, the paper's autoencoder (default), or pixels")
    parser.add_argument("--epochs", type=int, default=100, metavar="N", help="epochs of training (default 100)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the training (default 0)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write (default the data folder)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make the features and print where they are."""
    from fewlabels.datasets import data_folder, make_features

    out = options.out or data_folder()
    try:
        path = make_features(options.name, options.model, data_folder(), out, epochs=options.epochs, seed=options.seed)
    except KeyboardInterrupt:
        return complain("interrupted; the epochs that are done are kept, the same command goes on.", INTERRUPTED)
    sys.stdout.write(f"{path}\n")
    return 0
