"""What the template of a study's settings is given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from labelwright.server.access.actions.permission import PERMISSION_NAMES, PERMITTED, Permission, StudyRole
from labelwright.server.store.models import TeamInvitation, Webhook, WebhookDelivery
from labelwright.server.team.actions.members import GIVEN_ROLES, TeamLine
from labelwright.server.team.actions.webhooks import CHOSEN, WebhookEvent

Context = dict[str, Any]
ROLE_NAMES = {
    StudyRole.OWNER: "Owner",
    StudyRole.EDITOR: "Editor",
    StudyRole.REVIEWER: "Reviewer",
    StudyRole.VIEWER: "Viewer",
}
MAIL_WORDS = {
    TeamInvitation.Mailed.NONE: "",
    TeamInvitation.Mailed.WAITING: "The mail is being sent.",
    TeamInvitation.Mailed.SENT: "Mailed.",
    TeamInvitation.Mailed.FAILED: "The mail could not be sent. Invite again to get a link.",
}


EVENT_NAMES = {
    WebhookEvent.JUDGMENTS: "Milestones of judgments (100, 200, 500, 1,000 ...)",
    WebhookEvent.FULL: "The study is full",
    WebhookEvent.FLAGS: "Work was flagged",
    WebhookEvent.TEST: "Test",
}
DELIVERY_WORDS = {
    WebhookDelivery.State.WAITING: "Waiting",
    WebhookDelivery.State.ARRIVED: "Arrived",
    WebhookDelivery.State.FAILED: "Failed",
}


def webhooks(found: Sequence[Webhook], deliveries: Sequence[WebhookDelivery]) -> Context:
    """The webhooks, and the log of their deliveries."""
    return {
        "webhooks": [
            {"of": one, "events": [EVENT_NAMES[WebhookEvent(event)] for event in one.events]} for one in found
        ],
        "deliveries": [
            {
                "of": one,
                "address": one.webhook.address,
                "event": EVENT_NAMES[WebhookEvent(one.event)],
                "state": DELIVERY_WORDS[WebhookDelivery.State(one.state)],
                "answer": f"status {one.status}" if one.status else one.error,
            }
            for one in deliveries
        ],
        "event_choices": [{"value": event, "name": EVENT_NAMES[event]} for event in CHOSEN],
    }


def team(
    lines: Sequence[TeamLine],
    invitations: Sequence[TeamInvitation],
    permitted: frozenset[Permission],
    now: datetime,
) -> Context:
    """The team, open invitations, and what each role can do."""
    return {
        "lines": [{"of": line, "role": ROLE_NAMES[line.role]} for line in lines],
        "heirs": [line for line in lines if line.role != StudyRole.OWNER],
        "invitations": [
            {
                "of": one,
                "role": ROLE_NAMES[StudyRole(one.role)],
                "mail": MAIL_WORDS[TeamInvitation.Mailed(one.mailed)],
                "expired": one.expires_at <= now,
            }
            for one in invitations
        ],
        "given_roles": [{"value": role, "name": ROLE_NAMES[role]} for role in GIVEN_ROLES],
        "role_names": list(ROLE_NAMES.values()),
        "abilities": [
            {"name": name, "by_role": [permission in PERMITTED[role] for role in ROLE_NAMES]}
            for permission, name in PERMISSION_NAMES.items()
        ],
        "administers": Permission.ADMINISTER in permitted,
        "sees_log": Permission.SEE_RATERS in permitted,
    }
