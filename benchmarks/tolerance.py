"""How many labels the tolerances of the two solves keep, against the converged solution.

Run: FEWLABELS_DATA=folder python benchmarks/tolerance.py [--dataset mnist] [--draws 6]
"""

import argparse
from unittest.mock import patch

import numpy as np

from fewlabels import InterfaceLaplace
from fewlabels.datasets import load_dataset
from fewlabels.solvers import CG

COLUMNS, TERM = "fewlabels.solvers.auto.USUAL_TOL", "fewlabels.methods.interface_laplace.SMOOTH_TOL"


def main():
    """Print, for each rate and tolerance, the least share of equal labels over the draws and the mean steps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", default="mnist")
    parser.add_argument("--draws", type=int, default=6)
    options = parser.parse_args()
    data = load_dataset(options.dataset)
    for rate in ("1", "5"):
        draws = [data.seeds(rate, t) for t in range(options.draws)]
        exact = [InterfaceLaplace(solver=CG(1e-7)).scores(data.graph, seeds).argmax(axis=1) for seeds in draws]
        for tol, smooth in ((3e-3, 3e-3), (3e-3, 5e-2), (3e-3, 0.15), (3e-3, 0.2), (1e-2, 0.15)):
            with patch(COLUMNS, tol), patch(TERM, smooth):
                found = [InterfaceLaplace().spread(data.graph, seeds) for seeds in draws]
            kept = [100 * np.mean(f.scores.argmax(axis=1) == e) for f, e in zip(found, exact, strict=True)]
            steps = np.mean([sum(solve.n_iter for solve in f.solves) for f in found])
            said = f"{data.title}, {rate} per class, columns {tol:g}, term {smooth:g}"
            print(f"{said}: {min(kept):.2f}% or more, {steps:.0f} steps", flush=True)


if __name__ == "__main__":
    main()
