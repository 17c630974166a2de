import re
import subprocess
import sys

import numpy as np
import pytest
from gallery import blob_points
from paging import Client

import fewlabels
from fewlabels import FewLabelClassifier, FewlabelsError, Graph

X, TRUTH = blob_points(noise=0.3)
Y = np.where(np.arange(160) % 40 == 5, TRUTH, -1)


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(name="opened")
def _opened():
    """Open pages, and close them and their clients after the test."""
    made = []

    def make(page):
        client = Client(page.address)
        made.extend([client, page])
        return page, client

    yield make
    for each in made:
        each.close()


def test_a_page_runs_in_the_background_and_tells_its_labels(opened, tmp_path):
    page, client = opened(fewlabels.page(X, Y, text=[f"text {row}" for row in range(160)]))
    assert page.labels == {5: 0, 45: 1, 85: 2, 125: 3}
    client.wait()
    client.act("label", nodes=[7, 8], label="0")
    client.act("label", nodes=[9], label="new")
    assert page.labels == {5: 0, 45: 1, 85: 2, 125: 3, 7: 0, 8: 0, 9: "new"}
    assert client.json("/api/point/9")["text"] == "text 9"
    assert len(list(tmp_path.glob("fewlabels-*.labels.jsonl"))) == 1


def test_a_cell_that_is_run_again_goes_on_with_the_same_labels(opened):
    first = fewlabels.page(X)
    client = Client(first.address)
    client.act("label", nodes=[7], label="cat")
    client.close()
    second, _ = opened(fewlabels.page(X))
    assert second.labels == {7: "cat"}
    assert second.address != first.address


def test_a_fitted_model_goes_on_on_the_page(opened):
    model = FewLabelClassifier("poisson").fit(X, Y)
    page, client = opened(model.page(images=np.zeros((160, 2, 2))))
    state = client.wait()
    assert (state["kind"], [c["name"] for c in state["classes"]]) == ("image", ["0", "1", "2", "3"])
    codes = np.frombuffer(client.get("/api/points").content, dtype="<u2") >> 4
    assert np.array_equal(codes - 1, model.transduction_)
    client.act("label", nodes=[0], label="0")
    rows = sorted(page.labels)
    assert model.add_labels(rows, [page.labels[row] for row in rows]).transduction_[0] == 0


def test_a_graph_has_a_page_too(opened):
    _, client = opened(fewlabels.page(Graph.from_features(X), method="poisson"))
    assert client.json("/api/point/0")["columns"] is None
    assert client.next()


def test_the_frame_has_the_address_and_may_be_shown_by_a_notebook(opened):
    page, client = opened(fewlabels.page(X))
    html = page._repr_html_()
    assert not re.search(r"<iframe [^>]*src=", html), "an address of its own would race with the script's"
    local = page.address.replace("127.0.0.1", "localhost")
    assert f".src = location.hostname === 'localhost' ? '{local}' : '{page.address}'" in html
    policy = client.get("/").headers["content-security-policy"]
    assert policy.endswith("frame-ancestors 'self' http://localhost:* http://127.0.0.1:*")
    assert repr(page) == f"Page({page.address})"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"ids": [1, 2]}, "ids has 2 entries for 160 points"),
        ({"text": ["a"]}, "text has 1 entries"),
        ({"y": [1, 2]}, "y has shape"),
        ({"images": np.zeros((3, 2, 2))}, "for 160 points"),
        ({"images": "nowhere"}, "no such folder"),
    ],
)
def test_what_does_not_fit_is_refused(options, said, tmp_path):
    with pytest.raises(FewlabelsError, match=said):
        fewlabels.page(X, **options)
    assert list(tmp_path.iterdir()) == []


def test_it_ends_with_the_kernel(tmp_path):
    code = (
        "import numpy as np, fewlabels; print(fewlabels.page(np.random.default_rng(0).normal(size=(200, 3))).address)"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith("http://127.0.0.1:")


def test_labels_of_the_page_go_into_the_model_and_back_to_a_page(opened):
    model = FewLabelClassifier("poisson").fit(X, Y)
    first, client = opened(model.page())
    client.act("label", nodes=[0], label="0")
    model.add_labels([0], [0])
    second, _ = opened(model.page())
    assert second.labels == first.labels == {0: 0, 5: 0, 45: 1, 85: 2, 125: 3}
    third, _ = opened(fewlabels.page(X))
    assert third.labels == {}


def test_a_page_that_was_closed_shows_a_sentence():
    page = fewlabels.page(X)
    page.close()
    assert "is closed" in page._repr_html_()
    assert "iframe" not in page._repr_html_()
