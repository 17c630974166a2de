"""The command `fewlabels label` on small files: write them, run it, and read what came of it."""

import csv
from pathlib import Path

import numpy as np

from fewlabels.cli import main

NAMES = np.array(["ant", "bee", "cat", "dog"])


def write(name, *lines):
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(name):
    return list(csv.DictReader(Path(name).read_text(encoding="utf-8").splitlines()))


def label(*arguments):
    return main(["label", "--quiet", "--force", *arguments])


def accuracy(rows):
    return np.mean([row["label"] == name for row, name in zip(rows, np.repeat(NAMES, 40), strict=True)])
