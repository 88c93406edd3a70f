"""Hostile input to the requester's pages: forms of another user, forms from elsewhere, files, odd values."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.test_requester import PASSWORD, login
from tests.processes import Server
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]

ODD = ("\x00", "9" * 40, "²", "٣", "{x} %s", "\r\nBcc: a@b.org", "é" * 6000)
FORMS: dict[str, dict[str, tuple[str, ...]]] = {
    "raters": {
        "invite": ("pool", "email"),
        "open": ("pool", "most", "days"),
        "close": ("link",),
        "revoke-pool": ("pool", "sure"),
        "revoke-reviewer": ("reviewer",),
    },
    "rater": {
        "state": ("state", "pool", "reason"),
        "note": ("text",),
        "delete-note": ("note",),
        "message": ("text", "question", "question_shown"),
        "feedback": ("work", "text"),
        "forget": ("x",),
        "revoke": ("x",),
    },
    "qualification": {"rule": ("x",), "pick": ("rater",)},
    "board": {"write": ("text", "about")},
    "batches": {"": ("batch", "closes")},
    "state": {"pause": ("x",), "close": ("x",), "delete": ("name",)},
}
"""Every form of the desk by its page: what it can ask for, and with which fields."""


@pytest.fixture
def mine(database: str) -> Any:
    """A study of mine in another language, with one rater; and another user."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("mine@example.org", PASSWORD)
    add_user("other@example.org", PASSWORD)
    text = study_text(items={"per_dialogue": 1}, language="ar")
    study = load_study(parse(text), text, dialogues(2), NOW, owner, opened=True).study
    make_links(study, Pool.objects.get(), 1, 60, NOW)
    return study


@pytest.fixture
def me(server: Server, mine: Any) -> Iterator[httpx.Client]:
    with closing(login(server, "mine@example.org")) as client:
        yield client


def pages_of(study: Any) -> dict[str, str]:
    from labelwright.server.store.models import Rater

    root = f"/studies/{study.public_id}"
    return {
        "raters": f"{root}/raters",
        "rater": f"{root}/raters/{Rater.objects.get(member__number=0).pseudonym}",
        "qualification": f"{root}/pools/own/qualification",
        "board": f"{root}/pools/own/board",
        "batches": f"{root}/batches",
        "state": f"{root}/state",
    }


def send(client: httpx.Client, path: str, form: dict[str, str], **headers: str) -> httpx.Response:
    """A form with the token of the client's own session."""
    if "X-CSRFToken" not in client.headers:
        page = client.get("/accounts/password/change/").text
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found
        client.headers["X-CSRFToken"] = found[1]
    headers = {"Referer": f"{client.base_url}{path}"} | headers
    return client.post(path, data=form, headers=headers, follow_redirects=False)


def all_that_is_stored() -> list[Any]:
    from labelwright.server.store.models import Audit, Batch, Member, Message, Note, OpenLink, Rater, StudyRow

    kept = (Audit, Batch, Member, Message, Note, OpenLink, Rater, StudyRow)
    return [list(model.objects.order_by("pk").values()) for model in kept]


def test_no_form_takes_a_word_of_another_user_or_of_another_site(me: httpx.Client, mine: Any, server: Server):
    from labelwright.server.store.models import Batch

    before = all_that_is_stored()
    form = {
        "pool": "own", "text": "t", "state": "excluded", "sure": "yes", "most": "5", "days": "5", "link": "1",
        "note": "1", "batch": str(Batch.objects.get().pk), "closes": "2027-01-01T00:00",
    }  # fmt: skip
    with closing(login(server, "other@example.org")) as other:
        for page, address in pages_of(mine).items():
            for verb in FORMS[page]:
                assert send(other, address, form | {"do": verb}).status_code == 404, (page, verb)
                foreign = send(me, address, form | {"do": verb}, Origin="https://evil.example")
                assert foreign.status_code == 403, (page, verb)
    assert all_that_is_stored() == before


