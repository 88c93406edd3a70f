"""The settings of a study: its team, webhooks and the newest lines of its audit log."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.server.access.actions.audit import get_lines
from labelwright.server.access.actions.permission import Permission, access_any_study, get_permissions
from labelwright.server.store.models import StudyRow
from labelwright.server.team.actions import invitations, members, webhooks
from labelwright.server.team.pages import audit as audit_pages
from labelwright.server.team.pages import settings as pages
from labelwright.server.web.desk import frame
from labelwright.server.web.forms import Verbs, form_page, run_form
from labelwright.server.web.requests import id_number, user_of

NEWEST_LINES = 6
SHOWN_ONCE = "shown_once"
"""The name under which the session keeps a new link or secret until the page has shown it."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The settings; a POST changes one of them."""
    user = user_of(request)
    reads = request.method in ("GET", "HEAD")
    study = access_any_study(user, public_id, Permission.VIEW if reads else Permission.ADMINISTER)
    error, done = run_form(request, {**_team_verbs(request, study), **_webhook_verbs(request, study)})
    if done:
        return done
    context = frame(public_id, study.title, "settings")
    context |= pages.team(
        members.get_team(study),
        invitations.get_invitations(study),
        get_permissions(user, study),
        datetime.now(UTC),
    )
    if context["administers"]:
        context |= pages.webhooks(webhooks.get_webhooks(study), webhooks.get_deliveries(study))
    if context["sees_log"]:
        context["audit_lines"] = audit_pages.lines(get_lines(study.pk, None, NEWEST_LINES))
    context["shown_once"] = request.session.pop(SHOWN_ONCE, None) if reads else None
    return form_page(request, "team/settings.html", context, error)


def _team_verbs(request: HttpRequest, study: StudyRow) -> Verbs:
    form, who, now = request.POST, user_of(request).get_username(), datetime.now(UTC)
    email = form.get("email", "")

    def do_invite() -> None:
        link = invitations.invite_teammate(study, email, form.get("role", ""), who, now)
        request.session[SHOWN_ONCE] = {"email": email, "link": link}

    def do_transfer() -> None:
        if form.get("sure") == "yes":
            members.transfer_study(study, email, who, now)

    return {
        "invite": do_invite,
        "withdraw": lambda: invitations.withdraw_invitation(study, email, who, now),
        "role": lambda: members.change_role(study, email, form.get("role", ""), who, now),
        "remove": lambda: members.remove_teammate(study, email, who, now),
        "transfer": do_transfer,
    }


def _webhook_verbs(request: HttpRequest, study: StudyRow) -> Verbs:
    form, who, now = request.POST, user_of(request).get_username(), datetime.now(UTC)
    chosen = id_number(form.get("webhook"))

    def do_add() -> None:
        address = form.get("address", "")
        secret = webhooks.add_webhook(study, address, form.getlist("event"), who, now)
        request.session[SHOWN_ONCE] = {"address": address, "secret": secret}

    return {
        "add-webhook": do_add,
        "remove-webhook": lambda: webhooks.remove_webhook(study, chosen, who, now),
        "try-webhook": lambda: webhooks.try_webhook(study, chosen, who, now),
    }
