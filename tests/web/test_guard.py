"""Who is at the door: one test for each way to get in, and none of them changes anything."""

import json

import httpx
import pytest

from fewlabels.web.guard import MOST_BYTES, Door

ACTION = {"id": "attack", "kind": "label", "nodes": [0], "label": "owned"}


@pytest.fixture(name="unchanged")
def _unchanged(standing, visitor, ground):
    """Hold that nothing changes: neither labels nor files; maps may still get better."""

    def seen():
        state = json.loads(standing.session.state())
        return state | {"map": 0}, (ground / "labels.jsonl").read_bytes(), (ground / "result.csv").exists()

    before = seen()
    yield
    assert seen() == before


def raw(client, method, path, *, cookie=True, headers=(), **options):
    """Send a request with exactly these headers beside the host."""
    given = dict(headers)
    if cookie:
        given["Cookie"] = "; ".join(f"{name}={value}" for name, value in client.http.cookies.items())
    with httpx.Client(base_url=client.origin, timeout=30) as fresh:
        return fresh.request(method, path, headers=given, **options)


def write_headers(client, **changes):
    headers = {"Origin": client.origin, "X-Fewlabels": "1", "Content-Type": "application/json"}
    return {name: value for name, value in (headers | changes).items() if value is not None}


def refused(said, *codes):
    assert said.status_code in codes, (said.status_code, said.text)
    assert "access-control-allow-origin" not in said.headers
    if said.headers["content-type"] == "application/json":
        assert said.json()["error"].endswith(".")


EVERYTHING = [
    "/api/state",
    "/api/events",
    "/api/map",
    "/api/points",
    "/api/cards",
    "/api/point/0",
    "/api/image/0",
    "/api/search?q=p",
    "/api/confidence",
    "/api/check",
    "/api/export/csv",
    "/static/page.js",
    "/",
]


@pytest.mark.parametrize("path", EVERYTHING)
def test_without_the_token_nothing_is_told(visitor, unchanged, path):
    said = raw(visitor, "GET", path, cookie=False)
    refused(said, 403)
    assert "ant" not in said.text


@pytest.mark.parametrize("word", ["", "x", "ä", "x" * 10_000, "%00", "' or 1=1"])
def test_with_a_wrong_token_nobody_gets_a_cookie(visitor, unchanged, word):
    said = raw(visitor, "GET", "/", cookie=False, params={"token": word})
    refused(said, 403)
    assert "set-cookie" not in said.headers


def test_a_wrong_or_odd_cookie_does_not_open(visitor, unchanged):
    name = next(iter(visitor.http.cookies))
    for cookie in (f"{name}=x", f"{name}=", "\x7f=;;;=", f"other={visitor.token}", visitor.token):
        refused(raw(visitor, "GET", "/api/state", cookie=False, headers={"Cookie": cookie}), 403)


def test_the_token_works_at_the_front_door_alone(visitor, unchanged):
    refused(raw(visitor, "GET", f"/api/state?token={visitor.token}", cookie=False), 403)
    refused(raw(visitor, "POST", f"/?token={visitor.token}", cookie=False, headers=write_headers(visitor)), 403, 405)


def test_the_token_gives_a_cookie_that_only_this_page_sends_and_no_script_reads(visitor):
    said = raw(visitor, "GET", f"/?token={visitor.token}", cookie=False)
    assert (said.status_code, said.headers["location"]) == (303, "/")
    assert set(said.headers["set-cookie"].split("; ")[1:]) == {"HttpOnly", "SameSite=Strict", "Path=/"}
    anew = raw(visitor, "GET", f"/?token={visitor.token}", cookie=False, headers={"Sec-Fetch-Site": "cross-site"})
    assert anew.status_code == 200
    assert 'content="0; url=/"' in anew.text
    assert visitor.token not in anew.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", "", "127.1"])
def test_under_a_foreign_name_nothing_is_told(visitor, unchanged, host):
    named = host if ":" in host or not host else f"{host}:{visitor.origin.rpartition(':')[2]}"
    if named == visitor.origin.removeprefix("http://"):
        named = "127.0.0.1"
    refused(raw(visitor, "GET", "/api/state", headers={"Host": named}), 403)
    refused(raw(visitor, "GET", f"/?token={visitor.token}", headers={"Host": named}), 403)
    refused(raw(visitor, "POST", "/api/actions", headers=write_headers(visitor, Host=named), json=ACTION), 403)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "", "file://"])
