"""fewlabels label: the main job, from files to files."""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlabels.cli import cluster
from fewlabels.cli.common import Commands, listed
from fewlabels.cli.destinations import TABLES, add_out, called, check_new, named_columns, tell
from fewlabels.cli.given import add_graph_options, add_inputs, add_seed, connected, names_of, read_given, seeded_method
from fewlabels.cli.parsing import command
from fewlabels.errors import FewlabelsError, FewlabelsWarning, OneClassWarning, UnreachedWarning

if TYPE_CHECKING:
    from fewlabels.answer import Answer
    from fewlabels.tabular import FeatureFile

__all__ = ["add_to", "run"]

BET = 0.9
OFF_ONE = 0.01
"""Shares that add up to one but for rounding are taken without a word."""

NAMED = 3
"""Of what was weighed, so many contenders are named, those with most weight."""

EXAMPLES = (
    "fewlabels label features.npy labels.csv -o result.csv",
    "fewlabels label table.csv kind --id name -o result.csv --report page.html",
    "fewlabels label embeddings.npy labels.csv --metric cosine --probabilities --save model.npz -o result.parquet",
    "cat table.csv | fewlabels label - labels.csv -o - | sort -t, -k3 -n | head",
)


def add_to(commands: Commands) -> None:
    """Add the command and its options."""
    parser = command(commands, "label", "label your own data", EXAMPLES)
    add_inputs(parser)
    add_out(parser)
    parser.add_argument("--probabilities", action="store_true", help="also write a column per class, such as p(cat)")
    parser.add_argument("--report", type=Path, metavar="PAGE", help="also write an .html page to look at")
    parser.add_argument("--save", type=Path, metavar="MODEL", help="also write an .npz for fewlabels predict")
    add_graph_options(parser)
    add_seed(parser)
    parser.add_argument(
        "--class-prior",
        default="",
        metavar="SHARES",
        help="known shares of the classes, such as cat=0.3,dog=0.7; labels then keep to them exactly",
    )
    parser.add_argument("--refine", choices=["mbo"], help="refine the labels at the class sizes (equal if not known)")
    cluster.add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read features and labels, answer, and write the result and, if asked for, the model and the page."""
    if options.cluster is not None:
        return cluster.label_on_cluster(options, _shares)
    cluster.refuse_alone(options)
    cluster.refuse_several(options.features)
    from fewlabels.answer import answer
    from fewlabels.labels import Seeds
    from fewlabels.tabular import write_result

    method = seeded_method(options, options.refine)
    inputs = [options.features, Path(options.labels)]
    check_new(options.out, TABLES, inputs, force=options.force)
    check_new(options.report, (".html", ".htm"), [*inputs, options.out], force=options.force)
    check_new(options.save, (".npz",), [*inputs, options.out], force=options.force)
    start = time.perf_counter()
    features, given = read_given(options)
    prior = _shares(options.class_prior, given.labels)
    seeds = Seeds.from_classes(given.rows, given.labels, class_prior=prior, balanced=True)
    graph = connected(options, features)
    found = answer(graph, seeds, method.with_features(features.X), keep_sizes=prior is not None)
    decision = found.labelled
    more = named_columns(seeds.classes, decision.probabilities) if options.probabilities else None
    write_result(options.out, names_of(features), decision.labels, decision.confidence, decision.reached, more)
    _tell(options, features, found, time.perf_counter() - start)
    if options.save:
        _save(options, features, found)
    if options.report:
        _write_page(options, features, found)
    return 0


def _tell(options: argparse.Namespace, features: FeatureFile, found: Answer, seconds: float) -> None:
    """Say what was labelled, and which points no label reaches."""
    from fewlabels.labels import one_class_sentence
    from fewlabels.reach import unreached_sentence

    decision, seeds, names = found.labelled, found.seeds, names_of(features)
    kind = "row" if features.ids is None else "the point"
    if not decision.reached.all():
        said = unreached_sentence(
            found.graph, decision.reached, "--neighbors", found.unreached, lambda node: f"{kind} {names[node]}"
        )
        warnings.warn(said, UnreachedWarning, stacklevel=1)
    if said := one_class_sentence(seeds):
        warnings.warn(said, OneClassWarning, stacklevel=1)
    labels, classes = seeds.size, seeds.targets.shape[1]
    bets = int((decision.confidence >= BET).sum()) if classes > 1 else 0
    tell(
        options.out,
        f"{features.n_points:,} points labelled from {labels} label{'s' * (labels > 1)} of "
        f"{classes} class{'es' * (classes > 1)} in {seconds:.1f} s: {called(options.out)}\n"
        f"{_weighed(found) if classes > 1 else ''}"
        f"It would bet on {f'{bets:,}' if bets else 'none'} of them, at {BET:.0%} confidence or more.\n",
    )


def _weighed(found: Answer) -> str:
    """Say in one short line what was weighed, nothing where one method was told."""
    named = [f"{each.name} {each.weight:.0%}" for each in found.chosen[:NAMED]]
    others = len(found.chosen) - len(named)
    return f"Weighed: {'; '.join(named)}{f'; {others} more' if others else ''}.\n" if found.chosen else ""


def _save(options: argparse.Namespace, features: FeatureFile, found: Answer) -> None:
    """Write what labels points that come later."""
    from fewlabels.neighbors import NeighborSearch
    from fewlabels.predictor import Predictor

    search = NeighborSearch(features.X, metric=options.metric, search=options.search)
    Predictor.after(found, search, options.neighbors, "gaussian", features.names).save(options.save)
    tell(options.out, f"model: {options.save}\n")


def _write_page(options: argparse.Namespace, features: FeatureFile, found: Answer) -> None:
    from fewlabels.files import replacing
    from fewlabels.report import Labelling, flat_map, labelling_page

    decision, seeds = found.labelled, found.seeds
    assert seeds.classes is not None
    drawn, places = flat_map(found.graph, seeds.indices)
    page = Labelling(
        title=f"{options.features.name}, labelled",
        method=f"{options.method}{', refined by MBO' if options.refine else ''}"
        f"{', class sizes kept' if options.class_prior else ''}, {options.neighbors} neighbours",
        classes=seeds.classes,
        codes=decision.codes,
        confidence=decision.confidence,
        reached=decision.reached,
        seeds=seeds.indices,
        ids=names_of(features),
        drawn=drawn,
        places=places,
        command=options.command,
        weighed=[str(each) for each in found.chosen],
    )
    with replacing(options.report) as file:
        file.write(labelling_page(page).encode())
    tell(options.out, f"page: {options.report}\n")


def _shares(text: str, labels: Any) -> list[float] | None:
    """Return the shares of the classes among the labels, in their order, from text such as cat=0.3,dog=0.7."""
    import numpy as np

    from fewlabels.label_entries import ordered_prior

    if not text:
        return None
    known = {}
    for part in listed(text):
        name, equals, share = part.rpartition("=")
        try:
            known[name.strip()] = float(share) if equals else float("")
        except ValueError:
            raise FewlabelsError(f"--class-prior {part!r} is not a class and its share, such as cat=0.3.") from None
    total = sum(known.values())
    if abs(total - 1.0) > OFF_ONE:
        said = f"--class-prior adds up to {total:g}, not to 1; each share is divided by that."
        warnings.warn(said, FewlabelsWarning, stacklevel=1)
    names = np.array([str(label) for label in labels])
    found = ordered_prior(known, names)
    order = {label: place for place, label in enumerate(np.unique(names).tolist())}
    return [found[order[str(label)]] for label in np.unique(np.asarray(labels)).tolist()]
