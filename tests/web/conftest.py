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
LABELS = dict(zip((5, 45, 85, 125), NAMES, strict=True))


def blobs(ground):
    """160 points; the folder of images has a link that leads out, an SVG and a text, and nothing for most rows."""
    X, _ = blob_points(noise=0.3)
    folder, outside = ground / "images", ground / "outside.png"
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


def started(points, ground):
    """Start a page with one label of each blob, and a file to save to."""
    out = ground / "result.csv"
    session, plan = opened(points, LABELS, named_method("poisson"), ground / "labels.jsonl", out=out)
    return Running(session, plan, out=out)


@pytest.fixture(name="points")
def _points(tmp_path):
    return blobs(tmp_path)


@pytest.fixture(name="open_session")
def _open_session(points, tmp_path):
    """Open a session without a worker, as often as wanted."""
    made = []

    def make(labels=None, journal="labels.jsonl"):
        session, plan = opened(points, labels or {}, named_method("poisson"), tmp_path / journal)
        made.append(session)
        return session, plan

    yield make
    for session in made:
        session.close()


@pytest.fixture(name="running")
def _running(points, tmp_path):
    """A page of one test."""
    page = started(points, tmp_path)
    yield page
    assert page.close()


@pytest.fixture(name="client")
def _client(running):
    """A client that opened the page and waited for its first answer."""
    client = Client(running.address)
    client.wait()
    yield client
    client.close()


@pytest.fixture(scope="module", name="ground")
def _ground(tmp_path_factory):
    return tmp_path_factory.mktemp("ground")


@pytest.fixture(scope="module", name="standing")
def _standing(ground):
    """A page of all tests of a file, for those that change nothing."""
    page = started(blobs(ground), ground)
    yield page
    assert page.close()


@pytest.fixture(scope="module", name="visitor")
def _visitor(standing):
    client = Client(standing.address)
    client.wait()
    yield client
    client.close()