def test_from_another_page_nothing_is_told_and_nothing_done(visitor, unchanged, origin):
    refused(raw(visitor, "GET", "/api/state", headers={"Origin": origin}), 403)
    refused(raw(visitor, "POST", "/api/actions", headers=write_headers(visitor, Origin=origin), json=ACTION), 403)


def test_a_write_must_say_where_it_comes_from(visitor, unchanged):
    refused(raw(visitor, "POST", "/api/actions", headers=write_headers(visitor, Origin=None), json=ACTION), 403)


def test_a_write_needs_our_own_header(visitor, unchanged):
    for value in (None, "0", "2"):
        headers = write_headers(visitor, **{"X-Fewlabels": value})
        refused(raw(visitor, "POST", "/api/actions", headers=headers, json=ACTION), 403)


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""]
)
def test_forms_are_not_taken(visitor, unchanged, kind):
    headers = write_headers(visitor, **{"Content-Type": kind})
    refused(raw(visitor, "POST", "/api/actions", headers=headers, content=json.dumps(ACTION)), 415)
    refused(raw(visitor, "POST", "/api/save", headers=headers, content="a=b"), 415)


def test_a_write_without_the_cookie_is_refused(visitor, unchanged):
    refused(raw(visitor, "POST", "/api/actions", cookie=False, headers=write_headers(visitor), json=ACTION), 403)
    refused(raw(visitor, "POST", "/api/save", cookie=False, headers=write_headers(visitor), json={}), 403)


def test_huge_bodies_are_refused_whether_they_tell_their_size_or_not(visitor, unchanged):
    body = b" " * MOST_BYTES + json.dumps(ACTION).encode()
    refused(raw(visitor, "POST", "/api/actions", headers=write_headers(visitor), content=body), 413)
    parts = (b" " * 1_000_000 for _ in range(MOST_BYTES // 1_000_000 + 1))
    refused(raw(visitor, "POST", "/api/actions", headers=write_headers(visitor), content=parts), 413)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(visitor, unchanged, method):
    refused(raw(visitor, method, "/api/actions", headers=write_headers(visitor)), 405)


def test_a_get_never_writes(visitor, unchanged):
    for path in ("/api/actions", "/api/save"):
        refused(raw(visitor, "GET", path), 405)


def test_every_answer_is_marked(visitor):
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'self'"
    )
    answers = [visitor.get(path) for path in ("/", "/api/state", "/api/point/999", "/api/image/0", "/nowhere")]
    for said in [*answers, raw(visitor, "GET", "/", cookie=False), visitor.post({})]:
        assert said.headers["content-security-policy"] == policy
        assert said.headers["x-content-type-options"] == "nosniff"
        assert said.headers["referrer-policy"] == "no-referrer"
        assert said.headers["cache-control"] == "no-store"
        assert "server" not in said.headers


def test_a_door_has_an_exact_list_of_names():
    door = Door("127.0.0.1", 80, "t", ("localhost",))
    assert door.hosts == {"127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"}
    assert Door("::1", 8000, "t").hosts == {"[::1]:8000"}
    assert Door("::1", 8000, "t").address == "http://[::1]:8000/?token=t"
    assert door.opens("t")
    assert not door.opens("\udcff")


@pytest.mark.parametrize(
    "others", ["a[b]=1", 'prefs={"dark":true}', "x=hello world", "flag", "name=\u00fc", "path=/", ";;="]
)
def test_cookies_of_other_programs_on_this_machine_lock_nobody_out(visitor, others):
    ours = "; ".join(f"{name}={value}" for name, value in visitor.http.cookies.items())
    for line in (f"{others}; {ours}", f"{ours}; {others}"):
        assert raw(visitor, "GET", "/api/state", cookie=False, headers={"Cookie": line.encode()}).status_code == 200
    refused(raw(visitor, "GET", "/api/state", cookie=False, headers={"Cookie": others.encode()}), 403)


def test_a_lasso_around_a_million_points_is_no_larger_than_a_request_may_be():
    assert len(json.dumps(ACTION | {"nodes": list(range(1_000_000))}, separators=(",", ":"))) < MOST_BYTES
