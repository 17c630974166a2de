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
