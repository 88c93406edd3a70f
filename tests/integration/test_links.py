"""Links end when they are revoked, say so, and survive a change of the key."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any
from uuid import uuid4

import httpx
import pytest

from labelwright.crowd import BadLink, MemberState, RevokedLink
from tests.commands import run
from tests.integration.test_people import load, tokens  # noqa: F401  a fixture
from tests.integration.test_requester import PASSWORD, login
from tests.processes import Server
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once]


@pytest.fixture
def row(load: Callable[..., Any]) -> Any:
    return load()


def works(token: str) -> bool:
    from labelwright.server.access.actions.links import get_visitor

    try:
        get_visitor(token, NOW)
    except RevokedLink:
        return False
    return True


def test_one_link_is_revoked_with_the_page_that_it_opened(row: Any):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.revocation import revoke_rater_links
    from labelwright.server.offering.actions.leases import UnknownVisit, offer
    from labelwright.server.rating.actions.answers import get_saved, save
    from labelwright.server.store.models import Audit, Rater

    leaked, other = tokens(row, 2)
    visitor = get_visitor(leaked, NOW)
    visit = offer(visitor, NOW).token
    save(visit, {"0": {"comment": "half an answer"}}, "a", 0, NOW)
    revoke_rater_links(row, Rater.objects.get(pk=visitor.rater), "me", NOW)
    assert not works(leaked)
    with pytest.raises(UnknownVisit):
        save(visit, {"0": {"comment": "by somebody else"}}, "b", 1, NOW)
    # The rater goes on with the new link where they stopped; nobody else notices.
    renewed, same = tokens(row, 2)
    assert same == other
    _, saved = get_saved(offer(get_visitor(renewed, NOW), NOW).token)
    assert saved is not None
    assert "half an answer" in saved.answers_json
    assert Audit.objects.filter(what="revoke_links").count() == 1


def test_the_links_of_a_pool_and_of_a_study_are_revoked(row: Any):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.access.actions.revocation import revoke_pool_links, revoke_study_links
    from labelwright.server.people.actions.joining import get_door, make_open_link
    from labelwright.server.people.actions.pools import get_pool

    pool = get_pool(row, "own")
    for revoke in (
        lambda: revoke_pool_links(row, pool, "me", NOW),
        lambda: revoke_study_links(row, "me", NOW),
    ):
        before = tokens(row, 3)
        door = open_address(row, make_open_link(row, pool, "me", 5, 14, NOW)).rsplit("/", 1)[1]
        assert get_door(door, NOW).pool == "own"
        revoke()
        assert [works(token) for token in before] == [False] * 3
        with pytest.raises(RevokedLink):
            get_door(door, NOW)
        assert all(works(token) for token in tokens(row, 3))


def test_the_link_of_an_excluded_rater_ends_until_they_are_reinstated(row: Any):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.profiles.actions.standing import set_member_state
    from labelwright.server.store.models import Rater

    excluded, other = tokens(row, 2)
    rater = Rater.objects.get(pk=get_visitor(excluded, NOW).rater)
    for state, open_to in (
        (MemberState.EXCLUDED, False),
        (MemberState.PAUSED, True),
        (MemberState.ACTIVE, True),
    ):
        set_member_state(row, get_pool(row, "own"), rater, state, "me", "", NOW)
        assert (works(excluded), works(other)) == (open_to, True), state
        assert (excluded in tokens(row, 2)) is open_to


def test_the_links_of_a_reviewer_are_revoked(row: Any):
    from labelwright.server.access.actions.review_links import (
        BadReviewLink,
        RevokedReviewLink,
        get_reviewer,
        make_review_link,
        revoke_review_links,
    )
    from labelwright.server.access.actions.revocation import revoke_study_links

    def made(name: str) -> str:
        return make_review_link(row, name, NOW).rsplit("/", 1)[1]

    ana, ben = made("ana"), made("ben")
    assert get_reviewer(ana).name == "ana"
    revoke_review_links(row, "ana", "me", NOW)
    with pytest.raises(RevokedReviewLink):
        get_reviewer(ana)
    assert get_reviewer(ben).name == "ben"
    assert get_reviewer(made("ana")).name == "ana"
    revoke_study_links(row, "me", NOW)
    with pytest.raises(RevokedReviewLink):
        get_reviewer(ben)
    with pytest.raises(BadReviewLink, match="does not open"):
        get_reviewer(ben + "x")


def test_links_of_an_earlier_release_can_be_revoked_too(row: Any):
    from django.conf import settings
    from django.core import signing

    from labelwright.server.access.actions import review_links

    old = signing.dumps({"s": row.pk, "r": "ana"}, key=settings.LINK_KEYS[0], salt=review_links.SALT)
    assert review_links.get_reviewer(old).name == "ana"
    review_links.revoke_review_links(row, "ana", "me", NOW)
    with pytest.raises(review_links.RevokedReviewLink):
        review_links.get_reviewer(old)


@pytest.fixture
def settings_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets the link keys as a restarted server would read them."""
    from django.conf import settings

    from labelwright.server.config.environment import Environment

    def change(**values: str) -> None:
        read = Environment.read({"DATABASE_URL": "postgresql:///x", "LABELWRIGHT_DEMO": "1", **values})
        keys = [key for key in [read.link_key, read.previous_link_key] if key]
        monkeypatch.setattr(settings, "LINK_KEYS", keys)

    return change


