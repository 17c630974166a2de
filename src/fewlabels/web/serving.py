"""A page that runs: the session, its worker, and the server in a thread of its own."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

from fewlabels.errors import FewlabelsError
from fewlabels.extras import optional
from fewlabels.web.guard import Door, Guard
from fewlabels.web.session import Session
from fewlabels.web.worker import Plan, Worker

__all__ = ["LOCAL", "Running", "listening", "need_the_extra", "usual_port"]

LOCAL = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that stand for all of this machine."""
FIRST_FREE = 49152
"""From here on ports belong to nobody."""
SECONDS_TO_START, SECONDS_TO_STOP = 20.0, 3.0


def need_the_extra() -> None:
    """Say how to get the server's libraries where they are missing, before any work is done."""
    for module in ("starlette", "uvicorn"):
        optional(module, extra="page", what="the labelling page")


class Running:
    """A page that answers from the moment it is made.

    Parameters
    ----------
    session : Session
    plan : Plan
    host : str
        The address it listens at.
    listener : socket, optional
        What :func:`listening` returned for that address; without it, any free port.
    out : Path, optional
        The file that results are saved to.
    framed_by : tuple of str
        Sources that may show the page in a frame.
    """

    def __init__(
        self,
        session: Session,
        plan: Plan,
        *,
        host: str = LOCAL,
        listener: socket.socket | None = None,
        out: Path | None = None,
        framed_by: tuple[str, ...] = (),
    ) -> None:
        need_the_extra()
        import uvicorn

        from fewlabels.web.api import application

        self.session, self._worker = session, Worker(session, plan)
        self._socket = listener or listening(host, 0)
        self.door = _door(host, self._socket.getsockname()[1], framed_by)
        config = uvicorn.Config(
            Guard(application(session, out), self.door),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="fewlabels-server", daemon=True)
        self._thread.start()
        self._wait_until_it_answers()
        self._worker.start()

    @property
    def address(self) -> str:
        """The full address, with the token."""
        return self.door.address

    def close(self) -> bool:
        """End the page, with everything kept; tell whether its threads have ended as well."""
        self.session.close()
        self._server.should_exit = True
        self._thread.join(SECONDS_TO_STOP)
        return self._worker.ended(1.0) and not self._thread.is_alive()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

    def _wait_until_it_answers(self) -> None:
        until = time.monotonic() + SECONDS_TO_START
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > until:
                raise FewlabelsError("the page could not be started; choose another --port.")
            time.sleep(0.005)


def usual_port(journal: Path) -> int:
    """Return the port that a journal's page has where that is free, the same at every start.

    A page that is still open when its server starts again then finds it, and what it holds back arrives.
    """
    mark = int(hashlib.sha256(str(journal.resolve()).encode("utf-8", "replace")).hexdigest()[:8], 16)
    return FIRST_FREE + mark % (2**16 - FIRST_FREE)


def listening(host: str, port: int, usual: int = 0) -> socket.socket:
    """Return a socket at an address of this machine, port 0 being the usual one, or any that is free.

    Whether one may listen there is known before a journal is begun.
    """
    if port == 0 and usual:
        with suppress(FewlabelsError):
            return listening(host, usual)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let another program listen at the same port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        said = getattr(error, "strerror", None) or error
        raise FewlabelsError(
            f"cannot listen at {host}, port {port} ({said}); choose another --port or --host."
        ) from None
    return listener


def _door(host: str, port: int, framed_by: tuple[str, ...]) -> Door:
    """Return the door of a page: at this machine's own address, or at one that was asked for."""
    names: tuple[str, ...] = ("localhost", LOCAL)
    if host in EVERYWHERE:
        names = (*names, *_names_of_this_machine())
        host = names[2]
    elif host not in names:
        names = ()
    return Door(host, port, secrets.token_urlsafe(32), names, framed_by)


def _names_of_this_machine() -> list[str]:
    name = socket.gethostname()
    try:
        addresses = sorted({str(found[4][0]) for found in socket.getaddrinfo(name, None)})
    except OSError:
        addresses = []
    return [name.lower(), *addresses]
