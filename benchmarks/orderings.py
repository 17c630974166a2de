"""Whether the orderings that the paper reports hold on our graphs, read from the trials that `fewlabels paper` keeps.

Run first, for each data set:
     fewlabels paper table1 --dataset mnist --rates 1 --methods "Laplace,Nearest Neighbor,Random Walk,p-Laplace,Poisson"
     fewlabels paper positions --dataset mnist; fewlabels paper loss --dataset mnist --rates 1
     fewlabels paper penalty --dataset mnist
then: FEWLABELS_DATA=folder python benchmarks/orderings.py results/trials.jsonl [more stores] --dataset mnist
"""

import argparse
from pathlib import Path

import numpy as np

from fewlabels.experiments import Store, named_plan

ORDERINGS = [
    ("table1", ["Inter-Laplace"], ["Poisson"]),
    ("table1", ["Poisson"], ["Random Walk"]),
    ("table1", ["Random Walk"], ["p-Laplace"]),
    ("table1", ["p-Laplace"], ["Nearest Neighbor"]),
    ("table1", ["Nearest Neighbor"], ["Laplace"]),
    (
        "positions",
        ["Remove k-hop", "Laplace-base", "Poisson-base", "Geodesic"],
        ["Ground truth", "Training", "All", "Random"],
    ),
    ("penalty", ["squared l2"], ["l-infinity"]),
    ("penalty", ["l-infinity"], ["l1"]),
    ("loss", ["MSE"], ["CE"]),
]


def main():
    """Print the means, then each ordering with the difference over the draws that both have."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument("--dataset", default="mnist")
    options = parser.parse_args()
    trials = {}
    for path in options.stores:
        trials |= Store(path).trials

    def found(plan, row):
        cell = next(cell for cell in named_plan(plan, options.dataset, ["1"]).cells if cell.row == row)
        return {
            trial.draw: trial.accuracy
            for trial in trials.values()
            if (trial.dataset, trial.method, trial.rate) == (options.dataset, str(cell.spec), "1")
        }

    print("| | accuracy | draws |\n|---|---|---|")
    for plan, row in dict.fromkeys((p, r) for p, high, low in ORDERINGS for r in high + low):
        values = list(found(plan, row).values())
        if values:
            print(f"| {plan}: {row} | {np.mean(values):.2f} ± {np.std(values):.2f} | {len(values)} |")
    print("\n| the paper's ordering | difference | draws | holds |\n|---|---|---|---|")
    for plan, high, low in ORDERINGS:
        for better in high:
            for worse in low:
                a, b = found(plan, better), found(plan, worse)
                both = sorted(set(a) & set(b))
                if both:
                    gap = np.array([a[t] - b[t] for t in both])
                    error = gap.std() / np.sqrt(len(both))
                    word = "yes" if gap.mean() > 0 else "**no**"
                    print(f"| {better} > {worse} | {gap.mean():+.2f} ± {error:.2f} | {len(both)} | {word} |")


if __name__ == "__main__":
    main()
