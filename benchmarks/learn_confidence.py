"""Learn how far the default's mean confidence may be believed, on many data sets and on sets made of them.

    FEWLABELS_DATA=folder python benchmarks/learn_confidence.py gather suite.csv [--sets baron,digits] [--seeds 4]
    FEWLABELS_DATA=keel-data python benchmarks/learn_confidence.py gather keel.csv --sets banana,ring,...
    python benchmarks/learn_confidence.py learn suite.csv keel.csv

Sets are made by leaving out classes, joining classes, thinning them out unevenly, adding noise and leaving out columns.
What is learnt is tried on sets that were left out, with all that was made of them, in eight parts.
"""

import argparse
import csv
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import HuberRegressor

from fewlabels import Graph
from fewlabels.answer import answer
from fewlabels.datasets import DATASETS, load_dataset
from fewlabels.datasets.suite import load_suite, suite_names
from fewlabels.decision import decide
from fewlabels.labels import Seeds
from fewlabels.mean_confidence import MOST_FEATURES, MOST_LABELS, NEVER_SURE, as_learnt
from fewlabels.methods.auto import Auto

KINDS = ("as it is", "some classes", "joined classes", "uneven classes", "noise", "some columns")
RATES = ("1", "2", "5", "as-they-come")
FIELDS = ("set", "kind", "rate", "seed", "accuracy", "confidence", "labels", "features", "agreement", "classes")
MOST_ROWS, FEWEST_ROWS, PARTS = 4000, 12, 8


def features_of(name):
    """Return the features and classes of a set of the suite, or of one of the paper's."""
    if name not in DATASETS:
        return load_suite(name)
    data = load_dataset(name)
    return data.features, data.y


