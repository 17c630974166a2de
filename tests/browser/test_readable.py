"""Light, dark and narrow: text and marks stand out, nothing is cut off, everything has a name."""

import pytest
from browsing import blobs

CONTRASTS = """async () => {
  const { contrast, colourOf, groundColour, fadedColour } = await import("/static/colours.js");
  const marks = Array.from({ length: 320 }, (_, slot) => contrast(colourOf(slot), groundColour()));
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  const texts = [["ink", "ground"], ["ink", "panel"], ["quiet", "panel"], ["quiet", "sunken"], ["quiet", "chosen"],
                 ["ink", "chosen"], ["on-accent", "accent"], ["alarm", "on-alarm"]];
  return { marks: Math.min(...marks, contrast(fadedColour(), groundColour())),
           edges: contrast(value("edge"), value("panel")),
           focus: contrast(value("accent"), value("panel")),
           texts: Math.min(...texts.map(([one, other]) => contrast(value(one), value(other)))) };
}"""
NAMELESS = """() => [...document.querySelectorAll("button, input, select, canvas[tabindex], [role=listbox], img")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.ariaLabel || element.textContent.trim() || element.alt || element.labels?.length
                         || element.getAttribute("aria-labelledby")))
  .map((element) => element.outerHTML)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_names(serve, visit, tmp_path, scheme):
    blobs(tmp_path)
    _, client = serve("blobs.npy")
    desk = visit(client, scheme=scheme)
    desk.give("a")
    found = desk.page.evaluate(CONTRASTS)
    assert found["marks"] >= 3
    assert found["edges"] >= 3
    assert found["focus"] >= 3
    assert found["texts"] >= 4.5
    assert desk.page.evaluate(NAMELESS) == []
    desk.press("?")
    desk.page.wait_for_selector("#help[open]")
    desk.press("1", "Escape")
    desk.answered()
    assert len(desk.given()) == 1
    desk.all_well()


def test_a_window_of_600_pixels_is_enough(serve, visit):
    _, client = serve("--demo", "--journal", "demo.jsonl")
    desk = visit(client, width=600, height=900)
    for name in ("a", "b"):
        desk.give(name)
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 600
    for selector in ("#map", "#focus", "#focus img", "#accept"):
        box = desk.page.locator(selector).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 600
        assert box["y"] + box["height"] <= 900
    desk.press("Escape", "s", "ArrowRight", "z")
    desk.page.click("#undo")
    client.wait(lambda state: state["seq"] == 5)
    assert len(desk.given()) == 1
    desk.all_well()
