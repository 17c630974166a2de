"""Labels and texts from anywhere: they are shown as text, and the page stays usable."""

import csv

import numpy as np

IMAGE = "<img src=x onerror=window.ran=1>"
SCRIPT = "</script><script>window.ran=1</script>"
REVERSED = "\u202eevil\u202c\u200f"
LONG = "long" * 2_500
CLASSES = 300
NAMES = "found => found.map(name => [name.textContent, name.title])"


def write(folder):
    """A table with hostile ids and texts, and 300 labels, some of them hostile."""
    rng = np.random.default_rng(0)
    names = [IMAGE, SCRIPT, REVERSED, LONG, *(f"class {k}" for k in range(CLASSES - 4))]
    with (folder / "table.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "text", "x", "y", "z"])
        for k in range(400):
            text = (IMAGE, SCRIPT, REVERSED, LONG)[k % 4] if k < 40 or k >= 300 else f"text {k}"
            table.writerow([f"{IMAGE} {k}", f"{text} {k}", *rng.normal(size=3) + 5 * (k % 20)])
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "label"])
        table.writerows([f"{IMAGE} {k}", name] for k, name in enumerate(names))
    return names


def test_nothing_from_data_is_ever_run(serve, visit, tmp_path):
    names = write(tmp_path)
    _, client = serve("table.csv", "labels.csv", "--text", "text", "--id", "id")
    desk = visit(client)
    assert sorted(desk.classes()) == sorted(names)
    desk.answered()
    assert IMAGE in desk.text("#focus")
    assert desk.page.eval_on_selector_all("#deck img, #focus img, #class-list img", "found => found.length") == 0
    by_key = list(desk.classes())[:4]
    assert SCRIPT in by_key
    desk.until("document.querySelectorAll('#deck li').length > 4")
    for done, key in enumerate("1234", 1):
        desk.press(key)
        client.wait(lambda state, done=done: state["seq"] == done)
    given = list(desk.given().values())
    assert all(given.count(name) == 2 for name in by_key)
    for view in ("unsure", "slips", "class", "check", "next"):
        desk.page.click(f"#views button[value={view}]")
        desk.page.wait_for_timeout(150)
    desk.page.fill("#search", "onerror")
    desk.shows("#deck-count", "400 points")
    desk.page.click("#class-list li[data-name^='<img'] .edit")
    desk.page.wait_for_selector("#class-dialog[open]")
    assert IMAGE in desk.text("#class-title")
    desk.press("Escape")
    desk.all_well()


def test_long_and_reversed_names_cannot_disturb_what_is_around_them(serve, visit, tmp_path):
    write(tmp_path)
    _, client = serve("table.csv", "labels.csv", "--text", "text", "--id", "id")
    desk = visit(client, width=600)
    shown = dict(desk.page.eval_on_selector_all("#class-list .give .name", NAMES))
    assert "[U+202E]evil[U+202C][U+200F]" in shown
    long = next(name for name in shown if name.startswith("longlong"))
    assert len(long) < 60
    assert shown[long] == LONG
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 600
    desk.press("n")
    desk.page.keyboard.type("class 250")
    visible = desk.page.eval_on_selector_all(
        "#class-list li:not([hidden])", "found => found.map(item => item.dataset.name)"
    )
    assert visible == ["class 250"]
    before = desk.card()
    desk.press("ArrowDown", "Enter")
    client.wait(lambda state: state["seq"] == 1)
    assert desk.given()[before] == "class 250"
    desk.all_well()
