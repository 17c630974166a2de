from fewlabels.report.places import places_chart
from fewlabels.report.style import drawn

VALUES = {"ours": 80.0, "first": 70.0, "second": 90.0, "theirs": 60.0}
PANELS = {
    "1 label": {"cells": VALUES, "texts": {"ours": 50.0}},
    "5 labels": {"cells": {"second": 95.0}, "never run": {}},
}


def chart(panels=PANELS):
    return places_chart(panels, emphasised="ours", named=["theirs"], what="accuracy")


def test_every_method_has_its_dot_and_the_best_of_the_others_its_name():
    left, right = chart().axes
    dots = [tuple(line.get_xydata()[0]) for line in left.lines if len(line.get_xydata()) == 1]
    assert sorted(set(dots)) == [(50.0, -1.0), (60.0, 0.0), (70.0, 0.0), (80.0, 0.0), (90.0, 0.0)]
    assert [text.get_text() for text in left.texts] == ["second"]
    assert [text.get_text() for text in right.texts] == ["second"]
    assert [text.get_text() for text in left.get_yticklabels()] == ["cells", "texts"]


def test_the_emphasised_method_is_the_largest_mark():
    left = chart().axes[0]
    sizes = {line.get_xydata()[0][0]: line.get_markersize() for line in left.lines if line.get_marker() != "None"}
    assert max(sizes, key=sizes.get) in (50.0, 80.0)


def test_the_legend_names_what_is_drawn():
    figure = chart()
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["ours", "best of the library", "others", "theirs"]
    assert drawn(figure, "png").startswith(b"\x89PNG")


def test_nothing_run_is_no_picture():
    assert chart({"1 label": {"cells": {}}}) is None
