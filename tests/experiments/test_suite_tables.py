import pytest

from fewlabels.experiments.store import Trial
from fewlabels.experiments.suite_tables import Findings, accuracy_by_cell, summary, tables

ACCURACIES = {
    ("cells", "1", "default"): [80.0, 90.0],
    ("cells", "1", "poisson"): [90.0, 94.0],
    ("cells", "1", "laplace"): [95.0, 81.0],
    ("cells", "1", "1-nearest-neighbor"): [93.0, 93.0],
    ("cells", "5", "default"): [97.0, 97.0],
    ("cells", "5", "poisson"): [96.0, 96.0],
    ("texts", "1", "default"): [50.0],
    ("texts", "1", "poisson"): [40.0, 60.0],
}
SECONDS = [1.0, 5.0]


@pytest.fixture(name="found")
def _found():
    trials = {}
    for (name, rate, row), values in ACCURACIES.items():
        more = {"balanced accuracy": 50.0}
        more |= {"calibration error": 4.0, "mean confidence": 85.0} if row == "default" else {}
        trials[name, rate, row] = {
            t: Trial(name, "0", row, rate, t, value, SECONDS[t], more) for t, value in enumerate(values)
        }
    rows = ["default", "poisson", "laplace", "1-nearest-neighbor"]
    return Findings(["cells", "texts"], ["1", "5"], rows, trials, {"laplace: too slow": 3}, {"poisson": 2})


def test_the_best_may_be_a_plain_classifier_and_regret_is_over_the_draws_of_both(found):
    assert found.best == {("cells", "1"): "1-nearest-neighbor", ("cells", "5"): "poisson", ("texts", "1"): "poisson"}
    assert found.regret(("cells", "1"), "default") == (13.0, 3.0)
    assert found.regret(("cells", "5"), "default") == (-1.0, -1.0)
    assert found.regret(("texts", "1"), "default") == (-10.0,), "on the draw that both have"
    assert found.regret(("texts", "5"), "default") == ()


def test_averages_are_over_cells_and_say_how_many(found):
    table, figure = summary(found)
    assert table.entry("default", "1").values == (85.0, 50.0)
    assert table.entry("default", "all").values == (85.0, 97.0, 50.0)
    assert table.entry("default", "regret").values == (8.0, -1.0, -10.0)
    assert table.entry("poisson", "regret").values == (1.0, 0.0, 0.0)
    assert table.entry("default", "calibration error").values == (4.0, 4.0, 4.0)
    assert table.entry("poisson", "calibration error").values == ()
    assert table.entry("default", "confidence off by").values == (5.0, 12.0, 35.0), "draw by draw, then the mean"
    assert table.entry("poisson", "seconds").values == (3.0, 3.0, 3.0)
    text = table.markdown()
    assert "| cells |" in text.splitlines()[2]
    assert "largest regrets: cells at 1 8.0 to 1-nearest-neighbor; cells at 5 -1.0 to poisson" in text
    assert "Not done, 3 draws: laplace: too slow" in text
    assert "Trials that other code than this made: poisson 2; --redo-older runs them again." in text
    assert [axes.get_title() for axes in figure.axes] == ["1 label per class", "5 labels per class"]


def test_a_table_has_a_line_for_each_cell_with_the_default_first(found):
    table, _ = accuracy_by_cell(found)
    assert list(table.rows) == ["cells, 1", "cells, 5", "texts, 1", "texts, 5"]
    assert list(table.columns)[:4] == ["default", "best method", "regret", "poisson"]
    assert "| cells, 1 | 85.0 ± 5.0 | 93.0 ± 0.0 | 8.0 ± 5.0 | 92.0 ± 2.0 | 88.0 ± 7.0 | 93.0 ± 0.0 | 2 |" in (
        table.markdown()
    )
    assert "cells, 1: 1-nearest-neighbor; cells, 5: poisson" in table.markdown()


def test_other_measures_have_the_columns_that_have_values(found):
    ways = tables(lambda setting: found)
    assert list(ways) == ["", "accuracy", "balanced", "calibration", "seconds"]
    assert list(ways["calibration"](None)[0].columns) == ["default", "default, off by", "default, confidence"]
    seconds = ways["seconds"](None)[0]
    assert seconds.entry("cells, 1", "poisson").values == (3.0,), "the median"
    assert "draws |" not in seconds.markdown()


def test_nothing_run_gives_empty_tables_and_no_picture():
    nothing = Findings(["cells"], ["1"], ["poisson"], {}, {}, {})
    table, figure = summary(nothing)
    assert figure is None
    assert table.entry("poisson", "all").values == ()
    assert accuracy_by_cell(nothing)[0].columns[0] == "best method"
