"""Invitations into a team: by mail where the installation sends mail, otherwise by a link that is shown once.

The link is signed and names the study and the invitation. Whoever has no account yet gets one with it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.users import add_user
from labelwright.server.store.models import StudyRow, TeamInvitation, Teammate, User
from labelwright.server.store.queue import MAIL, defer_once
from labelwright.server.team.actions.members import check_role

SALT = "team-invitation"
VALID = timedelta(days=14)


class BadInvitation(LabelwrightError):
    """A link of an invitation that does not work, without saying why."""

    code: ClassVar[str] = "bad_invitation"
    status: ClassVar[HTTPStatus] = HTTPStatus.GONE

    def __init__(self) -> None:
        super().__init__(
            "This invitation has expired, was withdrawn or was already accepted.",
            do="Ask the owner of the study for a new one.",
        )


class BadInvitee(LabelwrightError):
    """Somebody who cannot be invited."""

    code: ClassVar[str] = "bad_invitee"


class OtherInvitee(LabelwrightError):
    """An invitation for somebody else than the person who is logged in."""

    code: ClassVar[str] = "other_invitee"
    status: ClassVar[HTTPStatus] = HTTPStatus.FORBIDDEN


class WeakPassword(LabelwrightError):
    """A password that is not accepted."""

    code: ClassVar[str] = "weak_password"


@dataclass(frozen=True, slots=True)
class InvitationMail:
    """A mail ready to be sent."""

    invitation: int
    to: str
    subject: str
    text: str


@transaction.atomic
def invite_teammate(study: StudyRow, email: str, role: str, who: str, now: datetime) -> str:
    """Invites somebody, and returns the link; an earlier invitation to the same address ends. For the owner.

    Raises BadInvitee if the address is none, or belongs to somebody in the team, or BadRole.
    """
    address, given = _checked_address(study, email), check_role(role)
    invitation, _ = TeamInvitation.objects.update_or_create(
        study=study,
        email=address,
        defaults={
            "role": given,
            "nonce": secrets.token_urlsafe(12),
            "invited_by": who,
            "made_at": now,
            "expires_at": now + VALID,
            "mailed": _Mailed.WAITING if settings.MAIL_IS_SENT else _Mailed.NONE,
        },
    )
    if settings.MAIL_IS_SENT:
        defer_invitations()
    log_change(study.pk, who, "team_invite", address, now, after={"role": given})
    return _address_of(invitation)


@transaction.atomic
def withdraw_invitation(study: StudyRow, email: str, who: str, now: datetime) -> None:
    """Ends an invitation; its link stops working. For the owner."""
    if TeamInvitation.objects.filter(study=study, email=email).delete()[0]:
        log_change(study.pk, who, "team_withdraw", email, now)


def get_invitations(study: StudyRow) -> list[TeamInvitation]:
    """Invitations that nobody has accepted yet, the oldest first."""
    return list(TeamInvitation.objects.filter(study=study).order_by("made_at", "id"))


def get_invitation(token: str, now: datetime) -> TeamInvitation:
    """The invitation behind a link, with its study; raises BadInvitation."""
    present, *previous = settings.LINK_KEYS
    try:
        facts = signing.loads(token, key=present, salt=SALT, fallback_keys=[*previous])
    except signing.BadSignature:
        raise BadInvitation from None
    found = (
        TeamInvitation.objects.select_related("study")
        .filter(study__public_id=facts["s"], study__deleted_at=None, nonce=facts["n"], expires_at__gt=now)
        .first()
    )
    if found is None:
        raise BadInvitation
    return found


def has_account(invitation: TeamInvitation) -> bool:
    """Whether the invited person already has an account."""
    return User.objects.filter(username=invitation.email).exists()


@transaction.atomic
def accept_invitation(token: str, user: User, now: datetime) -> StudyRow:
    """Puts the invited user into the team; raises BadInvitation, or OtherInvitee if somebody else is logged in."""
    invitation = get_invitation(token, now)
    if user.username != invitation.email:
        raise OtherInvitee(
            f"this invitation is for {invitation.email}, and you are logged in as {user.username}.",
            do=f"Log out, then open the link again and log in as {invitation.email}.",
        )
    # Of two clicks at once, only one finds the invitation.
    if not TeamInvitation.objects.filter(pk=invitation.pk).delete()[0]:
        raise BadInvitation
    study = invitation.study
    if study.owner_id != user.pk:
        Teammate.objects.update_or_create(
            study=study, user=user, defaults={"role": invitation.role, "joined_at": now}
        )
    log_change(study.pk, user.username, "team_join", user.username, now, after={"role": invitation.role})
    return study


@transaction.atomic
def accept_as_new_user(token: str, password: str, now: datetime) -> User:
    """Makes an account for the invited person and puts them into the team; raises BadInvitation or WeakPassword."""
    invitation = get_invitation(token, now)
    if has_account(invitation):
        # Otherwise a link would be enough to take over an account.
        raise BadInvitation
    try:
        validate_password(password)
    except ValidationError as error:
        raise WeakPassword("this password was not accepted.", do=" ".join(error.messages)) from None
    user, _ = add_user(invitation.email, password)
    accept_invitation(token, user, now)
    return user


def plan_invitation_mail() -> InvitationMail | None:
    """The next mail, marked as sent, so that a crash never sends it twice; None if none waits."""
    with transaction.atomic():
        invitation = (
            TeamInvitation.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("study")
            .filter(mailed=_Mailed.WAITING)
            .order_by("id")
            .first()
        )
        if invitation is None:
            return None
        invitation.mailed = _Mailed.SENT
        invitation.save(update_fields=["mailed"])
    title = " ".join(invitation.study.title.split())
    return InvitationMail(
        invitation.pk,
        invitation.email,
        f"Invitation to the study “{title}”",
        f"{invitation.invited_by} invites you to the team of the study “{title}” as {invitation.role}.\n\n"
        f"Accept the invitation here:\n{_address_of(invitation)}\n\n"
        f"The link is only for you. It is valid until {invitation.expires_at:%-d %B %Y}.",
    )


def record_failed_invitation(invitation: int) -> None:
    """Marks an invitation whose mail the mail server refused, so that the owner sees it."""
    TeamInvitation.objects.filter(pk=invitation).update(mailed=_Mailed.FAILED)


def defer_invitations() -> None:
    """Defers the job that sends the invitations."""
    defer_once("send_invitations", MAIL, lock="send_invitations")


_Mailed = TeamInvitation.Mailed


def _checked_address(study: StudyRow, email: str) -> str:
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise BadInvitee(f'"{email}" is not an email address.', expected="name@example.org.") from None
    member = Teammate.objects.filter(study=study, user__username=address).exists()
    if member or (study.owner and study.owner.username == address):
        raise BadInvitee(f"{address} is already in the team.", do="Change the role in the table instead.")
    return address


def _address_of(invitation: TeamInvitation) -> str:
    facts = {"s": invitation.study.public_id, "n": invitation.nonce}
    return f"{settings.BASE_URL}/invitations/{signing.dumps(facts, key=settings.LINK_KEYS[0], salt=SALT)}"
