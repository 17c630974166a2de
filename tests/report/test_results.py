from fewlabels.report.results import Result, results_page
from fewlabels.report.tables import Entry, Table


def result(title, picture=b""):
    table = Table(title, ["Poisson"], ["1"], {("Poisson", "1"): Entry((91.0,))}, notes=["Data <5f70>."])
    return Result(name="t", experiment="t", dataset="", table=table, picture=picture, command="fewlabels paper t & u")


def test_every_result_stands_with_its_picture_notes_and_command():
    svg = b"<?xml version='1.0'?><svg xmlns='http://example.org/svg' width='9'></svg>"
    page = results_page([result("First & best", svg), result("Second")])
    assert (
        page.index("<h2>First &amp; best</h2>")
        < page.index("<svg role='img' aria-label='First &amp; best' width='9'>")
        < page.index("<h2>Second</h2>")
    )
    assert page.count("<svg") == 1
    assert page.count("91.00") == page.count("<p class='note'>Data &lt;5f70&gt;.</p>") == 2
    assert page.count("<code>fewlabels paper t &amp; u</code>") == 2
    assert "http" not in page
