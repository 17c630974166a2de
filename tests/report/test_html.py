from xml.etree import ElementTree

from fewlabels.report.html import bar, cards, document, section, table
from fewlabels.report.surroundings import surroundings


def test_texts_are_escaped_and_markup_is_not():
    page = document("a < b", lead="c & d", parts=[section("<i>", "x > y", "<b>bold</b>")], command="fewlabels 'x'")
    assert "<title>a &lt; b</title>" in page
    assert "<p class='lead'>c &amp; d</p>" in page
    assert "<h2>&lt;i&gt;</h2><p class='note'>x &gt; y</p><b>bold</b></section>" in page
    assert "<p>Again: <code>fewlabels &#x27;x&#x27;</code></p>" in page
    assert f"Made with {surroundings()}." in page
    assert "http" not in page


def test_cards_pair_figures_with_words():
    boxes = ElementTree.fromstring(cards([("1,797", "points & more"), ("<10", "labels")]))
    assert [[part.text for part in box] for box in boxes] == [["1,797", "points & more"], ["<10", "labels"]]


def test_numbers_are_aligned_right_and_the_best_row_is_marked():
    text = table(["name", "a & b"], [["x", "1"], ["<i>y</i>", "2"]], numbers=[1], best=1)
    assert "<th>name</th><th class='number'>a &amp; b</th>" in text
    assert "<tr><td>x</td><td class='number'>1</td></tr>" in text
    assert "<tr class='best'><td><i>y</i></td><td class='number'>2</td></tr>" in text


def test_a_bar_is_as_long_as_its_share_and_nothing_has_none():
    assert bar(0.255, "c3") == "<i class='bar c3' style='width:25.5%'></i>"
    assert bar(0.0) == ""
