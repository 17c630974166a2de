"""Run what a plan still lacks, draw by draw, and put every result into the store as soon as it is there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from fewlabels.datasets import Dataset, load_dataset
from fewlabels.errors import FewlabelsError
from fewlabels.experiments.plans import Plan, Spec
from fewlabels.experiments.store import Store, Trial
from fewlabels.interface import nonzero_laplacian
from fewlabels.methods import METHODS, Method
from fewlabels.progress import say, track

__all__ = ["method_of", "run", "trial_key"]

POLL_SECONDS = 1.0


def run(plans: Sequence[Plan], store: Store, trials: int) -> None:
    """Run the trials of the plans that the store lacks.

    Trial t of a cell has draw t, the same for every method. Several processes may run the same plans on one store; each
    takes what no other has, and all return when everything is there.
    """
    data = {name: load_dataset(name) for name in {plan.dataset for plan in plans}}
    wanted = {
        trial_key(data[plan.dataset], cell.spec, cell.rate, t): (plan.dataset, cell.spec, cell.rate, t)
        for t in range(trials)
        for plan in plans
        for cell in plan.cells
    }
    store.refresh()
    missing = [key for key in wanted if key not in store.trials]
    for key in track(missing, "trials", total=len(missing)):
        _run_one(key, wanted[key], store, data)
    said = False
    while missing := [key for key in wanted if key not in store.trials]:
        for key in missing:
            _run_one(key, wanted[key], store, data)
        if any(key not in store.trials for key in missing):
            if not said:
                say(f"waiting for other processes that claim {len(missing)} trials ({store.claims})")
                said = True
            time.sleep(POLL_SECONDS)
            store.refresh()
    store.tidy()


def trial_key(data: Dataset, spec: Spec, rate: str, t: int) -> str:
    """Return the name under which the store keeps a trial."""
    return Trial(data.name, data.checksum[:16], str(spec), rate, t, 0.0, 0.0).key


def _run_one(key: str, what: tuple[str, Spec, str, int], store: Store, data: dict[str, Dataset]) -> None:
    name, spec, rate, t = what
    if key in store.trials:
        return
    with store.claim(key) as mine:
        store.refresh()
        if not mine or key in store.trials:
            return
        start = time.perf_counter()
        seeds = data[name].seeds(rate, t)
        labels = method_of(spec, data[name]).scores(data[name].graph, seeds).argmax(axis=1)
        others = np.ones(labels.size, dtype=bool)
        others[seeds.indices] = False
        accuracy = 100.0 * float(np.mean(labels[others] == data[name].y[others]))
        seconds = time.perf_counter() - start
        checksum = data[name].checksum[:16]
        store.append(Trial(name, checksum, str(spec), rate, t, round(accuracy, 4), round(seconds, 3)))


def method_of(spec: Spec, data: Dataset) -> Method:
    """Return the method that a spec stands for on a data set."""
    if spec.name not in METHODS:
        raise FewlabelsError(f"no method is called {spec.name!r}; choose one of {', '.join(METHODS)}.")
    params: dict[str, Any] = dict(spec.params)
    if params.get("positions") == "truth":
        if "true_interface" not in data.graph.memo:
            data.graph.memo["true_interface"] = nonzero_laplacian(data.graph, data.y)
        params["positions"] = data.graph.memo["true_interface"]
    method = METHODS[spec.name](**params)
    return method if data.features is None else method.with_features(data.features)
