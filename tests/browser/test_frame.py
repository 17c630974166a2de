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


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_labels_given_in_the_frame_are_there_in_python(browser, notebook, host):
    page, port = notebook
    context = browser.new_context()
    window = context.new_page()
    window.goto(f"http://{host}:{port}/")
    frame = window.frame_locator("iframe")
    frame.locator("#focus[data-node]").wait_for()
    node = int(frame.locator("#focus").get_attribute("data-node"))
    frame.locator("#deck").focus()
    window.keyboard.press("n")
    window.keyboard.type("ant")
    window.keyboard.press("Enter")
    frame.locator("#counts", has_text="1 labelled").wait_for()
    while not page.labels:
        window.wait_for_timeout(20)
    assert page.labels == {node: "ant"}
    context.close()


def test_a_frame_takes_no_keys_that_were_meant_for_the_notebook(browser, notebook):
    """It neither takes the focus when it loads nor accepts by Shift-Enter, which runs a cell."""
    page, port = notebook
    context = browser.new_context()
    window = context.new_page()
    window.goto(f"http://127.0.0.1:{port}/")
    frame = window.frame_locator("iframe")
    frame.locator("#focus[data-node]").wait_for()
    assert window.evaluate("document.activeElement === document.body")
    frame.locator("#deck").focus()
    window.keyboard.press("n")
    window.keyboard.type("ant")
    window.keyboard.press("Enter")
    frame.locator("#counts", has_text="1 labelled").wait_for()
    frame.locator("#focus .said .number").wait_for()
    frame.locator("#deck").focus()
    window.keyboard.press("Shift+Enter")
    window.keyboard.press("z")
    frame.locator("#counts", has_text="0 labelled").wait_for()
    assert page.labels == {}
    context.close()
