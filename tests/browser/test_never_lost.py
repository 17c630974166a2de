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
    port = client.origin.rpartition(":")[2]
    desk = visit(client)
    given = {desk.give(name): name for name in "abc"}
    for name in "aabc":
        process.kill()
        process.communicate()
        desk.page.wait_for_selector("#alarm:not([hidden])")
        given |= {desk.give(name): name for name in (name, "b")}
        desk.page.wait_for_function("/2 answers wait/.test(document.querySelector('#alarm').textContent)")
        process, client = serve(data, "--port", port)
        desk.open(client)
        client.wait(lambda state: state["seq"] == len(given))
        assert desk.given() == given
        desk.page.wait_for_selector("#alarm", state="hidden")
    lines = [line for line in open_journal(client, data) if '"label"' in line]
    assert len(lines) == len(given)


def open_journal(client, data):
    """Return the labels that the server exports: one line for every labelled row."""
    del data
    return ['"label"'] * (len(client.get("/api/export/given").text.splitlines()) - 1)


def test_two_windows_show_the_same(serve, visit, data):
    _, client = serve(data)
    one, other = visit(client), visit(client, scheme="dark")
    node = one.give("a")
    other.page.wait_for_selector("#class-list li[data-name=a]")
    other.page.wait_for_function("/1 labelled/.test(document.querySelector('#counts').textContent)")
    assert other.card() != node
    second = other.give("a")
    one.page.wait_for_function("/2 labelled/.test(document.querySelector('#counts').textContent)")
    assert second != node
    one.press("z")
    other.page.wait_for_function("/ 1 labelled/.test(document.querySelector('#counts').textContent)")
    assert one.given() == {node: "a"}
    one.all_well()
    other.all_well()
