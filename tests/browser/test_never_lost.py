"""Reloads, killed servers and second windows: nothing is lost, nothing is done twice."""

import pytest
from browsing import blobs


@pytest.fixture
def data(tmp_path):
    blobs(tmp_path)
    return "blobs.npy"


def test_a_reload_in_the_middle_changes_nothing(serve, visit, data):
    _, client = serve(data)
    desk = visit(client)
    given = {desk.give(name): name for name in "abcab"}
    desk.page.reload()
    desk.page.wait_for_selector("#focus[data-node]")
    assert desk.card() not in given
    assert desk.classes() == {"a": "1", "b": "2", "c": "3"}
    client.wait(lambda state: state["seq"] == 5)
    assert desk.given() == given
    desk.press("z")
    client.wait(lambda state: state["seq"] == 6)
    assert len(desk.given()) == 4
    desk.all_well()


def test_a_killed_server_is_told_and_answers_wait_for_it(serve, visit, data):
    process, client = serve(data)
    desk = visit(client)
    given = {desk.give(name): name for name in "abc"}
    for name in "ab":
        desk.nothing_waits()
        process.kill()
        process.communicate()
        desk.page.wait_for_selector("#alarm:not([hidden])")
        given |= {desk.give(each): each for each in (name, "c")}
        desk.shows("#alarm", "2 answers wait")
        process, client = serve(data)
        desk.open(client)
        desk.nothing_waits()
        assert desk.given() == given
        desk.page.wait_for_selector("#alarm", state="hidden")
    assert len(client.get("/api/export/given").text.splitlines()) == 1 + len(given)


def test_two_windows_show_the_same(serve, visit, data):
    _, client = serve(data)
    one, other = visit(client), visit(client, scheme="dark")
    node = one.give("a")
    other.page.wait_for_selector("#class-list li[data-name=a]")
    other.shows("#counts", "1 labelled")
    other.until(f"document.querySelector('#focus').dataset.node !== '{node}'")
    second = other.give("a")
    one.shows("#counts", "2 labelled")
    assert second != node
    one.press("z")
    other.shows("#counts", " 1 labelled")
    assert one.given() == {node: "a"}
    one.all_well()
    other.all_well()


def test_windows_that_nobody_sees_take_no_connection_from_the_one_that_labels(serve, visit, data):
    """Chromium opens six connections to a server, whatever number of windows; each used to hold one."""
    _, client = serve(data)
    desk = visit(client)
    for _ in range(7):
        other = desk.page.context.new_page()
        other.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true });")
        other.goto(f"{client.origin}/")
    given = {desk.give(name): name for name in "ab"}
    client.wait(lambda state: state["seq"] == 2)
    assert desk.given() == given
    desk.all_well()
