import socket
import sys

import pytest
from paging import Client

from fewlabels import FewlabelsError, MissingExtraError
from fewlabels.web import serving
from fewlabels.web.serving import Running, listening, need_the_extra, usual_port


def test_it_listens_at_this_machine_alone_and_under_its_two_names(running):
    assert running.door.hosts == {f"127.0.0.1:{running.door.port}", f"localhost:{running.door.port}"}
    client = Client(running.address.replace("127.0.0.1", "localhost"))
    assert client.state()["n"] == 160
    client.close()
    assert len(running.door.token) >= 43
    others = {address[4][0] for address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1", "127.0.1.1"}:
        with pytest.raises(OSError):
            socket.create_connection((address, running.door.port), timeout=2)


def test_every_page_has_a_token_of_its_own(open_session):
    doors = [serving._door("127.0.0.1", 1, ()) for _ in range(2)]
    assert doors[0].token != doors[1].token


def test_another_address_answers_to_that_name_alone():
    assert serving._door("192.0.2.7", 80, ()).hosts == {"192.0.2.7:80", "192.0.2.7"}
    everywhere = serving._door("0.0.0.0", 8000, ())
    assert "0.0.0.0:8000" not in everywhere.hosts
    assert {"localhost:8000", "127.0.0.1:8000", f"{socket.gethostname().lower()}:8000"} <= everywhere.hosts


def test_a_port_that_is_taken_or_none_is_refused(running):
    for port in (running.door.port, 70_000):
        with pytest.raises(FewlabelsError, match="choose another --port"):
            listening("127.0.0.1", port)


def test_closing_ends_all_threads_and_lets_go_of_the_journal(open_session):
    session, plan = open_session()
    page = Running(session, plan)
    assert page.close()
    again, _ = open_session()
    assert again.seq == 0
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", page.door.port), timeout=2)


@pytest.mark.parametrize("module", ["starlette", "uvicorn"])
def test_the_missing_extra_is_named(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"the labelling page needs {module}.*'\.\[page\]'"):
        need_the_extra()


def test_a_journal_has_a_usual_port_and_any_other_where_that_is_taken(tmp_path):
    usual = usual_port(tmp_path / "a.jsonl")
    assert usual == usual_port(tmp_path / "x" / ".." / "a.jsonl") != usual_port(tmp_path / "b.jsonl")
    assert 49152 <= usual < 2**16
    with listening("127.0.0.1", 0, usual) as first:
        first.listen()
        assert first.getsockname()[1] == usual
        with listening("127.0.0.1", 0, usual) as second:
            assert second.getsockname()[1] not in (0, usual)