def made_of(X, y, kind, random):
    """Return a set of a kind: rows are drawn, a few of each class at least."""
    if kind != "as it is":
        classes = np.unique(y)
        count = round(np.exp(random.uniform(np.log(2), np.log(classes.size))))
        chosen = np.isin(y, random.choice(classes, max(2, count), replace=False))
        X, y = X[chosen], np.unique(y[chosen], return_inverse=True)[1]
    classes = int(y.max()) + 1
    if kind == "joined classes" and classes > 2:
        groups = int(random.integers(2, max(3, classes // 2 + 1)))
        y = random.permutation(np.concatenate([np.arange(groups), random.integers(0, groups, classes - groups)]))[y]
        classes = groups
    shares = np.bincount(y) / y.size
    if kind == "uneven classes":
        shares = random.permutation(np.exp(-random.uniform(0.2, 1.2) * np.arange(classes)))
    wanted = np.maximum(shares / shares.sum() * min(MOST_ROWS, y.size), FEWEST_ROWS).astype(int)
    parts = [np.flatnonzero(y == each) for each in range(classes)]
    rows = [
        random.choice(part, min(part.size, count), replace=False) for part, count in zip(parts, wanted, strict=True)
    ]
    rows = np.sort(np.concatenate(rows))
    X, y = X[rows], y[rows]
    if kind == "noise":
        X = X + random.uniform(0.3, 1.5) * X.std() * random.normal(size=X.shape)
    if kind == "some columns":
        d = X.shape[1]
        X = X[:, random.choice(d, max(min(d, 2), int(d * random.uniform(0.15, 0.6))), replace=False)]
    return np.ascontiguousarray(X, dtype=np.float32), y


def drawn(y, rate, random):
    """Return the rows that are labelled."""
    classes = int(y.max()) + 1
    if rate == "as-they-come":
        return random.choice(y.size, min(5 * classes, y.size // 3), replace=False)
    parts = [np.flatnonzero(y == each) for each in range(classes)]
    return np.concatenate([random.choice(part, min(int(rate), part.size // 2), replace=False) for part in parts])


def gathered(X, y, rate, random):
    """Return what is known of an answer, the mean confidence that it has without what was learnt, and its accuracy."""
    nodes = drawn(y, rate, random)
    graph, seeds = Graph.from_features(X), Seeds.from_classes(nodes, y[nodes])
    if seeds.targets.shape[1] < 2:
        return None
    spread = answer(graph, seeds, Auto().with_features(X)).spread
    features, agreement = spread.redrawn.by_features
    told = replace(spread.redrawn, by_features=None)
    found = decide(spread.scores, graph, seeds, redrawn=told, beyond=spread.beyond)
    free = np.ones(y.size, dtype=bool)
    free[nodes] = False
    accuracy = float((found.labels == y)[free].mean())
    return accuracy, float(found.confidence[free].mean()), nodes.size, features, agreement, seeds.targets.shape[1]


def gather(options):
    """Write a row for every set, kind, rate and seed."""
    with options.table.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(FIELDS)
        for name in options.sets.split(",") if options.sets else [*suite_names(), *DATASETS]:
            X, y = features_of(name)
            for seed in range(options.seeds):
                for kind in KINDS:
                    for rate in RATES:
                        random = np.random.default_rng([seed, KINDS.index(kind), RATES.index(rate)])
                        found = gathered(*made_of(X, y, kind, random), rate, random)
                        if found is not None:
                            table.writerow([name, kind, rate, seed, *found])
            print(name, flush=True)


def log_odds(shares):
    """Return log-odds, as the library takes them."""
    inside = NEVER_SURE + (1 - 2 * NEVER_SURE) * np.asarray(shares)
    return np.log(inside / (1 - inside))


def learn(options):
    """Print the numbers that are learnt, and how far the mean confidence is off with and without them."""
    rows = [row for path in options.tables for row in csv.DictReader(path.open())]
    names = np.array([row["set"] for row in rows])
    accuracy, confidence, labels, features, agreement = (
        np.array([float(row[field]) for row in rows]) for field in FIELDS[4:9]
    )
    classes = np.array([int(row["classes"]) for row in rows])
    columns = [np.log(np.minimum(labels, MOST_LABELS)), np.log(np.minimum(features, MOST_FEATURES))]
    evidence = np.column_stack([log_odds(confidence), *columns, log_odds(agreement)])
    sets, place = np.unique(names, return_inverse=True)
    weights = 1 / np.bincount(place)[place]
    parts = min(PARTS, sets.size)
    part = np.random.default_rng(0).permutation(sets.size)[place] % parts

    def fitted(of):
        model = HuberRegressor(alpha=1e-3, max_iter=3000)
        return model.fit(evidence[of], log_odds(accuracy[of]), sample_weight=weights[of] / weights[of].mean())

    learnt = np.empty(accuracy.size)
    for which in range(parts):
        odds = fitted(part != which).predict(evidence[part == which])
        learnt[part == which] = (1 / (1 + np.exp(-odds)) - NEVER_SURE) / (1 - 2 * NEVER_SURE)
    learnt = np.minimum(confidence, np.maximum(learnt, 1 / classes))
    model = fitted(np.ones(accuracy.size, dtype=bool))
    print(
        "learnt of all:", dict(zip(FIELDS[5:9], model.coef_.round(2), strict=True)), "always", model.intercept_.round(2)
    )
    told = zip(confidence, labels.astype(int), features.astype(int), agreement, classes, strict=True)
    ours = np.array([as_learnt(*each) for each in told])
    of_kind = {
        "all": np.ones(names.size, dtype=bool),
        "as they are": np.array([row["kind"] == KINDS[0] for row in rows]),
    }
    print("| sets | mean confidence | off by | too sure by | more than 15 too sure |\n|---|---|---|---|---|")
    for which, here in of_kind.items():
        for what, told in (("before", confidence), ("learnt of other sets", learnt), ("by the library", ours)):
            off = 100 * (told - accuracy)[here]
            share = 100 * np.average(off > 15, weights=weights[here])
            sizes = (np.average(values, weights=weights[here]) for values in (np.abs(off), off))
            print("|", which, "|", what, "|", " | ".join(f"{size:.1f}" for size in sizes), f"| {share:.0f}% |")


def main():
    """Gather, or learn from what was gathered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("gather")
    one.add_argument("table", type=Path)
    one.add_argument("--sets")
    one.add_argument("--seeds", type=int, default=4)
    one.set_defaults(run=gather)
    other = commands.add_parser("learn")
    other.add_argument("tables", type=Path, nargs="+")
    other.set_defaults(run=learn)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    options.run(options)


if __name__ == "__main__":
    main()
