"""What a person sees and does on the labelling page, in a browser."""

import time

import numpy as np

WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""
CLASSES = "items => items.map(item => [item.dataset.name, item.querySelector('kbd').textContent.toLowerCase()])"
PATIENCE = 30_000


def blobs(folder, per_class=20, classes=3):
    """Write a small data set of well separated classes; return the true class of every row."""
    truth = np.repeat(np.arange(classes), per_class)
    X = np.random.default_rng(0).normal(size=(len(truth), 4)) + 12 * np.eye(4)[truth]
    np.save(folder / "blobs.npy", X)
    return truth


class Desk:
    """A window with the page, and everything that went wrong in it."""

    def __init__(self, context, client):
        self.client = client
        self.errors, self.dialogs = [], []
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(WATCH)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("dialog", self._asked)

    def _heard(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def _asked(self, dialog):
        if dialog.type != "beforeunload":
            self.dialogs.append(dialog.type)
        dialog.accept()

    def open(self, client=None):
        self.client = client or self.client
        self.page.goto(f"{self.client.origin}/?token={self.client.token}")
        self.page.wait_for_selector("#focus[data-node]")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def card(self):
        """Return the row that the large card is about, None if it is about nothing."""
        node = self.page.get_attribute("#focus", "data-node")
        return None if node is None else int(node)

    def classes(self):
        """Return each class with its key, in the order of the buttons."""
        return dict(self.page.eval_on_selector_all("#class-list li", CLASSES))

    def give(self, name):
        """Label the card by its class's key, or by naming the class if it is new; wait for another card."""
        before, key = self.card(), self.classes().get(name)
        if key:
            self.press(key)
        else:
            self.press("n")
            self.page.keyboard.type(name)
            self.press("Enter")
        self.until(f"document.querySelector('#focus').dataset.node !== '{before}'")
        return before

    def until(self, expression):
        """Wait until something holds in the page, whose policy forbids that it evaluates the expression itself."""
        end = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.02)

    def nothing_waits(self):
        """Wait until the page has heard of every answer that it is kept, which is later than that it is."""
        self.until("!Object.keys(sessionStorage).some(key => key.startsWith('fewlabels-outbox'))")

    def answered(self):
        """Wait until the server has every answer and has worked out what it says; return its state."""
        self.nothing_waits()
        return self.client.wait()

    def said(self, words):
        """Wait until the status line says some words."""
        self.shows("#status", words)

    def shows(self, selector, words):
        """Wait until an element's text contains some words."""
        end = time.monotonic() + PATIENCE / 1000
        while words not in (text := self.page.text_content(selector)):
            assert time.monotonic() < end, text
            time.sleep(0.02)

    def text(self, selector):
        return self.page.inner_text(selector)

    def spots(self):
        """Return where every row is in the window, by what the map says of its view."""
        box = self.page.locator("#map").bounding_box()
        x, y, scale = map(float, self.page.get_attribute("#map", "data-view").split())
        places = np.frombuffer(self.client.get("/api/map").content, "<f4").reshape(-1, 2).astype(float)
        middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
        return middle + (places - (x, y)) * (scale, -scale)

    def names_of_points(self):
        """Return the label of every row as the server has it."""
        points = np.frombuffer(self.client.get("/api/points").content, "<u2")
        # the classes after the points: one may be new in between
        names = np.array(["", *(each["name"] for each in self.client.state()["classes"])])
        return names[points >> 4]

    def given(self):
        """Return the given labels as the server has them."""
        state = self.client.state()
        return {node: state["classes"][code - 1]["name"] for node, code in state["given"]}

    def all_well(self):
        """Nothing went wrong behind the scenes, and no script or window came from data."""
        assert self.errors == []
        assert self.dialogs == []
        assert self.page.evaluate("window.violations") == []
        assert self.page.evaluate("window.ran") is None
