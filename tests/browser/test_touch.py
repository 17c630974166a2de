"""The page under fingers: pan, pinch, tap and lasso, without a mouse or a keyboard."""

import pytest
from browsing import blobs

PER_CLASS = 30


class Fingers:
    """Touches of the window as the system would report them."""

    def __init__(self, desk):
        self.session = desk.page.context.new_cdp_session(desk.page)

    def send(self, kind, *spots):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(spots)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def draw(self, *spots):
        """Draw a line with one finger."""
        self.send("touchStart", spots[0])
        for spot in spots[1:]:
            self.send("touchMove", spot)
        self.send("touchEnd")

    def pinch(self, x, y, grown=100):
        """Move two fingers apart about a place."""
        self.send("touchStart", (x - 20, y), (x + 20, y))
        for step in range(1, 6):
            apart = 20 + grown * step / 10
            self.send("touchMove", (x - apart, y), (x + apart, y))
        self.send("touchEnd")


@pytest.fixture
def desk(serve, visit, tmp_path):
    blobs(tmp_path, PER_CLASS)
    _, client = serve("blobs.npy")
    desk = visit(client, width=600, touch=True)
    client.wait(lambda state: state["map"] > 0)
    desk.answered()
    return desk


def view(desk):
    x, y, scale = map(float, desk.page.get_attribute("#map", "data-view").split())
    return x, y, scale


def middle(desk):
    box = desk.page.locator("#map").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_one_finger_pans_two_zoom_and_nothing_is_picked(desk):
    x, y = middle(desk)
    card, before, fingers = desk.card(), view(desk), Fingers(desk)
    fingers.draw((x, y), (x + 30, y), (x + 60, y))
    desk.page.wait_for_timeout(200)
    panned = view(desk)
    assert panned[0] < before[0]
    assert panned[2] == before[2]
    fingers.pinch(x, y)
    desk.page.wait_for_timeout(200)
    assert view(desk)[2] > 2 * panned[2]
    desk.page.tap("#whole")
    desk.page.wait_for_timeout(200)
    assert view(desk) == before
    assert desk.card() == card
    desk.all_well()


def test_taps_pick_label_move_and_take_back(desk):
    desk.give("a")
    node = next(node for node in range(3 * PER_CLASS) if node != desk.card() and node not in desk.given())
    desk.page.evaluate("scrollTo(0, 0)")
    while desk.answered()["map"] != int(desk.page.get_attribute("#map", "data-map")):
        desk.page.wait_for_timeout(100)
    desk.page.touchscreen.tap(*desk.spots()[node].tolist())
    desk.said("is on the card")
    picked = desk.card()
    desk.page.tap("#class-list .give")
    desk.client.wait(lambda state: state["seq"] == 2)
    assert desk.given()[picked] == "a"
    before = desk.card()
    desk.page.tap("#deck li:nth-child(3)")
    desk.until(f"document.querySelector('#focus').dataset.node !== '{before}'")
    desk.page.tap("#accept")
    desk.client.wait(lambda state: state["seq"] == 3)
    desk.page.tap("#undo")
    desk.client.wait(lambda state: state["seq"] == 4)
    assert len(desk.given()) == 2
    desk.all_well()


def test_a_finger_lassoes_and_a_second_one_or_the_system_ends_it(desk):
    desk.page.tap("#lasso")
    x, y = middle(desk)
    fingers = Fingers(desk)
    fingers.send("touchStart", (x - 100, y))
    fingers.send("touchMove", (x, y + 50))
    fingers.send("touchCancel")
    before = view(desk)
    fingers.pinch(x, y)
    desk.page.wait_for_timeout(200)
    assert view(desk)[2] > before[2]
    assert "selected" not in desk.text("#status")
    desk.page.tap("#whole")
    box = desk.page.locator("#map").bounding_box()
    low, high = box["y"] + 2, box["y"] + box["height"] - 2
    fingers.draw((2, low), (598, low), (598, high), (2, high))
    desk.said(f"{3 * PER_CLASS} points selected")
    desk.all_well()
