"""Experiments: each one an entry of a registry, run on fixed draws, with a store that survives kills."""

from fewlabels.experiments.experiment import Experiment, Request, Setting, Subject
from fewlabels.experiments.jobs import Task, helpers
from fewlabels.experiments.laboratory import perform, write_page
from fewlabels.experiments.planning import planned, table_of
from fewlabels.experiments.plans import EVERY, FEW, ODD, Cell, Draws, Plan, Spec
from fewlabels.experiments.registry import EXPERIMENTS, chosen, named_plan
from fewlabels.experiments.runner import run, trial_key
from fewlabels.experiments.store import Store, Trial

__all__ = [
    "EVERY",
    "EXPERIMENTS",
    "FEW",
    "ODD",
    "Cell",
    "Draws",
    "Experiment",
    "Plan",
    "Request",
    "Setting",
    "Spec",
    "Store",
    "Subject",
    "Task",
    "Trial",
    "chosen",
    "helpers",
    "named_plan",
    "perform",
    "planned",
    "run",
    "table_of",
    "trial_key",
    "write_page",
]
