"""The map: what is drawn around is selected, what is pointed at is shown, and all of it goes without a mouse."""

import io
import re

import matplotlib.image
import numpy as np
import pytest
from browsing import blobs

PER_CLASS = 60


@pytest.fixture
def desk(serve, visit, tmp_path):
    blobs(tmp_path, PER_CLASS)
    _, client = serve("blobs.npy")
    desk = visit(client, scheme="dark")
    desk.client.wait(lambda state: state["map"] > 0)
    return desk


def around(desk, nodes, pad=3):
    """Draw a lasso around the box of some rows; return the rows inside it."""
    spots = desk.spots()
    low, high = spots[nodes].min(axis=0) - pad, spots[nodes].max(axis=0) + pad
    (left, top), (right, bottom) = low.tolist(), high.tolist()
    mouse = desk.page.mouse
    mouse.move(left, bottom)
    mouse.down()
    for x, y in ((right, bottom), (right, top), (left, top)):
        mouse.move(x, y, steps=3)
    mouse.up()
    return np.flatnonzero(((spots > low) & (spots < high)).all(axis=1)).tolist()


def settled(desk):
    """Wait until the map no longer moves."""
    before = -1
    while before != (now := desk.answered()["map"]):
        before = now
        desk.page.wait_for_timeout(2500)
    desk.until(f"document.querySelector('#map').dataset.map === '{now}'")


def test_a_lasso_and_a_key_label_many_and_ask_above_fifty(desk):
    desk.give("a")
    settled(desk)
    desk.press("l")
    few = around(desk, [0])
    assert 1 <= len(few) <= 50
    desk.shows("#focus", f"{len(few)} point{'s' if len(few) > 1 else ''} selected")
    before = desk.given()
    desk.press("1")
    desk.client.wait(lambda state: state["seq"] == 2)
    assert desk.given() == before | dict.fromkeys(few, "a")
    desk.press("z")
    desk.client.wait(lambda state: state["seq"] == 3)
    assert desk.given() == before
    many = around(desk, range(3 * PER_CLASS))
    assert len(many) == 3 * PER_CLASS
    desk.said("180 points selected")
    desk.press("1")
    desk.page.wait_for_selector("#many[open]")
    assert "180 points" in desk.text("#many")
    desk.press("Escape")
    desk.said("Nothing was labelled")
    assert desk.given() == before
    desk.press("1")
    desk.page.wait_for_selector("#many[open]")
    desk.press("Enter")
    desk.said("180 points labelled")
    desk.client.wait(lambda state: len(state["given"]) == 180)
    assert set(desk.given().values()) == {"a"}
    desk.all_well()


def test_points_are_shown_when_pointed_at_and_picked_by_a_click(desk):
    settled(desk)
    x, y = desk.spots()[17].tolist()
    desk.page.mouse.move(x - 1, y)
    desk.page.mouse.move(x, y)
    desk.page.wait_for_selector("#tip:not([hidden])")
    assert desk.text("#tip").startswith("17")
    desk.page.mouse.click(x, y)
    desk.page.wait_for_selector("#focus[data-node='17']")
    desk.give("a")
    desk.client.wait(lambda state: state["seq"] == 1)
    assert desk.given() == {17: "a"}
    desk.all_well()


def test_zooming_to_the_end_lets_go_of_the_point_that_was_pointed_at(desk):
    settled(desk)
    x, y = desk.spots()[17].tolist()
    desk.page.mouse.move(x - 6, y)
    desk.page.mouse.move(x - 5, y)
    desk.page.wait_for_selector("#tip:not([hidden])")
    whole = desk.page.get_attribute("#map", "data-view")
    for _ in range(40):
        desk.page.mouse.wheel(0, -300)
    desk.page.wait_for_selector("#tip", state="hidden")
    for _ in range(60):
        desk.page.mouse.wheel(0, 300)
    desk.page.click("#whole")
    desk.until(f"document.querySelector('#map').dataset.view === '{whole}'")
    desk.all_well()


def test_the_map_by_keyboard_alone(desk):
    settled(desk)
    before = desk.page.get_attribute("#map", "data-view")
    desk.page.evaluate("document.querySelector('#export summary').focus()")
    desk.press("Tab", "Tab")
    assert desk.page.evaluate("document.activeElement.id") == "map"
    desk.press("ArrowRight", "+", "+")
    desk.until(f"document.querySelector('#map').dataset.view !== '{before}'")
    desk.press("-", "-", "0")
    desk.until(f"document.querySelector('#map').dataset.view === '{before}'")
    for _ in range(12):
        desk.press("-")
    desk.press(" ")
    desk.shows("#status", "selected")
    desk.press("Escape")
    desk.page.wait_for_selector("#focus[data-node]")
    desk.all_well()


def test_confidence_is_told_above_the_slider(desk):
    for name in "abc":
        desk.give(name)
    desk.answered()
    desk.shows("#least-text", "of 177 guesses")
    desk.page.focus("#least")
    for _ in range(5):
        desk.press("PageUp")
    least = int(desk.page.input_value("#least"))
    above = {round(100 * at): number for at, number, _ in desk.client.json("/api/confidence")["above"]}
    assert least > 0
    assert desk.text("#least-text").startswith(f"At {least}% or surer: {above[least]} of 177")
    desk.all_well()


def colours_of(desk, truth):
    """Return the colour that most points of each class have in the window."""
    shown = desk.page.locator("#map").screenshot()
    picture, box = matplotlib.image.imread(io.BytesIO(shown))[..., :3], desk.page.locator("#map").bounding_box()
    column, row = np.floor(desk.spots() - (box["x"], box["y"])).astype(int).T
    return np.array([np.median(picture[row, column][truth == kind], axis=0) for kind in range(3)])


def test_many_points_have_the_colours_of_their_classes_where_they_are(serve, visit, tmp_path):
    truth = blobs(tmp_path, 2000)
    _, client = serve("blobs.npy")
    desk = visit(client, width=640, height=480)
    named = {}
    while len(named) < 3:
        kind = truth[desk.card()]
        desk.give(named.setdefault(kind, "abc"[kind]))
    settled(desk)
    desk.until(f"document.querySelector('#map').dataset.version === '{desk.answered()['version']}'")
    keys = desk.page.eval_on_selector_all(
        "#class-list .mark", "marks => marks.map(mark => getComputedStyle(mark).backgroundColor)"
    )
    wanted = np.array([[int(part) / 255 for part in re.findall(r"\d+", key)[:3]] for key in keys])
    order = [list(desk.classes()).index("abc"[kind]) for kind in range(3)]
    assert np.abs(colours_of(desk, truth) - wanted[order]).max() < 0.2
    desk.all_well()


def test_many_points_below_the_slider_are_as_faint_as_those_without_a_label(serve, visit, tmp_path):
    truth = blobs(tmp_path, 2000)
    _, client = serve("blobs.npy")
    desk = visit(client, width=640, height=480)
    settled(desk)
    faint = colours_of(desk, truth)
    desk.give("a")
    desk.until(f"document.querySelector('#map').dataset.version === '{desk.answered()['version']}'")
    half_sure = colours_of(desk, truth)
    assert np.abs(half_sure - faint).max(axis=1).min() > 0.1
    desk.page.focus("#least")
    desk.press("End")
    desk.page.wait_for_timeout(500)
    np.testing.assert_allclose(colours_of(desk, truth), faint, atol=0.01)
    desk.all_well()
