"""The paper's own figures, to stand beside ours: published.csv, copied from its tables."""

from __future__ import annotations

import csv
from importlib.resources import files

__all__ = ["published"]


def published(plan: str, dataset: str) -> dict[tuple[str, str], tuple[float, float]]:
    """Return mean and deviation by row and column of a plan on a data set; empty where the paper has none.

    Examples
    --------
    >>> published("table1", "mnist")["Poisson", "1"]
    (90.58, 4.07)
    """
    text = (files("fewlabels.experiments") / "published.csv").read_text(encoding="utf-8")
    return {
        (line["row"], line["column"]): (float(line["mean"]), float(line["deviation"]))
        for line in csv.DictReader(text.splitlines())
        if line["plan"] == plan and line["dataset"] == dataset
    }
