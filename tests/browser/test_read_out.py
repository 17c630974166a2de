"""What a screen reader says and where the focus is: roles and names, news of what changed, menus, dialogs."""

import pytest
from browsing import blobs


@pytest.fixture
def desk(serve, visit, tmp_path):
    blobs(tmp_path)
    _, client = serve("blobs.npy")
    return visit(client)


def active(desk):
    return desk.page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.id")


def test_every_part_has_a_role_and_a_name(desk):
    desk.give("ant")
    desk.give("bee")
    desk.answered()
    desk.shows("#counts", "2 labelled")
    desk.until("document.querySelector('#focus').ariaLabel.includes('guess')")
    read = desk.page.locator("body").aria_snapshot()
    for part in (
        "- banner",
        "- main",
        '- application "Map of 60 points, 2 labelled"',
        '- toolbar "Map tools"',
        '- slider "Confidence"',
        '- group "Views"',
        '- button "Next" [pressed]',
        '- searchbox "Search ids and text"',
        '- meter "Confidence"',
        '- listbox "What to label next"',
        "- contentinfo",
    ):
        assert part in read
    assert desk.page.get_by_role("button", name="ant, ").count() == 1
    assert desk.page.get_by_role("option", selected=True).count() == 1
    chosen = desk.page.get_by_role("option", selected=True)
    assert desk.page.get_attribute("#deck", "aria-activedescendant") == chosen.get_attribute("id")
    assert chosen.get_attribute("aria-label") == desk.page.get_attribute("#focus", "aria-label")


def test_what_an_answer_changed_is_told(desk):
    desk.give("ant")
    desk.answered()
    desk.until("document.querySelector('#map').dataset.version > 0")
    before = desk.names_of_points()
    desk.give("bee")
    desk.answered()
    count = int((desk.names_of_points() != before).sum())
    assert desk.page.get_attribute("#news", "role") == "status"
    desk.shows("#news", f"{count} point{'s' * (count != 1)} changed class.")
    desk.press("/")
    desk.page.keyboard.type("17")
    desk.shows("#deck-count", "1 point")
    assert desk.page.get_attribute("#deck-count", "role") == "status"
    desk.all_well()


def test_the_menu_closes_by_escape_a_press_elsewhere_and_a_choice(desk):
    menu = "document.querySelector('#export')"
    desk.page.focus("#export summary")
    desk.press("Enter")
    desk.until(f"{menu}.open")
    desk.press("Escape")
    desk.until(f"!{menu}.open")
    assert desk.page.evaluate("document.activeElement.tagName") == "SUMMARY"
    desk.press("Enter")
    desk.page.mouse.click(500, 500)
    desk.until(f"!{menu}.open")
    desk.page.click("#export summary")
    with desk.page.expect_download() as taken:
        desk.page.click("text=Given labels only")
    assert taken.value.suggested_filename == "labels.csv"
    desk.until(f"!{menu}.open")
    desk.all_well()


def test_the_focus_stays_where_a_class_was_renamed_or_merged(desk):
    for name in ("ant", "bee"):
        desk.give(name)
    desk.page.focus("#class-list li[data-name=ant] .edit")
    desk.press("Enter")
    desk.page.wait_for_selector("#class-dialog[open]")
    desk.page.keyboard.type("cow")
    desk.press("Enter")
    desk.page.wait_for_selector("#class-list li[data-name=cow]")
    desk.until("document.activeElement.className === 'edit'")
    assert active(desk) == "Rename, merge or show cow"
    desk.press("Enter")
    desk.page.wait_for_selector("#class-dialog[open]")
    desk.page.focus("#class-into")
    desk.press("Enter")
    desk.page.wait_for_selector("#class-list li[data-name=cow]", state="detached")
    desk.until("document.activeElement.className === 'edit'")
    assert active(desk) == "Rename, merge or show bee"
    desk.client.wait(lambda state: state["seq"] == 4)
    assert set(desk.given().values()) == {"bee"}
    desk.all_well()
