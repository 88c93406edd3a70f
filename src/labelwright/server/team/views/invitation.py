"""The page behind the link of an invitation into a team."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.server.store.models import User
from labelwright.server.team.actions import invitations
from labelwright.server.web.forms import form_page, run_form

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, token: str) -> HttpResponse:
    """What the invitation is for; a POST accepts it, with a new account if the person has none."""
    now = datetime.now(UTC)
    invitation = invitations.get_invitation(token, now)
    address = f"/studies/{invitation.study.public_id}"

    def do_accept() -> str:
        if not isinstance(request.user, User):
            raise invitations.BadInvitation
        invitations.accept_invitation(token, request.user, now)
        return address

    def do_join() -> str:
        made = invitations.accept_as_new_user(token, request.POST.get("password", ""), now)
        login(request, made, backend=BACKEND)
        return address

    error, done = run_form(request, {"accept": do_accept, "join": do_join})
    if done:
        return done
    context = {
        "title": "Invitation",
        "study_title": invitation.study.title,
        "invitation": invitation,
        "has_account": invitations.has_account(invitation),
        "is_invitee": getattr(request.user, "username", "") == invitation.email,
        "logged_in": request.user.is_authenticated,
        "address": request.path,
    }
    return form_page(request, "team/invitation.html", context, error)