def test_two_keys_are_valid_while_the_key_is_changed(row: Any, settings_of: Callable[..., None]):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.access.actions.receipts import receipt_of
    from labelwright.server.access.actions.review_links import get_reviewer, make_review_link
    from labelwright.server.people.actions.joining import get_door, make_open_link
    from labelwright.server.people.actions.pools import get_pool

    first, second = "first-key-" * 4, "second-key-" * 4
    settings_of(LABELWRIGHT_LINK_KEY=first)
    (old,) = tokens(row, 1)
    door = open_address(row, make_open_link(row, get_pool(row, "own"), "me", 5, 14, NOW)).rsplit("/", 1)[1]
    review = make_review_link(row, "ana", NOW).rsplit("/", 1)[1]
    assignment = uuid4()
    receipt = receipt_of(assignment)
    settings_of(LABELWRIGHT_LINK_KEY=second, LABELWRIGHT_LINK_KEY_PREVIOUS=first)
    (new,) = tokens(row, 1)
    assert new != old
    assert works(old)
    assert works(new)
    assert get_door(door, NOW).pool == "own"
    assert get_reviewer(review).name == "ana"
    # When the old key is removed, its links are as good as forged. Receipts stay what they were.
    settings_of(LABELWRIGHT_LINK_KEY=second)
    assert works(new)
    with pytest.raises(BadLink) as bad:
        works(old)
    assert not isinstance(bad.value, RevokedLink)
    assert receipt_of(assignment) == receipt


def test_the_person_is_told_that_the_link_was_revoked(row: Any, server: Server):
    from labelwright.server.access.actions.revocation import revoke_study_links

    (old,) = tokens(row, 1)
    revoke_study_links(row, "me", NOW)
    gone = httpx.get(f"{server.root}/w/{old}")
    assert gone.status_code == 410
    assert "This link has been revoked" in gone.text
    italian = httpx.get(f"{server.root}/w/{old}/me", headers={"Accept-Language": "it"})
    assert "revocato" in italian.text
    # A forged link learns nothing.
    assert "revoked" not in httpx.get(f"{server.root}/w/{old}x").text


def test_links_are_revoked_by_command_and_on_the_pages(row: Any, server: Server):
    from labelwright.server.access.actions.review_links import make_review_link
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.people.actions.joining import make_open_link
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import OpenLink, Rater, ReviewerLink

    row.owner, _ = add_user("links@example.org", PASSWORD)
    row.save()
    before = tokens(row, 1)
    rater = Rater.objects.get()
    opened = make_open_link(row, get_pool(row, "own"), "me", 5, 14, NOW)
    make_review_link(row, "ana", NOW)
    assert run("link", "revoke", "tiny").exit_code == 2
    for option in (
        ("--rater", rater.pseudonym),
        ("--pool", "own"),
        ("--reviewer", "ana"),
        ("--all",),
    ):
        assert run("link", "revoke", "tiny", *option).stdout.startswith("Revoked ")
    assert not works(before[0])
    assert OpenLink.objects.get(pk=opened.pk).closed_at is not None
    assert ReviewerLink.objects.get().number == 2
    row.refresh_from_db()
    before = tokens(row, 1)
    with closing(login(server, "links@example.org")) as me:
        roster = f"/studies/{row.public_id}/raters"
        assert "Revoke links of ana" in me.get(roster).text
        me.headers.update({"Referer": server.root, "X-CSRFToken": me.cookies["csrftoken"]})
        for where, form in (
            (f"{roster}/{rater.pseudonym}", {"do": "revoke"}),
            (roster, {"do": "revoke-pool", "pool": "own", "sure": "yes"}),
            (roster, {"do": "revoke-reviewer", "reviewer": "ana"}),
        ):
            assert me.post(where, data=form).status_code == 200
    assert not works(before[0])
    assert ReviewerLink.objects.get().number == 3
