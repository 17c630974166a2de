"""A real browser in front of the real server. Without Chromium or Playwright these tests skip, and say so."""

import shutil

import pytest
from browsing import Desk
from paging import started

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
SOFTWARE_GRAPHICS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]


@pytest.fixture(scope="session")
def browser():
    reason = "the tests in a browser need playwright; install the extra 'test' to run them"
    playwright = pytest.importorskip("playwright.sync_api", reason=reason)
    if CHROMIUM is None:
        pytest.skip(
            "no Chromium was found; install it (on Debian: apt-get install chromium) to run the tests in a browser"
        )
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=SOFTWARE_GRAPHICS)
        yield running
        running.close()


@pytest.fixture
def serve(tmp_path):
    """Start the command in an empty folder; return the process and a client of its own."""
    running = []

    def start(*arguments):
        process, client = started(*arguments, cwd=tmp_path)
        running.append((process, client))
        return process, client

    yield start
    for process, client in running:
        client.http.close()
        process.kill()
        process.communicate()


@pytest.fixture
def visit(browser):
    """Open a page of a client's server in a window of its own."""
    contexts = []

    def open_window(client, *, scheme="light", width=1400, height=900, touch=False):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme=scheme, has_touch=touch)
        contexts.append(context)
        desk = Desk(context, client)
        desk.open()
        return desk

    yield open_window
    for context in contexts:
        context.close()
