"""The API tokens of a user."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.server.team.actions import tokens
from labelwright.server.team.pages import tokens as pages
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import id_number, number, user_of

SHOWN_ONCE = "new_token"
USUAL_DAYS = 90


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest) -> HttpResponse:
    """The tokens that work; a POST creates or revokes one."""
    user, now, form = user_of(request), datetime.now(UTC), request.POST

    def do_create() -> None:
        days = number(form.get("days"), tokens.MOST_DAYS, otherwise=USUAL_DAYS)
        made = tokens.create_token(user, form.get("name", ""), form.getlist("scope"), days, now)
        request.session[SHOWN_ONCE] = made

    verbs = {
        "create": do_create,
        "revoke": lambda: tokens.revoke_token(user, id_number(form.get("token")), now),
    }
    error, done = run_form(request, verbs)
    if done:
        return done
    context = pages.tokens(tokens.get_tokens(user, now), form.getlist("scope"))
    context["new_token"] = request.session.pop(SHOWN_ONCE, None) if request.method == "GET" else None
    return form_page(request, "team/tokens.html", context, error)
