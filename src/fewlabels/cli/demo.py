"""fewlabels demo: a first look."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from fewlabels.cli.common import Commands
from fewlabels.cli.parsing import command

__all__ = ["add_to", "run"]

EXAMPLES = (
    "fewlabels demo",
    "fewlabels demo --out digits.html",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "demo", "label 1,797 handwritten digits", EXAMPLES)
    parser.add_argument(
        "--out", type=Path, default=Path("fewlabels-demo.html"), metavar="PAGE", help="where to write the page"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the demonstration."""
    from fewlabels.demo import run_demo
    from fewlabels.tabular import check_destination

    check_destination(options.out, (".html",), ())
    start = time.perf_counter()
    accuracies = run_demo(options.out, command=options.command)
    lines = [f"{a.method:<18} {a.mean:5.1f} ± {a.deviation:.1f}" for a in accuracies]
    sys.stdout.write(
        "accuracy in percent on 1,797 digits, one label per class, mean and deviation over 20 draws\n"
        + "\n".join(lines)
        + f"\npage: {options.out}   ({time.perf_counter() - start:.0f} s)\n"
    )
    return 0
