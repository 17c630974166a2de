import pytest

from fewlabels.datasets import load_dataset
from fewlabels.experiments import Store, Trial, named_plan, run
from fewlabels.experiments.defaults import regret_table

pytestmark = pytest.mark.usefixtures("no_data")


def test_regret_is_the_best_cell_less_the_default_on_odd_draws(tmp_path):
    plan = named_plan(
        "defaults", "digits", ["1"], ["default", "Poisson", "k = 1 and target 0.1", "k = 2 and target 0.1"]
    )
    data, store = load_dataset("digits"), Store(tmp_path / "trials.jsonl")
    accuracies = {"default": (0, 70, 0, 74), "Poisson": (0, 60, 0, 62)}
    accuracies |= {"k = 1 and target 0.1": (90, 71, 90, 71), "k = 2 and target 0.1": (0, 76, 0, 72)}
    for cell in plan.cells:
        for t, accuracy in enumerate(accuracies[cell.row]):
            store.append(Trial(data.name, data.checksum[:16], str(cell.spec), cell.rate, t, accuracy, 0.1))
    table = regret_table(plan, store, 4, data=data)
    assert table.entry("regret", "1").values == (6.0, -2.0)
    assert table.entry("ahead of Poisson", "1").values == (10.0, 12.0)
    assert "1: k = 2 and target 0.1" in table.notes[0]


def test_the_study_of_defaults_runs_odd_draws_alone(tmp_path):
    store = Store(tmp_path / "trials.jsonl")
    run([named_plan("defaults", "digits", ["1"], ["default"])], store, 4)
    assert sorted(trial.draw for trial in store.trials.values()) == [1, 3]