def test_odd_values_in_any_field_are_refused_or_harmless(me: httpx.Client, mine: Any):
    from labelwright.server.store.models import Rater

    pages = pages_of(mine)
    for page, address in pages.items():
        for verb, fields in FORMS[page].items():
            for field in fields:
                for odd in ODD:
                    form = {"do": verb, "pool": "own", "text": "t", "shown": "yes"} | {field: odd}
                    assert send(me, address, form).status_code in (303, 400, 404), (verb, field, odd[:20])
        shown = me.get(address)
        assert shown.status_code == 200, page
        assert shown.headers["cache-control"] == "no-store", page
    assert not Rater.objects.exclude(forgotten_at=None).exists()


def test_no_page_with_data_of_people_is_kept_by_a_browser_or_a_proxy(me: httpx.Client, mine: Any):
    from labelwright.server.access.actions.review_links import make_review_link
    from labelwright.server.store.models import ItemRow

    root = f"/studies/{mine.public_id}"
    item = ItemRow.objects.order_by("id")[0].pk
    review = make_review_link(mine, "ana", NOW).rsplit("/", 1)[1]
    parts = ("flagged", "items", f"items/{item}", "versions", "file", "messages", "preview", "export/csv")
    pages = ["/studies", root, *(f"{root}/{part}" for part in parts), f"{root}/batches/completed.csv"]
    for address in (*pages, f"/c/{review}", "/studies/none", "/w/none"):
        shown = me.get(address)
        assert shown.status_code in ((404, 410) if address.endswith("none") else (200,)), address
        assert shown.headers["cache-control"] == "no-store", address
    # The address of the review queue is a credential.
    assert me.get(f"/c/{review}").headers["referrer-policy"] == "no-referrer"
    static = re.search(r'/static/[^"]+', me.get(root).text)
    assert static
    assert "no-store" not in me.get(static[0]).headers["cache-control"]


def test_browsers_learn_to_come_back_by_https_only(database: str, tmp_path: Path):
    behind = {"LABELWRIGHT_BASE_URL": "https://127.0.0.1", "LABELWRIGHT_BEHIND_PROXY": "1"}
    server = Server(tmp_path / "server.log", **behind)
    server.start()
    try:
        for page in ("/accounts/login/", "/w/none", "/readyz"):
            told = httpx.get(server.root + page, headers={"X-Forwarded-Proto": "https"})
            assert told.headers["strict-transport-security"] == "max-age=31536000", page
        # The header means nothing over plain HTTP.
        assert "strict-transport-security" not in httpx.get(server.root + "/readyz").headers
    finally:
        server.kill()


def test_a_file_is_passed_over_and_a_large_form_is_refused_before_it_is_read(me: httpx.Client, mine: Any):
    address = pages_of(mine)["rater"]
    assert send(me, address, {}).status_code == 400
    headers = {"Referer": f"{me.base_url}{address}"}
    small = {"file": ("x.bin", b"0" * 1000)}
    form = {"do": "note", "text": "with a file"}
    assert me.post(address, data=form, files=small, headers=headers).status_code == 200
    assert "with a file" in me.get(address).text
    large = {"file": ("x.bin", b"0" * 2_000_000)}
    refused = me.post(address, data=form | {"text": "much more"}, files=large, headers=headers)
    assert refused.status_code in (400, 413)
    assert "much more" not in me.get(address).text


def test_who_sends_too_much_reads_why_every_time(me: httpx.Client, mine: Any):
    address = pages_of(mine)["rater"]
    # The answer is ready while the body is on its way; before the server took in the rest, one in ten was lost.
    answers = [me.post(address, content=b"x" * 2_000_000) for _ in range(60)]
    assert {answer.status_code for answer in answers} == {403}


def test_nobody_waits_for_a_body_that_a_page_does_not_have(me: httpx.Client):
    with socket.create_connection((me.base_url.host, me.base_url.port), 10) as caller:
        caller.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n")
        assert caller.recv(100).startswith(b"HTTP/1.1 200")


def test_a_preview_in_another_language_leaves_the_pages_after_it_in_english(me: httpx.Client, mine: Any):
    root = f"/studies/{mine.public_id}"
    # More often than the server has threads.
    for _ in range(12):
        assert 'lang="ar"' in me.get(f"{root}/preview/start").text
        assert 'lang="en"' in me.get(f"{root}/nothing").text
