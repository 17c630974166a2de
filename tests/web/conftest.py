"""Pages that run in this process: four blobs of points with texts and images, one label of each."""

import numpy as np
import pytest
from gallery import blob_points
from paging import Client

from fewlabels.methods import named_method
from fewlabels.web.images import FolderImages
from fewlabels.web.opening import opened
from fewlabels.web.png import png
from fewlabels.web.points import Points
from fewlabels.web.serving import Running

NAMES = ("ant", "bee", "cat", "dog")
ROWS = (5, 45, 85, 125)


@pytest.fixture(name="points")
def _points(tmp_path):
    """160 points; the folder of images has a link that leads out, an SVG and a text, and nothing for most rows."""
    X, _ = blob_points(noise=0.3)
    folder, outside = tmp_path / "images", tmp_path / "outside.png"
    folder.mkdir()
    picture = png(np.full((4, 4), 200, dtype=np.uint8))
    outside.write_bytes(picture)
    (folder / "p0.png").write_bytes(picture)
    (folder / "p1.png").symlink_to(outside)
    (folder / "p2.png").write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    (folder / "p3.svg").write_text("<svg/>")
    ids = [f"p{row}" for row in range(len(X))]
    text = [f"point {row} of <b>{NAMES[row // 40]}</b>" for row in range(len(X))]
    images = FolderImages(folder, ids, len(X))
    return Points("blobs", X, ids, text, {"place": [f"row {row}" for row in range(len(X))]}, images=images)


@pytest.fixture(name="open_session")
def _open_session(points, tmp_path):
    """Open a session without a worker, as often as wanted."""
    made = []

    def make(labels=None, journal="labels.jsonl", out=None):
        session, plan = opened(points, labels or {}, named_method("poisson"), tmp_path / journal, out=out)
        made.append(session)
        return session, plan

    yield make
    for session in made:
        session.close()


@pytest.fixture(name="running")
def _running(open_session, tmp_path):
    """A page with one label of each blob, and a file to save to."""
    out = tmp_path / "result.csv"
    session, plan = open_session(dict(zip(ROWS, NAMES, strict=True)), out=out)
    page = Running(session, plan, out=out)
    yield page
    assert page.close()


@pytest.fixture(name="client")
def _client(running):
    """A client that opened the page and waited for its first answer."""
    client = Client(running.address)
    client.wait()
    return client
