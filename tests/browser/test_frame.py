"""The page in a frame, as a notebook shows it: under both names of this machine, with labels back in Python."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from browsing import blobs

import fewlabels


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """A page that was opened from Python, and the port of a server that shows its frame."""
    monkeypatch.chdir(tmp_path)
    blobs(tmp_path)
    page = fewlabels.page(np.load("blobs.npy"))

    class Shown(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><body>{page._repr_html_()}".encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Shown)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield page, server.server_port
    server.shutdown()
    server.server_close()
    page.close()


@pytest.fixture
def shown(browser, notebook):
    """Show the frame under a name of this machine, and wait for its first card."""
    context = browser.new_context()

    def show(host):
        window = context.new_page()
        window.goto(f"http://{host}:{notebook[1]}/")
        frame = window.frame_locator("iframe")
        frame.locator("#focus[data-node]").wait_for()
        return window, frame

    yield show
    context.close()


def named(window, frame):
    """Label the first card with a new class; return its row."""
    node = int(frame.locator("#focus").get_attribute("data-node"))
    frame.locator("#deck").focus()
    window.keyboard.press("n")
    window.keyboard.type("ant")
    window.keyboard.press("Enter")
    frame.locator("#counts", has_text="1 labelled").wait_for()
    return node


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_labels_given_in_the_frame_are_there_in_python(notebook, shown, host):
    page, _ = notebook
    window, frame = shown(host)
    node = named(window, frame)
    while not page.labels:
        window.wait_for_timeout(20)
    assert page.labels == {node: "ant"}


def test_a_frame_takes_no_keys_that_were_meant_for_the_notebook(notebook, shown):
    """It neither takes the focus when it loads nor accepts by Shift-Enter, which runs a cell."""
    page, _ = notebook
    window, frame = shown("127.0.0.1")
    assert window.evaluate("document.activeElement === document.body")
    named(window, frame)
    frame.locator("#focus .said .number").wait_for()
    frame.locator("#deck").focus()
    window.keyboard.press("Shift+Enter")
    window.keyboard.press("z")
    frame.locator("#counts", has_text="0 labelled").wait_for()
    assert page.labels == {}
