import pytest

from fewlabels.web.board import RefusedError
from fewlabels.web.cards import card, cards, check_card, found


def view(session, name, code=0, offset=0, limit=12, reverse=False):
    return cards(session, name, code, offset, limit, reverse)


@pytest.fixture(name="session")
def _session(running, client):
    return running.session


def test_a_card_tells_guess_and_confidence_and_what_was_given(session):
    given, guessed = card(session, 5), card(session, 6)
    assert (given["given"], given["guess"], given["confidence"]) == (1, 1, 1.0)
    assert (guessed["given"], guessed["guess"], guessed["instead"]) == (0, 1, 0)
    assert 0.25 < guessed["confidence"] <= 1
    assert guessed["text"] == "point 6 of <b>ant</b>"


def test_views_are_in_their_order(session):
    unsure = view(session, "unsure", limit=200)
    sure = [each["confidence"] for each in unsure["cards"]]
    assert sure == sorted(sure)
    assert unsure["total"] == len(sure) == 156
    some = view(session, "unsure", offset=10, limit=5)["cards"]
    assert [each["node"] for each in some] == [each["node"] for each in unsure["cards"][10:15]]
    ants = view(session, "class", 1, limit=200)
    assert all(each["guess"] == 1 for each in ants["cards"])
    assert ants["total"] == len(ants["cards"])
    backwards = view(session, "class", 1, limit=200, reverse=True)["cards"]
    assert [each["node"] for each in backwards] == [each["node"] for each in ants["cards"]][::-1]
    with pytest.raises(RefusedError, match="no class with code 9"):
        view(session, "class", 9)


def test_a_slip_is_found_and_goes_when_it_is_mended(session, client):
    client.act("label", nodes=[10, 50, 90, 130], label="ant")
    client.act("label", nodes=[50], label="bee")
    client.act("label", nodes=[90], label="cat")
    client.wait()
    slips = view(session, "slips")["cards"]
    assert [(each["node"], each["given"], each["instead"]) for each in slips] == [(130, 1, 4)]
    client.act("label", nodes=[130], label="dog")
    assert view(session, "slips")["cards"] == []


def test_what_is_labelled_or_skipped_leaves_the_questions_at_once(session, client):
    first = client.next()
    client.act("skip", node=first[0]["node"])
    client.act("label", nodes=[first[1]["node"]], label="ant")
    left = {each["node"] for each in view(session, "next", limit=99)["cards"]}
    assert not left & {first[0]["node"], first[1]["node"]}
    assert first[0]["node"] not in {each["node"] for each in view(session, "unsure", limit=200)["cards"]}


def test_search_shows_cards(session):
    told = found(session, "of <b>dog", 3)
    assert (told["total"], [each["node"] for each in told["cards"]]) == (40, [120, 121, 122])


def test_checking_hides_the_guess_and_counts_what_is_right(session, client):
    told = check_card(session)
    assert (told["checked"], told["accuracy"], told["interval"]) == (0, None, None)
    asked = []
    for number in range(6):
        each = check_card(session)["card"]
        assert (each["guess"], each["confidence"], each["given"]) == (0, None, 0)
        asked.append(each["node"])
        truth = ("ant", "bee", "cat", "dog")[each["node"] // 40]
        client.act("check", node=each["node"], label=truth if number else "owl")
    told = check_card(session)
    assert (told["checked"], told["right"], told["accuracy"]) == (6, 5, 5 / 6)
    assert told["interval"][0] < 5 / 6 < told["interval"][1]
    assert len(set(asked)) == 6
    assert not set(asked) & session.board.given.keys()
    assert client.wait()["version"] == 2  # a class more, but no other answer
    client.act("undo")
    assert check_card(session)["card"]["node"] == asked[-1]


def test_nothing_breaks_before_the_first_answer(open_session):
    session, _ = open_session()
    for name in ("next", "unsure", "slips"):
        assert view(session, name) == {"version": 0, "cards": [], "total": 0}
    session.act({"id": "1", "kind": "check", "node": 3, "label": "ant"})
    assert check_card(session)["accuracy"] is None
    assert view(session, "class", 1)["total"] == 0
    assert card(session, 0)["confidence"] is None


def test_points_that_were_skipped_are_checked_too(open_session):
    """They are the hard ones: without them the accuracy would be too good."""
    session, _ = open_session({5: "ant"})
    first = check_card(session)["card"]["node"]
    session.act({"id": "s", "kind": "skip", "node": first})
    assert check_card(session)["card"]["node"] == first
