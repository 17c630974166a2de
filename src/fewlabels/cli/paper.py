"""fewlabels paper: the paper repeated."""

from __future__ import annotations

import argparse
from pathlib import Path

from fewlabels.cli.cluster import CLUSTER_HELP, workers_help
from fewlabels.cli.common import INTERRUPTED, Commands, complain, listed, tell
from fewlabels.cli.parsing import command
from fewlabels.errors import FewlabelsError

__all__ = ["add_to", "run"]

EXAMPLES = (
    "fewlabels paper LIST",
    "fewlabels paper table1 --dataset digits --trials 10 --jobs 2",
    "fewlabels paper loss,hops,target-mse --jobs 2",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "paper", "repeat a table of the paper on real data", EXAMPLES)
    several = "a table (LIST shows them), several with commas, which share what is solved, or all"
    parser.add_argument("plan", metavar="TABLE", help=several)
    named = "data sets, with commas (default mnist; all that are there for suite)"
    parser.add_argument("--dataset", "--datasets", metavar="NAMES", help=named)
    parser.add_argument("--trials", type=int, default=100, metavar="N", help="draws per cell (default 100)")
    parser.add_argument("--rates", default="", metavar="R", help="labels per class, with commas; default the paper's")
    parser.add_argument("--methods", default="", metavar="ROWS", help="rows of the table, with commas; default all")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that share the work (default 1)")
    parser.add_argument("--cluster", metavar="WHERE", help=CLUSTER_HELP)
    only_odd = "of the draws the odd ones alone, by which no rule was chosen (suite, label-next)"
    parser.add_argument("--odd", action="store_true", help=only_odd)
    again = "run trials again that another version of the code made"
    parser.add_argument("--redo-older", action="store_true", help=again)
    parser.add_argument("--only-tables", action="store_true", help="run no trials: tables of what the store has")
    parser.add_argument("--only-trials", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=Path("results"), metavar="FOLDER", help="where results are kept")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run what is missing, then print and write the tables."""
    from fewlabels.experiments import EXPERIMENTS, Request, Store, chosen, helpers, perform, write_page

    if options.plan.upper() == "LIST":
        tell("".join(f"{each.name:<26} {each.title}\n" for each in EXPERIMENTS.values()))
        return 0
    if options.trials < 1:
        raise FewlabelsError(f"--trials {options.trials} must be at least 1.")
    datasets = listed(options.dataset or "")
    if options.dataset is not None and not datasets:
        raise FewlabelsError("--dataset names no data set; use for example --dataset mnist,digits.")
    tables = listed(options.plan)
    request = Request(
        names=chosen(tables),
        datasets=datasets,
        trials=options.trials,
        folder=options.out,
        rates=listed(options.rates),
        rows=listed(options.methods),
        odd=options.odd,
        redo_older=options.redo_older,
    )
    same = ["paper", options.plan, "--trials", str(options.trials), "--quiet"]
    same += ["--dataset", options.dataset] if datasets else []
    same += ["--odd"] * options.odd + ["--redo-older"] * options.redo_older
    same += [
        "--rates",
        options.rates,
        "--methods",
        options.methods,
        "--out",
        str(options.out.resolve()),
        "--only-trials",
    ]
    try:
        where = None if options.only_tables else options.cluster
        with helpers(1 if options.only_tables else options.jobs, same), workers_help(where, options.out, same):
            results = perform(request, only_trials=options.only_trials, only_tables=options.only_tables)
    except KeyboardInterrupt:
        kept = len(Store(request.store).trials)
        return complain(f"interrupted; {kept} trials are kept, the same command goes on.", INTERRUPTED)
    for result in results:
        tell(f"{result.table.markdown()}\n{options.out / result.name}.md\n\n")
    if results:
        name = "all" if "all" in tables else "-".join(request.names)
        tell(f"page: {write_page(request, name, results)}\n")
    return 0
