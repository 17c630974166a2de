"""Every action through the keyboard: shown at once, kept by the server, taken back without limit."""

import pytest
from browsing import blobs


@pytest.fixture
def desk(serve, visit, tmp_path):
    blobs(tmp_path)
    _, client = serve("blobs.npy", "--out", "result.csv")
    return visit(client)


def test_labels_skips_and_accepted_guesses_are_taken_back_one_by_one(desk):
    first = desk.give("a")
    second = desk.give("b")
    skipped = desk.card()
    desk.press("s")
    desk.said("passed over")
    desk.answered()
    desk.page.wait_for_selector("#focus .said .number")
    accepted, guess = desk.card(), ""
    while guess != (guess := desk.text("#focus .said .name")):
        desk.page.wait_for_timeout(800)
    desk.press("Enter")
    desk.said("is “")
    desk.client.wait(lambda state: state["seq"] == 4)
    assert desk.given() == {first: "a", second: "b", accepted: guess}
    for left, node in enumerate((accepted, skipped, second, first)):
        desk.press("Control+z" if left % 2 else "z")
        desk.page.wait_for_selector(f"#focus[data-node='{node}']")
    desk.client.wait(lambda state: state["seq"] == 8 and not state["undo"])
    assert desk.given() == {}
    desk.page.wait_for_selector("#undo:disabled")
    desk.press("z")
    desk.said("nothing to take back")
    desk.all_well()


def test_a_class_is_renamed_and_keeps_its_key(desk):
    desk.give("a")
    desk.give("b")
    desk.page.click("#class-list li[data-name=a] .edit")
    desk.page.keyboard.type("first")
    desk.press("Enter")
    desk.page.wait_for_selector("#class-list li[data-name=first]")
    assert desk.classes() == {"first": "1", "b": "2"}
    node = desk.give("first")
    desk.client.wait(lambda state: state["seq"] == 4)
    assert desk.given()[node] == "first"
    assert sorted(desk.given().values()) == ["b", "first", "first"]
    desk.press("z", "z")
    desk.page.wait_for_selector("#class-list li[data-name=a]")
    desk.client.wait(lambda state: state["seq"] == 6)
    assert sorted(desk.given().values()) == ["a", "b"]
    desk.all_well()


def test_two_classes_are_merged_and_parted_again(desk):
    nodes = [desk.give(name) for name in ("a", "b", "c")]
    desk.page.click("#class-list li[data-name=b] .edit")
    desk.page.select_option("#class-into", "c")
    desk.page.focus("#class-into")
    desk.press("Enter")
    desk.page.wait_for_selector("#class-list li[data-name=b]", state="detached")
    desk.client.wait(lambda state: state["seq"] == 4)
    assert desk.given() == dict(zip(nodes, "acc", strict=True))
    assert desk.classes() == {"a": "1", "c": "3"}
    desk.press("z")
    desk.page.wait_for_selector("#class-list li[data-name=b]")
    desk.client.wait(lambda state: state["seq"] == 5)
    assert desk.given() == dict(zip(nodes, "abc", strict=True))
    desk.all_well()


def test_search_finds_a_row_and_labels_it(desk):
    desk.give("a")
    desk.press("/")
    desk.page.keyboard.type("37")
    desk.press("Enter")
    desk.page.wait_for_selector("#focus[data-node='37']")
    desk.press("1")
    desk.client.wait(lambda state: state["seq"] == 2)
    assert desk.given()[37] == "a"
    desk.press("Delete")
    desk.said("taken away")
    desk.client.wait(lambda state: state["seq"] == 3)
    assert 37 not in desk.given()
    desk.press("Escape")
    desk.page.wait_for_selector("#views button[value=next][aria-pressed=true]")
    desk.all_well()


def test_arrows_move_between_cards_and_views_show_their_points(desk):
    nodes = desk.page.eval_on_selector_all("#deck li", "cards => cards.map(card => card.dataset.node)")
    desk.press("ArrowRight", "ArrowRight", "ArrowLeft")
    desk.page.wait_for_selector(f"#focus[data-node='{nodes[1]}']")
    for name in "abc":
        desk.give(name)
    desk.answered()
    desk.page.click("#views button[value=class]")
    desk.page.select_option("#which-class", "b")
    total = next(each["total"] for each in desk.client.state()["classes"] if each["name"] == "b")
    desk.shows("#deck-count", f"{total} points")
    desk.page.click("#views button[value=unsure]")
    desk.page.wait_for_selector("#deck li .number")
    desk.all_well()


def test_the_result_is_saved_and_exported(desk, tmp_path):
    desk.give("a")
    desk.answered()
    desk.page.click("#save")
    desk.said("Saved to result.csv")
    assert len((tmp_path / "result.csv").read_text().splitlines()) == 61
    desk.page.click("#export summary")
    with desk.page.expect_download() as download:
        desk.page.click("#export a[href$=given]")
    assert "a" in download.value.path().read_text()
    desk.all_well()


def test_there_is_a_card_for_every_key_while_what_to_ask_next_is_worked_out(desk):
    for name in "ab":
        desk.give(name)
    desk.answered()
    nothing = {"version": 1, "cards": [], "total": 0}
    desk.page.route("**/api/cards?view=next*", lambda route: route.fulfill(json=nothing))
    for done in range(30):
        desk.page.wait_for_selector("#focus[data-node]", timeout=2000)
        desk.give("ab"[done % 2])
    desk.client.wait(lambda state: state["seq"] == 32)
    assert len(desk.given()) == 32
    desk.all_well()


def test_keys_and_colours_stay_after_a_merge_and_a_reload(desk):
    for name in "abcd":
        desk.give(name)
    desk.page.click("#class-list li[data-name=b] .edit")
    desk.page.select_option("#class-into", "a")
    desk.page.focus("#class-into")
    desk.press("Enter")
    desk.page.wait_for_selector("#class-list li[data-name=b]", state="detached")
    kept = {"a": "1", "c": "3", "d": "4"}
    assert desk.classes() == kept
    desk.answered()
    desk.page.reload()
    desk.page.wait_for_selector("#class-list li[data-name=d]")
    assert desk.classes() == kept
    desk.give("e")
    desk.page.wait_for_selector("#class-list li[data-name=e]")
    assert desk.classes() == kept | {"e": "2"}
    desk.all_well()


def test_a_key_that_is_held_labels_one_card(desk):
    desk.give("a")
    first = desk.card()
    for _ in range(10):
        desk.page.keyboard.down("1")
    desk.page.keyboard.up("1")
    desk.until(f"document.querySelector('#focus').dataset.node !== '{first}'")
    desk.answered()
    assert len(desk.given()) == 2
    assert desk.given()[first] == "a"
    desk.all_well()


def test_answers_go_out_where_the_browser_has_no_room_to_keep_them(desk):
    desk.give("a")
    desk.answered()
    full = "() => { throw new DOMException('full', 'QuotaExceededError'); }"
    desk.page.evaluate(f"void (Storage.prototype.setItem = {full})")
    nodes = {desk.give("a") for _ in range(3)}
    desk.client.wait(lambda state: state["seq"] == 4)
    assert nodes < set(desk.given())
    desk.all_well()
