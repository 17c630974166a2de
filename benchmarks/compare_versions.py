"""Labels of two installed versions of fewlabels, compared: every method, four data sets, fixed draws.

Run: FEWLABELS_DATA=folder python benchmarks/compare_versions.py OLD_PYTHON NEW_PYTHON [--draws 5] [--rates 1,5]

OLD_PYTHON and NEW_PYTHON are interpreters that have one version each, such as old/bin/python and new/bin/python. Each
runs in a process of its own and keeps the labels of every fit in --store as soon as it has them, so that a run that was
interrupted goes on where it was. Ends with exit code 1 if a cell agrees on less than 99.99% of the nodes.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

DATASETS = ("digits", "mnist", "fashion-mnist", "cifar-10")
WANTED = 99.99
SLOW_PARAMETERS = {"interface-laplace-network": {"epochs": 50}}
"""Shorter training: two versions either take the same steps from the first on, or they do not."""


def main():
    """Run both versions, then print the table of agreements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--datasets", default=",".join(DATASETS))
    parser.add_argument("--methods", default="", help="names, with commas; default all of the library")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--rates", default="1,5")
    parser.add_argument("--store", type=Path, default=Path("compare_versions"))
    options = parser.parse_args()
    settings = [options.datasets, options.methods, options.rates, str(options.draws)]
    for version in dict.fromkeys(("old", "new")):
        command = [getattr(options, version), __file__, "--worker", str(options.store / version), *settings]
        subprocess.run(command, check=True)
    sys.exit(report(options.store))


def work(store, datasets, methods, rates, draws):
    """Fit what the store lacks with the version of this interpreter."""
    from fewlabels.datasets import load_dataset
    from fewlabels.errors import FewlabelsError
    from fewlabels.methods import METHODS

    store = Path(store)
    store.mkdir(parents=True, exist_ok=True)
    for dataset in datasets.split(","):
        data = load_dataset(dataset)
        for name in methods.split(",") if methods else METHODS:
            for rate in rates.split(","):
                path = store / f"{dataset} {name} {rate}.npy"
                if path.exists():
                    continue
                start = time.perf_counter()
                try:
                    method = METHODS[name](**SLOW_PARAMETERS.get(name, {}))
                    if data.features is not None:
                        method = method.with_features(data.features)
                    found = [
                        method.scores(data.graph, data.seeds(rate, t)).argmax(axis=1).astype(np.uint8)
                        for t in range(int(draws))
                    ]
                except FewlabelsError as error:
                    print(f"{dataset} {name} {rate}: {error}", file=sys.stderr)
                    continue
                beside = path.with_suffix(".part.npy")
                np.save(beside, np.array(found))
                beside.replace(path)
                print(f"{store.name}: {path.stem}, {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)


def report(store):
    """Print the least agreement of every data set, method and rate over its draws; return 1 if one is too low."""
    print(f"| data set | method | labels per class | draws | least agreement, % |\n{'|---' * 5}|")
    least = 100.0
    for old in sorted((store / "old").glob("*.npy")):
        new = store / "new" / old.name
        if ".part" in old.name or not new.exists():
            continue
        before, after = np.load(old), np.load(new)
        agreement = 100 * (before == after).mean(axis=1).min()
        least = min(least, agreement)
        print("| " + " | ".join([*old.stem.split(), str(len(before)), f"{agreement:.3f}"]) + " |")
    print(f"\nleast agreement: {least:.3f}%, wanted {WANTED}%")
    return int(least < WANTED)


if __name__ == "__main__":
    work(*sys.argv[2:]) if "--worker" in sys.argv[1:2] else main()
