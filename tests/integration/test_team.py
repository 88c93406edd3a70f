"""The team of a study: roles, invitations and transfer."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.desk import PASSWORD, client_of, get, post
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

OWNER, COLLEAGUE = "owner@example.org", "colleague@example.org"


@pytest.fixture
def study(database: str) -> Any:
    """A study with an owner."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user(OWNER, PASSWORD)
    text = study_text(items={"per_dialogue": 1})
    return load_study(parse(text), text, dialogues(2), NOW, owner).study


def invited_link(client: Any, study: Any, email: str, role: str) -> str:
    """Invites somebody on the page, and returns the path of the link, which the page shows once."""
    settings = f"/studies/{study.public_id}/settings"
    assert post(client, settings, do="invite", email=email, role=role).status_code == 303
    shown = re.search(r"/invitations/[\w:.-]+", get(client, settings))
    assert "/invitations/" not in get(client, settings)
    return shown.group()


def test_an_invited_person_gets_an_account_with_the_link_and_works_in_their_role(study: Any):
    owner = client_of(OWNER)
    link = invited_link(owner, study, "New@Example.org", "reviewer")
    guest = client_of()
    assert "Choose a password" in get(guest, link)
    assert "at least 12 characters" in post(guest, link, do="join", password="short").content.decode()
    assert post(guest, link, do="join", password=PASSWORD)["Location"] == f"/studies/{study.public_id}"
    assert guest.get(f"/studies/{study.public_id}/flagged").status_code == 200
    assert guest.get(f"/studies/{study.public_id}/batches").status_code == 200
    refused = post(guest, f"/studies/{study.public_id}/raters", do="invite", pool="own")
    assert refused.status_code == 403
    assert "you are a reviewer" in refused.content.decode()
    assert "Tiny study" in get(guest, "/studies")
    # The link is used up, also for somebody who reads it over a shoulder.
    assert client_of().get(link).status_code == 410
    assert rows(
        "SELECT who, what, after->>'role' FROM audit WHERE subject = 'new@example.org' ORDER BY id"
    ) == [
        (OWNER, "team_invite", "reviewer"),
        ("new@example.org", "team_join", "reviewer"),
    ]


def test_an_invitation_is_for_one_address_and_never_gives_another_account_away(study: Any):
    from labelwright.server.access.actions.users import add_user

    add_user(COLLEAGUE, PASSWORD)
    add_user("other@example.org", PASSWORD)
    owner, other = client_of(OWNER), client_of("other@example.org")
    link = invited_link(owner, study, COLLEAGUE, "editor")
    # Without a login, the link cannot set the password of an existing account.
    guest = client_of()
    assert "Log in to accept" in get(guest, link)
    assert post(guest, link, do="join", password="another long password").status_code == 400
    assert "logged in as other@example.org" in get(other, link)
    assert other.get(f"/studies/{study.public_id}").status_code == 404
    colleague = client_of(COLLEAGUE)
    assert post(colleague, link, do="accept").status_code == 303
    assert colleague.get(f"/studies/{study.public_id}").status_code == 200


def test_invitations_end_by_withdrawal_by_a_new_one_and_by_time(study: Any):
    from labelwright.server.team.actions import invitations

    first = invitations.invite_teammate(study, COLLEAGUE, "viewer", OWNER, NOW).rsplit("/", 1)[1]
    second = invitations.invite_teammate(study, COLLEAGUE, "editor", OWNER, NOW).rsplit("/", 1)[1]
    with pytest.raises(invitations.BadInvitation):
        invitations.get_invitation(first, NOW)
    assert invitations.get_invitation(second, NOW).role == "editor"
    with pytest.raises(invitations.BadInvitation):
        invitations.get_invitation(second, NOW + timedelta(days=15))
    invitations.withdraw_invitation(study, COLLEAGUE, OWNER, NOW)
    with pytest.raises(invitations.BadInvitation):
        invitations.get_invitation(second, NOW)
    for bad in ("nobody", OWNER):
        with pytest.raises(invitations.BadInvitee):
            invitations.invite_teammate(study, bad, "viewer", OWNER, NOW)


def test_the_owner_changes_roles_and_transfers_the_study(study: Any):
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import StudyRow, Teammate

    colleague, _ = add_user(COLLEAGUE, PASSWORD)
    Teammate.objects.create(study=study, user=colleague, role="viewer", joined_at=NOW)
    settings = f"/studies/{study.public_id}/settings"
    owner, theirs = client_of(OWNER), client_of(COLLEAGUE)
    assert post(theirs, settings, do="role", email=COLLEAGUE, role="editor").status_code == 403
    assert post(owner, settings, do="role", email=COLLEAGUE, role="owner").status_code == 400
    assert post(owner, settings, do="role", email=COLLEAGUE, role="editor").status_code == 303
    assert Teammate.objects.get().role == "editor"
    # Without the tick, nothing is transferred.
    post(owner, settings, do="transfer", email=COLLEAGUE)
    assert StudyRow.objects.get().owner.username == OWNER
    post(owner, settings, do="transfer", email=COLLEAGUE, sure="yes")
    assert StudyRow.objects.get().owner.username == COLLEAGUE
    assert Teammate.objects.get().user.username == OWNER
    assert post(owner, settings, do="remove", email=COLLEAGUE).status_code == 403
    post(theirs, settings, do="remove", email=OWNER)
    assert owner.get(settings).status_code == 404


def test_an_invitation_is_mailed_once_where_mail_is_set_up(study: Any, settings_with_mail: list[Any]):
    from labelwright.server.team.actions.invitations import invite_teammate
    from labelwright.server.team.jobs import send_invitations

    link = invite_teammate(study, COLLEAGUE, "viewer", OWNER, NOW)
    send_invitations.func()
    send_invitations.func()
    (mail,) = settings_with_mail
    assert (mail.to, link in mail.body) == ([COLLEAGUE], True)
    assert rows("SELECT mailed FROM team_invitation") == [("sent",)]


@pytest.fixture
def settings_with_mail() -> Any:
    """The mails that were sent, in an installation that sends them to Django's outbox."""
    from django.core import mail
    from django.test import override_settings

    with override_settings(MAIL_IS_SENT=True, EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        mail.outbox = []
        yield mail.outbox
