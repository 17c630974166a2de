"""The guard at the door: who may ask the page anything, and how its answers are marked.

Every request must name a host from an exact list (so that no foreign name can be pointed at this machine), come from
the page itself if it says where it comes from, and carry the cookie that only the printed address gives. Requests that
write must besides be JSON with a header of ours, which no form of another page can send.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

__all__ = ["Door", "Guard"]

MOST_BYTES = 16_000_000
"""Of the body of a request, and of all its parts together: a lasso around more than a million points is one action."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors "
)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class Door:
    """Where the page is, and the word that opens it.

    Attributes
    ----------
    host : str
        The name or address that the printed address has.
    port : int
    token : str
    names : tuple of str
        Under which other names the page answers.
    framed_by : tuple of str
        Sources that may show the page in a frame, beside itself.
    """

    host: str
    port: int
    token: str
    names: tuple[str, ...] = ()
    framed_by: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers do not tell ports apart, so that it has the port's number."""
        return f"fewlabels-{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """What a request may name as its host."""
        names = {self.host, *self.names}
        shown = {f"[{name}]" if ":" in name else name for name in names}
        return frozenset(f"{name}:{self.port}" for name in shown) | (
            frozenset(shown) if self.port == 80 else frozenset()
        )

    @property
    def address(self) -> str:
        """The full address, with the token."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.port}/?token={self.token}"

    def opens(self, word: str) -> bool:
        """Tell whether a word is the token, in a time that does not tell how much of it is right."""
        return hmac.compare_digest(word.encode("utf-8", "replace"), self.token.encode())


@dataclass(frozen=True)
class _Answer:
    """An answer that the guard gives itself."""

    status: int
    text: str
    kind: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


class Guard:
    """An ASGI application that lets through what may pass, and marks all answers.

    Parameters
    ----------
    app : ASGI application
        What is behind the door.
    door : Door
    """

    def __init__(self, app: App, door: Door) -> None:
        self._app, self._door = app, door
        policy = POLICY + " ".join(["'self'", *door.framed_by])
        self._marks = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cache-control", b"no-store"),
        ]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _ in self._marks}
                others = [pair for pair in message.get("headers", ()) if pair[0].lower() not in known]
                message = {**message, "headers": [*others, *self._marks]}
            await send(message)

        said = self._refused(scope) or self._entered(scope)
        body = b""
        if said is None and scope["method"] == "POST":
            body, said = await _body(receive)
        if said is not None:
            await _answer(marked, said)
            return
        await self._app(scope, _given_back(body, receive), marked)

    def _refused(self, scope: MutableMapping[str, Any]) -> _Answer | None:
        """Return why a request may not pass, None if it may as far as its headers tell."""
        door, method = self._door, scope["method"]
        hosts, origins = _all(scope, b"host"), _all(scope, b"origin")
        if len(hosts) != 1 or hosts[0].lower() not in door.hosts:
            return _error(403, "the page answers only to its own address; open the one that was printed.")
        own = {f"http://{host}" for host in door.hosts}
        if len(origins) > 1 or any(origin not in own for origin in origins):
            return _error(403, "the request comes from another page; use the labelling page itself.")
        if method not in ("GET", "HEAD", "POST"):
            return _error(405, "only GET and POST are answered.")
        if method == "POST":
            if not origins or _all(scope, b"x-fewlabels") != ["1"]:
                return _error(403, "the request does not come from the labelling page; use that.")
            if [kind.split(";")[0].strip().lower() for kind in _all(scope, b"content-type")] != ["application/json"]:
                return _error(415, "writes must be JSON; send Content-Type: application/json.")
            length = _all(scope, b"content-length")
            if length and not (length[0].isascii() and length[0].isdigit() and int(length[0]) <= MOST_BYTES):
                return _error(413, f"the request is larger than {MOST_BYTES:,} bytes; label fewer points at once.")
        return None

    def _entered(self, scope: MutableMapping[str, Any]) -> _Answer | None:
        """Return None for who has the cookie; give it to who brings the token, and show the others the door."""
        door = self._door
        words = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if scope["path"] == "/" and words and scope["method"] == "GET":
            if not door.opens(words[0]):
                return _Answer(403, "The token in this address is not right; open the address that was printed.", TEXT)
            cookie = ("set-cookie", f"{door.cookie}={door.token}; HttpOnly; SameSite=Strict; Path=/")
            if _all(scope, b"sec-fetch-site") == ["cross-site"]:
                # A strict cookie does not follow a redirect that another site began; a page of ours may begin anew.
                return _Answer(200, ANEW, "text/html; charset=utf-8", (cookie,))
            return _Answer(303, "", TEXT, (cookie, ("location", "/")))
        if any(door.opens(word) for word in _cookies(scope, door.cookie)):
            return None
        if scope["path"] == "/":
            return _Answer(403, "Open the full address that was printed when the page started, with its token.", TEXT)
        return _error(403, "the token is missing; open the full address that was printed when the page started.")


TEXT = "text/plain; charset=utf-8"
ANEW = '<!doctype html><meta http-equiv="refresh" content="0; url=/"><title>fewlabels</title>'


def _error(status: int, sentence: str) -> _Answer:
    return _Answer(status, json.dumps({"error": sentence}))


def _all(scope: MutableMapping[str, Any], name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _cookies(scope: MutableMapping[str, Any], name: str) -> Iterable[str]:
    """Return the values of a cookie; programs at other ports of this machine may send any others along with it."""
    pairs = (each.strip().partition("=") for line in _all(scope, b"cookie") for each in line.split(";"))
    return (value for key, _, value in pairs if key == name)


async def _body(receive: Receive) -> tuple[bytes, _Answer | None]:
    """Return the whole body, or an answer where it is too large."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"", _error(400, "the request ended too early; send it again.")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            return b"", _error(413, f"the request is larger than {MOST_BYTES:,} bytes; label fewer points at once.")
        if not message.get("more_body"):
            return b"".join(parts), None


def _given_back(body: bytes, receive: Receive) -> Receive:
    """Return a way to receive a body that was read already, then whatever comes after it."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again


async def _answer(send: Send, said: _Answer) -> None:
    text = said.text.encode()
    headers = [("content-type", said.kind), ("content-length", str(len(text))), *said.headers]
    raw = [(name.encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": said.status, "headers": raw})
    await send({"type": "http.response.body", "body": text})
