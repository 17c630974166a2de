"""What an experiment is: one entry with a name, a title, how it runs and how its results are tabulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fewlabels.datasets import Dataset
from fewlabels.experiments.jobs import Task
from fewlabels.experiments.plans import EVERY, UNBALANCED, Cell, Draws, checked_rates
from fewlabels.experiments.store import Store
from fewlabels.interface import nonzero_laplacian
from fewlabels.report.tables import Table
from fewlabels.systems import laplacian_of

__all__ = ["Experiment", "Request", "Setting", "Subject", "Tabulate"]

OWN_DATASET = "mnist"
"""Where the request names no data set."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for: experiments by name, data sets (none: each experiment's own), draws, and a folder.

    With `odd`, of the draws the odd ones alone. With `redo_older`, what other code than this made is run again.
    """

    names: Sequence[str]
    datasets: Sequence[str]
    trials: int
    folder: Path
    rates: Sequence[str] = ()
    rows: Sequence[str] = ()
    odd: bool = False
    redo_older: bool = False

    @property
    def store(self) -> Path:
        """The file that keeps every trial."""
        return self.folder / "trials.jsonl"


@dataclass(frozen=True, eq=False)
class Subject:
    """A data set, and what only an experiment may know about it."""

    data: Dataset

    @cached_property
    def true_interface(self) -> NDArray[np.int64]:
        """The nodes at which the Laplacian of the true labels is not zero."""
        return nonzero_laplacian(self.data.graph, self.data.y)

    @cached_property
    def rounded_interface(self) -> NDArray[np.int64]:
        """The nodes at which the Laplacian of the true labels, worked out in floating point, is not exactly zero."""
        image = laplacian_of(self.data.graph).apply(np.eye(int(self.data.y.max()) + 1)[self.data.y])
        return np.flatnonzero(image.any(axis=1))


@dataclass(frozen=True, eq=False)
class Setting:
    """All that one run of an experiment is given. `dataset` is empty where the experiment needs none."""

    experiment: Experiment
    request: Request
    store: Store
    dataset: str = ""
    subjects: Mapping[str, Subject] = field(default_factory=dict)

    @property
    def draws(self) -> range:
        """The draws that the experiment uses of those asked for."""
        draws = self.experiment.draws.among(self.request.trials)
        return draws[1::2] if self.request.odd else draws

    @property
    def rates(self) -> tuple[str, ...]:
        """The label rates that were asked for, else the experiment's own."""
        return tuple(checked_rates(self.request.rates, self.experiment.named_rates)) or self.experiment.rates

    @property
    def subject(self) -> Subject:
        """The data set with the truth about it."""
        return self.subjects[self.dataset]

    @property
    def data(self) -> Dataset:
        """The data set."""
        return self.subject.data


Tabulate = Callable[[Setting], tuple[Table, Any]]
"""Returns a table, and a matplotlib figure or None."""


def _check_nothing(experiment: Experiment, request: Request, dataset: str) -> None:
    """Accept every request."""


def _no_tasks(setting: Setting) -> Sequence[Task]:
    """Return nothing to do."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One entry of the registry.

    Attributes
    ----------
    name, title : str
        What the command calls it, and what the list says about it.
    tabulate : callable
        Returns the table, and a figure or None, from what the store has or by measuring on the spot.
    tasks : callable
        Returns the pieces of work that put trials into the store; none by default.
    check : callable
        Refuses a request that cannot be met, before any data set is loaded.
    also : mapping of str to callable
        Further tables, by the word that their file names add.
    draws : Draws
        Which of the draws asked for it uses.
    rates : tuple of str
        Labels per class where the request names none; empty where it has no rates to choose.
    named_rates : tuple of str
        Rates that are a word, not a number of labels per class.
    cells : callable or None
        The cells of its table on a data set at some rates, where the experiment is a plan.
    axis : str
        The parameter that its rows are values of; the chart then has lines against it.
    needs_data : bool
        Whether it runs once for each data set, or once without any.
    across : bool
        Whether it runs once over all data sets that were asked for; it then loads them itself.
    has_rows : bool
        Whether the rows of its table can be chosen.
    """

    name: str
    title: str
    tabulate: Tabulate
    tasks: Callable[[Setting], Sequence[Task]] = _no_tasks
    check: Callable[[Experiment, Request, str], None] = _check_nothing
    also: Mapping[str, Tabulate] = field(default_factory=dict)
    draws: Draws = EVERY
    rates: tuple[str, ...] = ()
    named_rates: tuple[str, ...] = (UNBALANCED,)
    cells: Callable[[str, Sequence[str]], list[Cell]] | None = None
    axis: str = ""
    needs_data: bool = True
    across: bool = False
    has_rows: bool = False

    def datasets(self, request: Request) -> Sequence[str]:
        """Return the data sets to run on one by one; one empty name where it runs once."""
        one_by_one = self.needs_data and not self.across
        return list(dict.fromkeys(request.datasets)) or [OWN_DATASET] if one_by_one else [""]
