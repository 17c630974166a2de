"""A checking round: the guess is never seen, and what is labelled there is kept out of training."""

from browsing import blobs


def test_a_round_gives_the_accuracy_without_training(serve, visit, tmp_path):
    truth = blobs(tmp_path)
    _, client = serve("blobs.npy")
    desk = visit(client)
    names = {}
    while len(names) < 3:
        node = desk.card()
        names[int(truth[node])] = f"class {truth[node]}"
        desk.give(names[int(truth[node])])
    desk.answered()
    given = desk.given()
    keys = desk.classes()
    desk.page.click("#views button[value=check]")
    desk.shows("#focus", "not shown")
    desk.press("Enter")
    desk.said("guess is not shown")
    for done in range(1, 7):
        node = desk.card()
        assert node not in given
        assert "%" not in desk.text("#focus")
        name = names[int(truth[node])] if done < 6 else names[(int(truth[node]) + 1) % 3]
        desk.press(keys[name])
        desk.shows("#summary", f"{done} point{'s' if done > 1 else ''} checked")
    assert "6 points checked, 5 right: accuracy 83%, between" in desk.text("#summary")
    desk.press("z")
    desk.shows("#summary", "5 points checked, 5 right: accuracy 100%")
    assert desk.card() == node
    assert desk.given() == given
    assert len(client.state()["checked"]) == 5
    desk.all_well()


def test_points_kept_for_checking_are_neither_learnt_from_nor_counted_as_labelled(serve, visit, tmp_path):
    blobs(tmp_path)
    _, client = serve("blobs.npy")
    desk = visit(client)
    client.act("check", node=7, label="ant")
    desk.shows("#counts", "1 checked")
    desk.page.click("#views button[value=check]")
    desk.shows("#summary", "1 point checked; how many are right is told when there is an answer")
    desk.page.click("#views button[value=next]")
    desk.press("/")
    desk.page.keyboard.type("7")
    desk.press("Enter")
    desk.page.wait_for_selector("#focus[data-node='7']")
    desk.press("1")
    desk.said("kept for checking")
    assert (desk.given(), client.state()["seq"]) == ({}, 1)
    desk.all_well()
