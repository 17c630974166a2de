from fewlabels.report.charts import chart_of
from fewlabels.report.tables import Entry, Table


def test_a_chart_names_the_paper_last_and_draws_deviations():
    entries = {("a", "1"): Entry((50.0, 60.0)), ("a", "5"): Entry((70.0, 90.0))}
    table = Table("t", ["a", "never run"], ["1", "5"], entries, published={("a", "1"): (52.0, 1.0)})
    axes = chart_of(table, what="accuracy").axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["1", "5", "the paper"]
    spans = [bar.get_segments()[0][:, 0].tolist() for bar in axes.collections]
    assert spans == [[50.0, 60.0], [70.0, 90.0]]
    assert chart_of(Table("t", ["a"], ["1"], {}), what="accuracy") is None


def test_rows_that_are_numbers_are_drawn_as_lines_without_what_was_not_run():
    entries = {(row, "1"): Entry((float(row), float(row) + 2)) for row in ("1", "3")}
    axes = chart_of(Table("t", ["1", "2", "3"], ["1", "5"], entries), what="accuracy", axis="k").axes[0]
    assert [line.get_xydata().tolist() for line in axes.lines] == [[[1.0, 2.0], [3.0, 4.0]]]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("k", "accuracy")


def test_converged_lines_are_dashed_and_named_once():
    rows = ["1", "2", "1 (converged)", "2 (converged)"]
    table = Table("t", rows, ["1", "5"], {(row, column): Entry((50.0,)) for row in rows for column in ("1", "5")})
    axes = chart_of(table, what="accuracy", axis="k").axes[0]
    legend = axes.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["1", "5", "converged"]
    assert legend.get_title().get_text() == "labels per class"
    assert [line.get_linestyle() for line in axes.lines] == ["-", "--", "-", "--", "--"]
