"""The labelling page from outside: start the command, open it with its token, act, wait for answers."""

import itertools
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx

COMMAND = [sys.executable, "-m", "fewlabels", "page", "--no-browser", "--quiet"]
_count = itertools.count()


class Client:
    """What a browser would do."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.origin, self.token = f"http://{parts.netloc}", parts.query.removeprefix("token=")
        self.http = httpx.Client(base_url=self.origin, timeout=30)
        said = self.http.get("/", params={"token": self.token})
        assert said.status_code == 303
        self.headers = {"Origin": self.origin, "X-Fewlabels": "1"}

    def close(self):
        self.http.close()

    def get(self, path, **options):
        return self.http.get(path, **options)

    def json(self, path, **params):
        said = self.http.get(path, params=params)
        assert said.status_code == 200, said.text
        return said.json()

    def state(self):
        return self.json("/api/state")

    def post(self, body, path="/api/actions", **options):
        return self.http.post(path, json=body, headers=self.headers | options.pop("headers", {}), **options)

    def act(self, kind, *, id=None, **fields):
        said = self.post({"id": id or f"{time.time_ns()}-{next(_count)}", "kind": kind, **fields})
        assert said.status_code == 200, said.text
        return said.json()["seq"]

    def wait(self, until=lambda state: not (state["stale"] or state["solving"] or state["stage"]), seconds=60):
        """Return the state as soon as it is as wanted."""
        end = time.monotonic() + seconds
        while not until(state := self.state()):
            assert time.monotonic() < end, state
            time.sleep(0.02)
        return state

    def next(self, seconds=60):
        """Return the cards of what is asked next, as soon as there are some."""
        end = time.monotonic() + seconds
        while not (cards := self.json("/api/cards", view="next")["cards"]):
            assert time.monotonic() < end, self.state()
            time.sleep(0.02)
        return cards


def started(*arguments, cwd, env=None):
    """Start the command in a process of its own; return the process and a client."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    address = process.stdout.readline().strip()
    if not address:
        raise AssertionError(process.communicate()[1])
    return process, Client(address)


@contextmanager
def page(*arguments, cwd):
    """Run the command for the length of a block."""
    process, client = started(*arguments, cwd=cwd)
    try:
        yield client
    finally:
        client.close()
        process.kill()
        process.communicate()
