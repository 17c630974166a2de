import csv
from importlib.resources import files

from fewlabels.experiments import EXPERIMENTS


def test_every_published_plan_is_in_the_registry():
    text = (files("fewlabels.experiments") / "published.csv").read_text(encoding="utf-8")
    assert {line["plan"] for line in csv.DictReader(text.splitlines())} <= set(EXPERIMENTS)
