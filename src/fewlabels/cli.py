"""The command line: fewlabels label, demo, bench, features and paper."""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fewlabels import __version__
from fewlabels.errors import FewlabelsError, FewlabelsWarning
from fewlabels.progress import interrupts_kept, say, shown

__all__ = ["main"]

BET = 0.9
DEFAULT = "interface-laplace"
BAD_INPUT, BROKEN, INTERRUPTED = 2, 1, 130

LABELS_HELP = (
    ".csv or .parquet with two columns, (row or id, label), rows numbered from 0; or with one column, a line per "
    "point, blank where there is no label; or the name of such a column in FEATURES"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; bad input ends in one sentence on standard error and exit code 2, never in a traceback."""
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings(), interrupts_kept(), shown(not options.quiet):
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", FewlabelsWarning)
            warnings.showwarning = _note
            return int(options.run(options))
    except FewlabelsError as error:
        return _complain(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return _complain("interrupted; no file was written or changed.", INTERRUPTED)
    except MemoryError:
        return _complain("out of memory; use fewer points or features, or --search approximate.", BROKEN)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        return _complain(f"unexpected {type(error).__name__}: {error}; run again with --debug to see where.", BROKEN)


def _complain(sentence: str, code: int) -> int:
    sys.stderr.write(f"fewlabels: {sentence}\n")
    return code


def _note(message: Warning | str, *_: object, **__: object) -> None:
    sys.stderr.write(f"note: {message}\n")


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--quiet", action="store_true", help="show no progress")
    common.add_argument("--debug", action="store_true", help=argparse.SUPPRESS)
    parser = argparse.ArgumentParser(
        prog="fewlabels", description="Label a whole data set from a handful of labels.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"fewlabels {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    label = commands.add_parser("label", parents=[common], help="label your own data", allow_abbrev=False)
    label.add_argument(
        "features", type=Path, metavar="FEATURES", help="one row per point: .npy, .npz, .csv or .parquet"
    )
    label.add_argument("labels", metavar="LABELS", help=LABELS_HELP)
    label.add_argument("--out", type=Path, required=True, metavar="RESULT", help="where to write: .csv or .parquet")
    label.add_argument("--report", type=Path, metavar="PAGE", help="also write an .html page to look at")
    label.add_argument(
        "--method",
        default=DEFAULT,
        help="interface-laplace (default), poisson, laplace, or another method of the library by name",
    )
    label.add_argument("--neighbors", type=int, default=10, metavar="K", help="neighbours per point (default 10)")
    label.add_argument("--metric", default="euclidean", help="euclidean (default) or cosine")
    label.add_argument("--search", default="auto", help="auto (default), exact or approximate")
    label.add_argument(
        "--class-prior",
        default="",
        metavar="SHARES",
        help="known shares of the classes, such as cat=0.3,dog=0.7; labels then keep to them exactly",
    )
    label.add_argument("--refine", choices=["mbo"], help="refine the labels at the class sizes (equal if not known)")
    label.set_defaults(run=_label)

    demo = commands.add_parser("demo", parents=[common], help="label 1,797 handwritten digits", allow_abbrev=False)
    demo.add_argument(
        "--out", type=Path, default=Path("fewlabels-demo.html"), metavar="PAGE", help="where to write the page"
    )
    demo.set_defaults(run=_demo)
    bench = commands.add_parser(
        "bench", parents=[common], help="measure speed beside the textbook and the peers", allow_abbrev=False
    )
    bench.add_argument("--what", default="fit,peers,labels,growth", metavar="PARTS", help="which (default all four)")
    bench.add_argument("--dataset", default="mnist", metavar="NAME", help="data set (default mnist)")
    bench.add_argument("--repeats", type=int, default=5, metavar="N", help="repeats of each timing (default 5)")
    bench.add_argument(
        "--out", type=Path, default=Path("fewlabels-bench.html"), metavar="PAGE", help="where to write the page"
    )
    bench.set_defaults(run=_bench)

    features = commands.add_parser(
        "features", parents=[common], help="make the features of a data set of images", allow_abbrev=False
    )
    features.add_argument("name", metavar="NAME", help="mnist, fashion-mnist or cifar-10, or one whose images you have")
    features.add_argument("--model", default="vae", help="vae, the paper's autoencoder (default), or pixels")
    features.add_argument("--epochs", type=int, default=100, metavar="N", help="epochs of training (default 100)")
    features.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the training (default 0)")
    features.add_argument("--out", type=Path, metavar="FOLDER", help="where to write (default the data folder)")
    features.set_defaults(run=_features)

    paper = commands.add_parser(
        "paper", parents=[common], help="repeat a table of the paper on real data", allow_abbrev=False
    )
    paper.add_argument("plan", metavar="TABLE", help="LIST shows them; all runs them all")
    paper.add_argument("--dataset", default="mnist", metavar="NAMES", help="data sets, with commas (default mnist)")
    paper.add_argument("--trials", type=int, default=100, metavar="N", help="draws per cell (default 100)")
    paper.add_argument("--rates", default="", metavar="R", help="labels per class, with commas; default the paper's")
    paper.add_argument("--methods", default="", metavar="ROWS", help="rows of the table, with commas; default all")
    paper.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that share the work (default 1)")
    paper.add_argument("--only-tables", action="store_true", help="run no trials: tables of what the store has")
    paper.add_argument("--only-trials", action="store_true", help=argparse.SUPPRESS)
    paper.add_argument("--out", type=Path, default=Path("results"), metavar="FOLDER", help="where results are kept")
    paper.set_defaults(run=_paper)
    return parser


def _bench(options: argparse.Namespace) -> int:
    from fewlabels.bench import run_bench
    from fewlabels.files import replacing
    from fewlabels.report.performance import performance_page
    from fewlabels.tabular import check_destination

    check_destination(options.out, (".html", ".htm"), ())
    if options.repeats < 1:
        raise FewlabelsError(f"--repeats {options.repeats} must be at least 1.")
    if not _listed(options.what):
        raise FewlabelsError("--what names nothing to measure; use for example --what fit,peers.")
    report = run_bench(_listed(options.what), options.dataset, options.repeats)
    seconds = [(m.name, m.seconds, m.noise, m.note) for m in report.measured]
    with replacing(options.out) as file:
        file.write(performance_page(report.machine, seconds, report.ratios, report.growth, report.by_labels).encode())
    sys.stdout.write(f"{report.markdown()}\npage: {options.out}\n")
    return 0


def _features(options: argparse.Namespace) -> int:
    from fewlabels.datasets import data_folder, make_features

    out = options.out or data_folder()
    try:
        path = make_features(options.name, options.model, data_folder(), out, epochs=options.epochs, seed=options.seed)
    except KeyboardInterrupt:
        return _complain("interrupted; the epochs that are done are kept, the same command goes on.", INTERRUPTED)
    sys.stdout.write(f"{path}\n")
    return 0


def _paper(options: argparse.Namespace) -> int:
    from fewlabels.experiments import EXPERIMENTS, Request, Store, chosen, helpers, perform, write_page

    if options.plan.upper() == "LIST":
        sys.stdout.write("".join(f"{each.name:<26} {each.title}\n" for each in EXPERIMENTS.values()))
        return 0
    if options.trials < 1:
        raise FewlabelsError(f"--trials {options.trials} must be at least 1.")
    datasets = _listed(options.dataset)
    if not datasets:
        raise FewlabelsError("--dataset names no data set; use for example --dataset mnist,digits.")
    request = Request(
        names=chosen(options.plan),
        datasets=datasets,
        trials=options.trials,
        folder=options.out,
        rates=_listed(options.rates),
        rows=_listed(options.methods),
    )
    same = ["paper", options.plan, "--dataset", options.dataset, "--trials", str(options.trials), "--quiet"]
    same += ["--rates", options.rates, "--methods", options.methods, "--out", str(options.out), "--only-trials"]
    try:
        with helpers(1 if options.only_tables else options.jobs, same):
            results = perform(request, only_trials=options.only_trials, only_tables=options.only_tables)
    except KeyboardInterrupt:
        kept = len(Store(request.store).trials)
        return _complain(f"interrupted; {kept} trials are kept, the same command goes on.", INTERRUPTED)
    for result in results:
        sys.stdout.write(f"{result.table.markdown()}\n{options.out / result.name}.md\n\n")
    if results:
        sys.stdout.write(f"page: {write_page(request, options.plan, results)}\n")
    return 0


def _shares(text: str, labels: Any) -> list[float] | None:
    """Return the shares of the classes among the labels, in their order, from text such as cat=0.3,dog=0.7."""
    import numpy as np

    from fewlabels.labels import ordered_prior

    if not text:
        return None
    known = {}
    for part in _listed(text):
        name, equals, share = part.rpartition("=")
        try:
            known[name.strip()] = float(share) if equals else float("")
        except ValueError:
            raise FewlabelsError(f"--class-prior {part!r} is not a class and its share, such as cat=0.3.") from None
    names = np.array([str(label) for label in labels])
    found = ordered_prior(known, names)
    order = {label: place for place, label in enumerate(np.unique(names).tolist())}
    return [found[order[str(label)]] for label in np.unique(np.asarray(labels)).tolist()]


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _demo(options: argparse.Namespace) -> int:
    from fewlabels.demo import run_demo
    from fewlabels.tabular import check_destination

    check_destination(options.out, (".html",), ())
    start = time.perf_counter()
    accuracies = run_demo(options.out)
    lines = [f"{a.method:<18} {a.mean:5.1f} ± {a.deviation:.1f}" for a in accuracies]
    sys.stdout.write(
        "accuracy in percent on 1,797 digits, one label per class, mean and deviation over 20 draws\n"
        + "\n".join(lines)
        + f"\npage: {options.out}   ({time.perf_counter() - start:.0f} s)\n"
    )
    return 0


def _label(options: argparse.Namespace) -> int:
    import numpy as np

    from fewlabels.answer import answer
    from fewlabels.files import replacing
    from fewlabels.graph import Graph
    from fewlabels.labels import Seeds
    from fewlabels.methods import named_method
    from fewlabels.reach import unreached_sentence
    from fewlabels.tabular import check_destination, read_features, read_labels, write_result

    inputs = [options.features, Path(options.labels)]
    check_destination(options.out, (".csv", ".parquet"), inputs)
    if options.report:
        check_destination(options.report, (".html", ".htm"), [*inputs, options.out])
    method = named_method(options.method, refine=options.refine)

    start = time.perf_counter()
    say(f"reading {options.features}")
    features = read_features(options.features, None if Path(options.labels).is_file() else options.labels)
    given = read_labels(options.labels, features)
    prior = _shares(options.class_prior, given.labels)
    seeds = Seeds.from_classes(given.rows, given.labels, class_prior=prior, balanced=True)
    say(f"connecting {features.n_points:,} points with their {options.neighbors} nearest")
    graph = Graph.from_features(features.X, options.neighbors, metric=options.metric, search=options.search)
    decision = answer(graph, seeds, method, keep_sizes=prior is not None).labelled
    ids = features.ids if features.ids is not None else list(range(features.n_points))
    write_result(options.out, ids, decision.labels, decision.confidence, decision.reached)
    if not decision.reached.all():
        named = "row {}" if features.ids is None else "the point in row {}"
        said = unreached_sentence(graph, decision.reached, named, "--neighbors")
        warnings.warn(said, FewlabelsWarning, stacklevel=1)
    sys.stdout.write(
        f"{features.n_points:,} points labelled from {seeds.size} labels of {seeds.targets.shape[1]} classes "
        f"in {time.perf_counter() - start:.1f} s: {options.out}\n"
        f"It would bet on {np.count_nonzero(decision.confidence >= BET):,} of them, at {BET:.0%} confidence or more.\n"
    )
    if options.report:
        from fewlabels.report import Labelling, flat_map, labelling_page

        drawn, places = flat_map(features.X, seeds.indices)
        page = Labelling(
            title=f"{options.features.name}, labelled",
            method=f"{options.method}{', refined by MBO' if options.refine else ''}"
            f"{', class sizes kept' if prior else ''}, {options.neighbors} neighbours",
            classes=seeds.classes,  # type: ignore[arg-type]
            codes=decision.codes,
            confidence=decision.confidence,
            reached=decision.reached,
            seeds=seeds.indices,
            ids=ids,
            drawn=drawn,
            places=places,
            foot=f"Made by: fewlabels {__version__} label",
        )
        with replacing(options.report) as file:
            file.write(labelling_page(page).encode())
        sys.stdout.write(f"page: {options.report}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
