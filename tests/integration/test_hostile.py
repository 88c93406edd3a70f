"""Hostile input straight to every endpoint: refused with a clear answer, nothing stored, no 5xx."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from labelwright.outside.rater_browser import read_page
from tests.processes import Server

pytestmark = [pytest.mark.postgres, pytest.mark.once]

FORM = "application/x-www-form-urlencoded"
GOOD = {"0": {"useful": 3}}
BAD_ANSWERS: list[Any] = [
    None,
    [],
    "text",
    7,
    {"1": {"useful": 3}},
    {"0": {"unknown": 3}},
    {"0": [3]},
    {"0": {"useful": 4}},
    {"0": {"useful": "3"}},
    {"0": {"useful": 3.0}},
    {"0": {"useful": True}},
    {"0": {"useful": [3]}},
    {"0": {"useful": {"a": 1}}},
    {"0": {"useful": 10**30}},
    {"0": {"useful": 3, "comment": 5}},
    {"0": {"useful": 3, "comment": "x" * 20_001}},
    {"0": {"useful": 3, "comment": "null \x00 byte"}},
    {"0": {"useful": 3, "comment": "bell \x07"}},
    {"0": {"useful": 3, "comment": "\ud800"}},
    {"0": {"useful": 3}, "00": {"useful": 3}},
    {"0\x00": {"useful": 3}},
    {"-1": {"useful": 3}},
]
INCOMPLETE: list[Any] = [{}, {"0": {}}, {"0": {"comment": "only this"}}, {"0": {"useful": None}}]
TOO_MANY_WORDS = {"0": {"useful": 3, "comment": "word " * 21}}


def static() -> str:
    from django.conf import settings

    return str(settings.STATIC_URL)


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.root, timeout=20) as client:
        yield client


@pytest.fixture
def links(study: Callable[..., list[str]]) -> list[str]:
    return study(raters=2)


def visit(http: httpx.Client, link: str) -> dict[str, str]:
    """The header of a visit to the first task at a link."""
    http.post(f"{link}/consent", data={"agree": "yes"})
    task = read_page(http.get(link).text).task
    assert task is not None
    return {"X-Labelwright-Visit": task["visit"]}


def nothing_stored() -> bool:
    from labelwright.server.store.models import Answer, Draft

    return not Answer.objects.exists() and not Draft.objects.exists()


def test_bad_answers_are_refused_at_save_and_submit(http: httpx.Client, links: list[str]):
    headers = visit(http, links[0])
    for answers in BAD_ANSWERS:
        for method, path, extra in (
            ("PUT", "/t/save", {"save_id": "a", "revision": 0}),
            ("POST", "/t/submit", {}),
        ):
            body = json.dumps({"answers": answers, **extra})
            response = http.request(method, path, content=body, headers=headers)
            assert response.status_code == 422, (answers, response.text)
            assert response.json()["problems"][0]["message"]
    assert nothing_stored()


@pytest.mark.parametrize("answers", [*INCOMPLETE, TOO_MANY_WORDS])
def test_half_finished_answers_are_saved_but_not_submitted(
    http: httpx.Client, links: list[str], answers: Any
):
    headers = visit(http, links[0])
    body = {"answers": answers, "save_id": "a", "revision": 0}
    assert http.put("/t/save", json=body, headers=headers).status_code == 200
    assert http.post("/t/submit", json={"answers": answers}, headers=headers).status_code == 422


def test_garbage_bodies_are_refused(http: httpx.Client, links: list[str]):
    headers = visit(http, links[0])
    garbage = [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"3",
        b'"x"',
        b"[" * 100_000,
        b'{"answers": NaN',
        b"\x00" * 10,
    ]
    for body in garbage:
        for method, path in (("PUT", "/t/save"), ("POST", "/t/submit")):
            response = http.request(method, path, content=body, headers=headers)
            assert response.status_code == 400, (body[:20], response.text)
            assert response.json()["message"]
    for save in (
        {"save_id": 5, "revision": 0},
        {"save_id": "", "revision": 0},
        {"save_id": "x" * 65, "revision": 0},
        {"save_id": "a\x00", "revision": 0},
        {"save_id": "a", "revision": -1},
        {"save_id": "a", "revision": "0"},
        {"save_id": "a", "revision": True},
        {"save_id": "a", "revision": 10**12},
        {"save_id": "a"},
    ):
        response = http.put("/t/save", json={"answers": GOOD, **save}, headers=headers)
        assert response.status_code == 400, save
    assert nothing_stored()


def test_a_megabyte_of_text_is_refused_before_it_is_read(http: httpx.Client, links: list[str]):
    headers = visit(http, links[0])
    body = {"answers": {"0": {"useful": 3, "comment": "x" * 1_000_000}}}
    assert http.post("/t/submit", json=body, headers=headers).status_code == 413
    assert nothing_stored()


def test_no_encoding_that_a_body_claims_is_believed(http: httpx.Client, links: list[str]):
    from labelwright.server.store.models import Message

    sent = "Grüße"
    form = f"text={quote(sent)}".encode()
    parts = f'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n{sent}\r\n--b--\r\n'.encode()
    for claim in ("charset=utf-16", "charset=rot13", "charset=undefined", "charset*=utf-99''x%ff"):
        for kind, body in ((FORM, form), ("multipart/form-data; boundary=b", parts)):
            headers = {"Content-Type": f"{kind}; {claim}"}
            Message.objects.all().delete()
            assert http.post(f"{links[0]}/messages", content=body, headers=headers).status_code == 303
            assert Message.objects.get().text == sent
            assert http.post("/accounts/login/", content=body, headers=headers).status_code == 403
            assert http.get(f"{links[0]}?x=%ff", headers=headers).status_code == 200


def test_tokens_that_are_not_ours_are_refused(http: httpx.Client, links: list[str]):
    for token in ("", "x", "a" * 43, "a" * 43 + "\x7f", "../" * 14 + "a", "a" * 5000):
        for method, path in (("GET", "draft"), ("PUT", "save"), ("POST", "submit"), ("POST", "return")):
            body = {"answers": GOOD, "save_id": "a", "revision": 0} if method != "GET" else None
            response = http.request(method, f"/t/{path}", json=body, headers={"X-Labelwright-Visit": token})
            assert response.status_code in (400, 404, 431), (token[:10], response.status_code)
    assert nothing_stored()


def test_one_rater_cannot_touch_the_work_of_another(http: httpx.Client, links: list[str]):
    from labelwright.server.store.models import Assignment

    mine, theirs = visit(http, links[0]), visit(http, links[1])
    http.post("/t/submit", json={"answers": GOOD}, headers=mine)
    assert http.get("/t/draft", headers=theirs).json()["answers"] == {}
    # What a token may do ends with its own assignment: there is nothing else to name in a call.
    states = sorted(Assignment.objects.values_list("state", flat=True))
    assert states == ["open", "submitted"]


def test_edited_links_show_one_neutral_page_and_revoked_ones_say_so(http: httpx.Client, links: list[str]):
    from labelwright.server.store.models import Rater

    version, key, payload, signature = links[0].rsplit("/", 1)[1].split(".")
    edited = [
        f"{version}.{key}.{payload}.{'A' * len(signature)}",
        f"{version}.{key}.{payload[:-2]}AA.{signature}",
        f"v2.{key}.{payload}.{signature}",
        f"{version}.other-1.{payload}.{signature}",
        f"{version}.{key}.{payload}",
        f"{version}..{payload}.{signature}",
        "é" * 20,
        "a" * 2000,
        "....",
    ]
    pages = {http.get(f"/w/{token}").text for token in edited}
    statuses = {http.get(f"/w/{token}").status_code for token in edited}
    assert statuses == {410}
    assert len(pages) == 1
    Rater.objects.update(nonce="changed")
    revoked = http.get(links[0])
    assert revoked.status_code == 410
    assert "This link has been revoked" in revoked.text
    assert http.post(f"{links[0]}/consent", data={"agree": "yes"}).status_code == 410


def test_wrong_methods_and_unknown_addresses_are_refused(http: httpx.Client, links: list[str]):
    headers = visit(http, links[0])
    assert http.get("/t/submit", headers=headers).status_code == 405
    assert http.post("/t/save", headers=headers).status_code == 405
    assert http.delete(links[0]).status_code == 405
    assert http.get("/admin/").status_code == 404
    for place in ("/static", static().rstrip("/"), "/static/0123456789"):
        assert http.get(f"{place}/questions/scale/__init__.py").status_code == 404
        assert http.get(f"{place}/../settings.py").status_code == 404
    assert http.get("/static/0123456789/%00").status_code == 400
    for way in ("..%2f..%2fsettings.py", "/etc/passwd", "questions/shared/..%2fbase.py"):
        assert http.get(f"/static/0123456789/{way}").status_code == 404, way
    assert http.get("/t/nothing").json()["code"] == "not_found"


def test_no_answer_of_the_server_is_a_5xx_and_none_sets_a_cookie(http: httpx.Client, links: list[str]):
    headers = visit(http, links[0])
    for path in (
        links[0],
        f"{links[0]}/stopped",
        "/t/draft",
        f"{static()}labelwright.css",
        f"{static()}rater.js",
    ):
        response = http.get(path, headers=headers)
        assert response.status_code == 200
        assert "set-cookie" not in response.headers
    assert http.get(links[0]).headers["referrer-policy"] == "no-referrer"
    assert http.get("/w/none").headers["referrer-policy"] == "no-referrer"


def test_static_files_are_kept_for_good_and_found_by_pages_of_another_release(http: httpx.Client):
    own = http.get(f"{static()}rater.js")
    assert "immutable" in own.headers["cache-control"]
    assert own.headers["content-encoding"] == "gzip"
    other = http.get("/static/0123456789/rater.js", follow_redirects=True)
    assert other.status_code == 200
    assert other.text == own.text


def test_a_network_that_tries_many_links_is_slowed_down(database: str, tmp_path: Path):
    # A server of its own: the others remember who tried.
    server = Server(tmp_path / "server.log")
    server.start()
    try:
        tries = [httpx.get(f"{server.root}/w/v1.x-1.y{n}.z").status_code for n in range(70)]
    finally:
        server.stop()
    assert set(tries[:50]) == {410}
    assert tries[-1] == 429
