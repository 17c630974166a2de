"""What a person sees and does on the labelling page, in a browser."""

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
        self.page.wait_for_function("node => document.querySelector('#focus').dataset.node !== node", arg=str(before))
        return before

    def said(self, words):
        """Wait until the status line says some words."""
        self.page.wait_for_function("words => document.querySelector('#status').textContent.includes(words)", arg=words)

    def text(self, selector):
        return self.page.inner_text(selector)

    def place(self, node):
        """Return where a row is in the window, by what the map says of its view."""
        box = self.page.locator("#map").bounding_box()
        x, y, scale = map(float, self.page.get_attribute("#map", "data-view").split())
        places = np.frombuffer(self.client.get("/api/map").content, "<f4").reshape(-1, 2)
        across = box["x"] + box["width"] / 2 + (places[node, 0] - x) * scale
        return across, box["y"] + box["height"] / 2 - (places[node, 1] - y) * scale

    def names_of_points(self):
        """Return the label of every row as the server has it."""
        names = np.array(["", *(each["name"] for each in self.client.state()["classes"])])
        return names[np.frombuffer(self.client.get("/api/points").content, "<u2") >> 4]

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
