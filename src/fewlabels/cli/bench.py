"""fewlabels bench: speed beside the textbook and the peers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fewlabels.cli.common import Commands, listed
from fewlabels.cli.parsing import command
from fewlabels.errors import FewlabelsError

__all__ = ["add_to", "run"]

EXAMPLES = (
    "fewlabels bench --dataset digits --repeats 3",
    "fewlabels bench --what loop,suite",
    "",
    "parts of --what:",
    "  fit      a fit from features to labels, and its steps",
    "  peers    the same beside other packages",
    "  labels   many labels, many classes",
    "  growth   from ten thousand points to a million",
    "  loop     one label more in a labelling loop",
    "  suite    the default on every data set of the suite",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "bench", "measure speed beside the textbook and the peers", EXAMPLES)
    parser.add_argument(
        "--what",
        default="fit,peers,labels,growth",
        metavar="PARTS",
        help="which of suite, loop, fit, peers, labels and growth, with commas (default the last four)",
    )
    parser.add_argument("--dataset", default="mnist", metavar="NAME", help="data set (default mnist)")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="repeats of each timing (default 5)")
    parser.add_argument(
        "--out", type=Path, default=Path("fewlabels-bench.html"), metavar="PAGE", help="where to write the page"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, print the tables and write the page."""
    from fewlabels.bench import run_bench
    from fewlabels.files import replacing
    from fewlabels.report.performance import performance_page
    from fewlabels.tabular import check_destination

    check_destination(options.out, (".html", ".htm"), ())
    if options.repeats < 1:
        raise FewlabelsError(f"--repeats {options.repeats} must be at least 1.")
    if not listed(options.what):
        raise FewlabelsError("--what names nothing to measure; use for example --what fit,peers.")
    report = run_bench(listed(options.what), options.dataset, options.repeats)
    seconds = [(m.name, m.seconds, m.noise, m.note) for m in report.measured]
    parts = (seconds, report.ratios, report.growth, report.by_labels)
    with replacing(options.out) as file:
        file.write(performance_page(report.machine, *parts, command=options.command).encode())
    sys.stdout.write(f"{report.markdown()}\npage: {options.out}\n")
    return 0
