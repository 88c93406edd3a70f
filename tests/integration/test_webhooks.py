"""Webhooks: told once, signed, tried again, and never sent into our own network."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tests.rows import rows
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]


class Receiver(HTTPServer):
    """Somebody's server, which remembers what it was sent and answers as told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 204
        self.got: list[tuple[dict[str, str], bytes]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        self.send_response(self.server.status)
        if self.server.status == 302:
            self.send_header("Location", self.server.address)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def private_permitted() -> Iterator[None]:
    """An installation that permits webhooks into its own network."""
    from dataclasses import replace

    from django.conf import settings
    from django.test import override_settings

    with override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, private_webhooks=True)):
        yield


def deliver(now: datetime) -> int:
    """Makes all deliveries that are due; returns how many attempts."""
    from labelwright.server.team.jobs import deliver as make

    made = 0
    while make(now):
        made += 1
    return made


def events() -> list[str]:
    return [event for (event,) in rows("SELECT event FROM webhook_delivery ORDER BY id")]


def test_a_study_that_fills_tells_milestones_flags_and_its_end_once():
    from labelwright.server.team.actions.webhooks import add_webhook, announce_events
    from tests.integration.test_keys import count_all, links_of, load, rate

    # 20 items under 2 conditions with 3 ratings each, by 6 raters; each rater does an item in one condition.
    loaded = load(items=20, redundancy=3)
    add_webhook(loaded.study, "https://hooks.example.org/", ["judgments", "full", "flags"], "me", NOW)
    assert announce_events(NOW) == 0
    raters = links_of(loaded, 6)
    rate(raters[:2], 2)
    count_all()
    assert (announce_events(NOW), announce_events(NOW), events()) == (0, 0, [])
    rate(raters[2:], 20)
    count_all()
    # 84 judgments are below the first milestone of 100.
    assert announce_events(NOW) == 0
    rate(raters[:2], 18)
    count_all()
    assert announce_events(NOW) == 2
    assert announce_events(NOW) == 0
    assert events() == ["judgments", "full"]
    assert rows("SELECT body->>'judgments' FROM webhook_delivery WHERE event = 'judgments'") == [("100",)]


def test_flags_are_told_by_rule_and_without_raters():
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.team.actions.webhooks import add_webhook, announce_events
    from tests.integration.test_keys import count_all, links_of, load

    loaded = load()
    add_webhook(loaded.study, "https://hooks.example.org/", ["flags"], "me", NOW)
    (token,) = links_of(loaded, 1)
    submit(offer(get_visitor(token, NOW), NOW).token, {"0": {"useful": 1}}, NOW + timedelta(seconds=3))
    count_all()
    announce_events(NOW)
    ((body,),) = rows("SELECT body::text FROM webhook_delivery")
    assert '"flags": {"too_fast": 1}' in body
    ((pseudonym,),) = rows("SELECT pseudonym FROM rater")
    assert pseudonym not in body


def test_a_delivery_is_signed_and_arrives(receiver: Receiver):
    from labelwright.client.webhooks import BadSignature, verify_webhook
    from labelwright.server.team.actions.webhooks import add_webhook, try_webhook
    from tests.integration.test_keys import load

    study = load().study
    with private_permitted():
        secret = add_webhook(study, receiver.address, ["full"], "me", NOW)
        try_webhook(study, rows("SELECT id FROM webhook")[0][0], "me", NOW)
        assert deliver(NOW) == 1
        assert deliver(NOW) == 0
    ((headers, body),) = receiver.got
    told = verify_webhook(secret, headers["Labelwright-Signature"], body)
    assert (told["event"], told["study"]) == ("test", study.public_id)
    assert headers["Labelwright-Delivery"] == str(told["delivery"])
    for wrong in (body + b" ", body.replace(b"test", b"full")):
        with pytest.raises(BadSignature):
            verify_webhook(secret, headers["Labelwright-Signature"], wrong)
    with pytest.raises(BadSignature):
        verify_webhook("another", headers["Labelwright-Signature"], body)
    late = datetime.now(UTC) + timedelta(minutes=6)
    with pytest.raises(BadSignature, match="too old"):
        verify_webhook(secret, headers["Labelwright-Signature"], body, now=late)
    assert rows("SELECT state, status::int FROM webhook_delivery") == [("arrived", 204)]
    # The database does not hold the secret in plain text.
    assert rows("SELECT count(*)::int FROM webhook w WHERE w::text LIKE %s", [f"%{secret}%"]) == [(0,)]


def test_a_refused_delivery_is_tried_again_with_growing_pauses_and_then_fails(receiver: Receiver):
    from labelwright.server.team.actions.webhooks import PAUSES, add_webhook, try_webhook
    from tests.integration.test_keys import load

    study = load().study
    # Redirects are not followed: they could lead anywhere.
    receiver.status = 302
    with private_permitted():
        add_webhook(study, receiver.address, ["full"], "me", NOW)
        try_webhook(study, rows("SELECT id FROM webhook")[0][0], "me", NOW)
        now = NOW
        for number, pause in enumerate(PAUSES, start=1):
            assert (deliver(now), len(receiver.got)) == (1, number)
            assert deliver(now + pause - timedelta(seconds=1)) == 0
            now += pause
        assert rows("SELECT state, status::int FROM webhook_delivery") == [("waiting", 302)]
        assert deliver(now) == 1
    assert rows("SELECT state, attempts::int FROM webhook_delivery") == [("failed", len(PAUSES) + 1)]


def test_nothing_is_sent_into_our_own_network(receiver: Receiver):
    from labelwright.outside.webhooks import BadWebhook, check_address, send_webhook

    for address in (
        receiver.address,
        "https://user:password@hooks.example.org/",
        "ftp://hooks.example.org/",
        "https:///path",
        "https://[bad/",
        "https://hooks.example.org/\n",
    ):
        with pytest.raises(BadWebhook):
            check_address(address, private=False)
    # A name that leads here is refused where the connection is made.
    for host in ("localhost", "127.0.0.1", "[::1]", "0.0.0.0", "2130706433"):
        address = f"https://{host}:{receiver.server_port}/"
        answer = send_webhook(address, "secret", b"{}", {}, 0, private=False)
        assert (answer.status, answer.error) == (None, "the address leads to a private network"), host
    assert receiver.got == []
