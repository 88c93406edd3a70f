"""The requester's pages about people: qualification, board and messages."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.server.access.actions.permission import Permission, access_study, may_manage_raters
from labelwright.server.people import pages
from labelwright.server.people.actions import messages as messaging
from labelwright.server.people.actions.inbox import get_inbox
from labelwright.server.people.actions.mail import is_mail_sent
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.people.actions.qualification import (
    NotAQualification,
    decide_qualification,
    get_ranking,
    let_rule_decide,
)
from labelwright.server.people.actions.qualification_result import get_result
from labelwright.server.store.models import StudyRow
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import user_of

KEYS = re.compile(r"[\s,]+")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def qualification(request: HttpRequest, public_id: str, pool: str) -> HttpResponse:
    """The ranking of applicants, and decisions on them."""
    study = _study(request, public_id)
    get_pool(study, pool)
    now, who = datetime.now(UTC), user_of(request).get_username()

    def do_rule() -> Done:
        let_rule_decide(study, pool, who, now)
        return Done("The rule has decided. Applicants can read their results.")

    def do_pick() -> Done:
        decide_qualification(study, pool, request.POST.getlist("rater"), who, now)
        return Done("Your decision is stored. Applicants can read their results.")

    error, done = run_form(request, {"rule": do_rule, "pick": do_pick})
    if done:
        return done
    try:
        ranking = get_ranking(study, pool)
    except NotAQualification as none:
        context: dict[str, Any] = {"pool": pool, "none": str(none)}
    else:
        context = pages.ranking(ranking)
        looked_at = next((a for a in ranking.applicants if a.pseudonym == request.GET.get("rater")), None)
        if looked_at:
            context |= {"looked_at": looked_at, "result": get_result(study, pool, looked_at.rater)}
    return _page(request, study, "raters", "people/qualification.html", context, error, "Qualification")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def board(request: HttpRequest, public_id: str, pool: str) -> HttpResponse:
    """Remarks to everybody in a pool."""
    study = _study(request, public_id)
    found = get_pool(study, pool)

    def do_write() -> Done:
        keys = [key for key in KEYS.split(request.POST.get("about", "")) if key]
        messaging.write_to_pool(
            study,
            user_of(request).get_username(),
            found,
            request.POST.get("text", ""),
            datetime.now(UTC),
            keys,
        )
        return Done("The message is on the board.")

    error, done = run_form(request, {"write": do_write})
    if done:
        return done
    context = {
        "pool": pool,
        "messages": messaging.get_board([found.pk]),
        "longest": messaging.LONGEST_BY_REQUESTER,
    }
    return _page(request, study, "messages", "people/board.html", context, error, f"Board of {pool}")


@require_safe
@login_required
def messages(request: HttpRequest, public_id: str) -> HttpResponse:
    """Unanswered questions, threads and boards."""
    study = _study(request, public_id)
    context = {"inbox": get_inbox(study), "longest": messaging.LONGEST_BY_REQUESTER}
    return _page(request, study, "messages", "people/messages.html", context, None)


def _study(request: HttpRequest, public_id: str) -> StudyRow:
    reads = request.method in ("GET", "HEAD")
    return access_study(
        user_of(request), public_id, Permission.SEE_RATERS if reads else Permission.MANAGE_RATERS
    )


def _page(
    request: HttpRequest,
    study: StudyRow,
    tab: str,
    template: str,
    context: dict[str, Any],
    error: str | None,
    name: str = "",
) -> HttpResponse:
    shared = frame(study.public_id, study.title, tab, name)
    shared["mail_is_sent"] = is_mail_sent()
    shared["may_manage"] = may_manage_raters(user_of(request), study)
    return form_page(request, template, shared | context, error)
