"""From nothing to labelled digits, through the keyboard alone."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

NAMES = np.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
ENOUGH, MOST, AT_ONCE = 0.8, 60, 6


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ten_digits_from_nothing_to_over_80_percent(serve, visit, scheme):
    truth = NAMES[load_digits().target]
    _, client = serve("--demo", "--journal", "demo.jsonl")
    desk = visit(client, scheme=scheme)
    right, labels = 0.0, 0
    while right <= ENOUGH and labels < MOST:
        for _ in range(AT_ONCE):
            desk.give(truth[desk.card()])
        labels += AT_ONCE
        desk.answered()
        right = np.mean(desk.names_of_points() == truth)
    assert right > ENOUGH
    given = desk.given()
    assert len(given) == labels
    assert all(truth[node] == name for node, name in given.items())
    version = client.state()["version"]
    desk.until(f"document.querySelector('#map').dataset.version >= {version}")
    assert f"1,797 points, {labels} labelled" in desk.text("header")
    assert "of them right" in desk.text("#least-text")
    desk.all_well()
