import re
from xml.etree import ElementTree

import numpy as np

from fewlabels.report.figures import confidence_table, legend, picture, point_map

IDENTITY = re.compile(r"<use href='#(\w+)' class='(c\d)'")


def a_map(classes, reached=True):
    places = np.random.default_rng(0).random((classes, 2))
    return point_map(
        places,
        codes=np.arange(classes),
        confidence=np.linspace(0, 1, classes),
        seeds=np.zeros(classes, dtype=bool),
        reached=np.full(classes, reached),
        titles=[f"point {i} <&" for i in range(classes)],
    )


def test_points_are_counted_by_tenths():
    rows = ElementTree.fromstring(confidence_table(np.array([0.05, 0.55, 0.55, 0.95, 1.0] + [0.31] * 1234)))
    said = [[cell.text for cell in row][:2] for row in rows.iter("tr")][1:]
    assert said[0] == ["90–100%", "2"]
    assert [count for _, count in said] == ["2", "0", "0", "0", "2", "0", "1,234", "0", "0", "1"]
    widths = [float(bar.get("style")[6:-1]) for bar in rows.iter("i")]
    assert max(widths) == 100
    assert len(widths) == 4, "no bar where there is no point"


def test_sixty_classes_look_different_each():
    looks = IDENTITY.findall(a_map(60))
    assert len(set(looks)) == 60
    assert len({shape for shape, _ in looks[:6]}) == 6, "neighbours in the order of classes differ in shape as well"


def test_every_dot_has_its_text_and_every_shape_is_defined():
    text = a_map(12)
    tree = ElementTree.fromstring(f"<body>{text.replace(' hidden', '')}</body>")
    defined = {part.get("id") for part in tree.iter() if part.get("id")}
    dots = list(tree.iter("use"))
    assert len(dots) == 12
    assert {dot.get("href")[1:] for dot in dots} <= defined
    assert [dot.find("title").text for dot in dots] == [f"point {i} <&" for i in range(12)]
    assert next(tree.iter("svg")).get("role") == "img"
    assert next(tree.iter("svg")).get("aria-label") == "Map of 12 points by predicted class"


def test_the_legend_names_the_unreached_where_there_are_any():
    assert "unreached" not in legend(["a"], unreached=False)
    assert "unreached by any label" in legend(["a"], unreached=True)
    assert a_map(3, reached=False).count("class='unreached'") == 3
    many = legend([f"name {i}" for i in range(300)], unreached=False)
    assert "and 276 more classes" in many
    assert many.count("name") == 24


def test_a_picture_says_what_it_shows():
    assert "<img alt='a &lt;3&gt;' src='data:image/png;base64," in picture(np.eye(3), "caption", "a <3>")
