"""The routes: what the page asks, and how each question is passed on to the session."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from fewlabels.errors import FewlabelsError
from fewlabels.web.actions import MalformedError
from fewlabels.web.cards import VIEWS, card, cards, check_card, found
from fewlabels.web.exports import result, save_result
from fewlabels.web.journal import JournalError
from fewlabels.web.session import Session

__all__ = ["application"]

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
EXPORTS = {
    "csv": ("result.csv", "text/csv; charset=utf-8"),
    "parquet": ("result.parquet", "application/vnd.apache.parquet"),
    "given": ("labels.csv", "text/csv; charset=utf-8"),
}
"""The name and the type of each file that can be taken away."""

MOST_CARDS, MOST_WORDS = 200, 1000
HEARTBEAT = 15.0
"""Seconds after which an open stream says that it is alive."""

Handler = Callable[[Request], Response]


def application(session: Session, out: Path | None = None) -> Starlette:
    """Return the application of a session; `out` is the file that results are saved to."""
    answers = _Answers(session, out)
    routes = [
        Route("/api/state", answers.state),
        Route("/api/events", answers.events),
        Route("/api/map", answers.map),
        Route("/api/points", answers.points),
        Route("/api/cards", answers.cards),
        Route("/api/point/{row}", answers.point),
        Route("/api/image/{row}", answers.image),
        Route("/api/search", answers.search),
        Route("/api/confidence", answers.confidence),
        Route("/api/check", answers.check),
        Route("/api/actions", answers.act, methods=["POST"]),
        Route("/api/save", answers.save, methods=["POST"]),
        Route("/api/export/{kind}", answers.export),
        *_files(),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _refused, FewlabelsError: _not_done})


class _Answers:
    """One method for each question."""

    def __init__(self, session: Session, out: Path | None) -> None:
        self._session, self._out = session, out

    def state(self, _: Request) -> Response:
        return Response(self._session.state(), media_type="application/json")

    async def events(self, _: Request) -> Response:
        return StreamingResponse(_changes(self._session), media_type="text/event-stream")

    def map(self, _: Request) -> Response:
        with self._session.lock:
            places, version = self._session.map, self._session.map_version
        if places is None:
            raise HTTPException(404, "the map is not drawn yet; ask again when the state says so.")
        return _binary(places.astype("<f4", copy=False).tobytes(), "X-Map", version)

    def points(self, _: Request) -> Response:
        version, data = self._session.packed()
        return _binary(data, "X-Version", version)

    def cards(self, request: Request) -> Response:
        view = request.query_params.get("view", "next")
        if view not in VIEWS:
            raise HTTPException(400, f"a view is one of {', '.join(VIEWS)}.")
        offset = _number(request, "offset", 0, self._session.points.n)
        limit, code = _number(request, "limit", 12, MOST_CARDS), _number(request, "class", 0, 2**31)
        reverse = bool(_number(request, "reverse", 0, 1))
        return JSONResponse(cards(self._session, view, code, offset, limit, reverse))

    def point(self, request: Request) -> Response:
        return JSONResponse(card(self._session, _row(request, self._session)))

    def image(self, request: Request) -> Response:
        row, images = _row(request, self._session), self._session.points.images
        shown = None if images is None else images.of(row)
        if shown is None:
            raise HTTPException(404, f"row {row} has no image that can be shown.")
        return Response(shown.data, media_type=shown.kind)

    def search(self, request: Request) -> Response:
        words = request.query_params.get("q", "")[:MOST_WORDS].strip()
        limit = _number(request, "limit", 50, MOST_CARDS)
        return JSONResponse(found(self._session, words, limit) if words else {"cards": [], "total": 0})

    def confidence(self, _: Request) -> Response:
        with self._session.lock:
            version, snapshot = self._session.version, self._session.snapshot
        return JSONResponse({"version": version, "above": snapshot.above})

    def check(self, _: Request) -> Response:
        return JSONResponse(check_card(self._session))

    async def act(self, request: Request) -> Response:
        body = _decoded(await request.body())
        return JSONResponse({"seq": await run_in_threadpool(self._session.act, body)})

    def save(self, _: Request) -> Response:
        if self._out is None:
            raise HTTPException(409, "there is no file to save to; start the page with --out, or export the result.")
        save_result(self._session, self._out)
        return JSONResponse({"saved": self._out.name})

    def export(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in EXPORTS:
            raise HTTPException(404, f"an export is one of {', '.join(EXPORTS)}.")
        name, type_ = EXPORTS[kind]
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(result(self._session, kind), headers=headers, media_type=type_)


def _binary(data: bytes, header: str, version: int) -> Response:
    return Response(data, media_type="application/octet-stream", headers={header: str(version)})


async def _changes(session: Session) -> AsyncIterator[bytes]:
    """Yield the state now and at every change, several changes at once where they come fast."""
    loop, change = asyncio.get_running_loop(), asyncio.Event()
    end = session.listen(lambda: _set_in(loop, change))
    try:
        while True:
            change.clear()
            if session.closed.is_set():
                return
            yield b"data: " + await run_in_threadpool(session.state) + b"\n\n"
            while not change.is_set():
                try:
                    await asyncio.wait_for(change.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": alive\n\n"
    finally:
        end()


def _set_in(loop: asyncio.AbstractEventLoop, change: asyncio.Event) -> None:
    """Set an event of a loop from another thread; a loop that has ended needs no telling."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(change.set)


def _files() -> list[Route]:
    """Return a route for each file of the front end, listed once: no name in a request is ever made into a path."""

    def served(path: Path) -> Handler:
        return lambda _: Response(path.read_bytes(), media_type=TYPES[path.suffix])

    files = sorted(path for path in STATIC.iterdir() if path.suffix in TYPES and path.is_file())
    routes = [Route(f"/static/{path.name}", served(path)) for path in files if path.suffix != ".html"]
    return [Route("/", served(path)) for path in files if path.name == "index.html"] + routes


def _row(request: Request, session: Session) -> int:
    text = request.path_params["row"]
    if not (text.isascii() and text.isdigit() and len(text) < 12 and int(text) < session.points.n):
        raise HTTPException(404, f"there is no such row; rows are numbered from 0 to {session.points.n - 1}.")
    return int(text)


def _number(request: Request, name: str, default: int, most: int) -> int:
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise HTTPException(400, f"{name} must be a whole number, zero or more.")
    return min(int(text), most)


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise MalformedError("the body of the request is not JSON; send an action as a JSON object.") from None


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {404: "there is nothing at this address.", 405: "this address does not take that method."}
    own = error.detail if error.detail not in ("Not Found", "Method Not Allowed") else None
    return JSONResponse({"error": own or sentences[error.status_code]}, error.status_code)


def _not_done(_: Request, error: Exception) -> Response:
    status = 400 if isinstance(error, MalformedError) else 507 if isinstance(error, JournalError) else 409
    return JSONResponse({"error": str(error)}, status)
