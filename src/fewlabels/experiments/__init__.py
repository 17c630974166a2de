"""The paper's laboratory: plans as data, trials on fixed draws, and a store that survives anything."""

from fewlabels.experiments.jobs import helpers
from fewlabels.experiments.laboratory import EXPERIMENTS, Request, chosen, perform, write_page
from fewlabels.experiments.plans import PLANS, Cell, Plan, Spec, named_plan
from fewlabels.experiments.runner import run, trial_key
from fewlabels.experiments.store import Store, Trial
from fewlabels.experiments.summary import table_of

__all__ = [
    "EXPERIMENTS",
    "PLANS",
    "Cell",
    "Plan",
    "Request",
    "Spec",
    "Store",
    "Trial",
    "chosen",
    "helpers",
    "named_plan",
    "perform",
    "run",
    "table_of",
    "trial_key",
    "write_page",
]
