from fewlabels.experiments.published import published
from fewlabels.report.tables import Entry, Table


def test_the_papers_figure_stands_beside_ours_and_never_in_its_place():
    place = ("Poisson", "1")
    known = published("table1", "mnist")
    assert known[place] == (90.58, 4.07)
    assert len(known) == 55
    empty = Table("t", ["Poisson"], ["1"], {}, published=known)
    for text in (empty.markdown(), empty.latex(), empty.html()):
        assert "90.58" not in text
    run = Table("t", ["Poisson"], ["1"], {place: Entry((92.0,))}, published=known)
    assert "92.00 (paper 90.58, +1.42)" in run.markdown()
    assert "(90.58)" in run.latex()


def test_a_file_for_other_programs_has_a_line_for_each_cell_that_was_run():
    table = Table("t", ["a, b", "c"], ["1", "2"], {("a, b", "1"): Entry((50.0, 52.0)), ("c", "2"): Entry((1.5,))})
    assert table.csv() == 'row,column,mean,deviation,count\n"a, b",1,51,1,2\nc,2,1.5,0,1\n'


def test_the_last_column_says_what_was_counted_or_is_left_out():
    parts = ("t", ["a"], ["1"], {("a", "1"): Entry((50.0, 52.0))})
    assert Table(*parts, counted="cells").markdown().splitlines()[2:5] == [
        "| | 1 | cells |",
        "|---|---|---|",
        "| a | 51.00 ± 1.00 | 2 |",
    ]
    assert Table(*parts, counted="").markdown().splitlines()[2:5] == ["| | 1 |", "|---|---|", "| a | 51.00 ± 1.00 |"]
    assert Table(*parts, counted="").html().count("<th") == 3, "the head and two columns"


def test_the_best_is_bold_among_rows_of_as_many_draws():
    cells = {("a", "1"): Entry((50.0, 52.0)), ("b", "1"): Entry((49.0, 51.0)), ("c", "1"): Entry((90.0,))}
    table = Table("t", ["a", "b", "c"], ["1"], cells, has_best=True)
    assert "| a | **51.00 ± 1.00** | 2 |" in table.markdown()
    for text, mark in ((table.markdown(), "**"), (table.html(), "<b>"), (table.latex(), "textbf")):
        assert text.count(mark) == (2 if mark == "**" else 1)
    assert "**" not in Table("t", ["a", "b"], ["1"], cells).markdown()
    assert "**" not in Table("t", ["a"], ["1"], cells, has_best=True).markdown(), "there is no choice"
