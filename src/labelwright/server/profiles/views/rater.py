"""The requester's page about one rater."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.crowd import MemberState
from labelwright.server.access.actions.permission import Permission, access_study, may_manage_raters
from labelwright.server.access.actions.revocation import revoke_rater_links
from labelwright.server.people.actions import messages as messaging
from labelwright.server.people.actions import roster
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.profiles.actions.comparison import get_gold_answers, get_shared_answers, get_work
from labelwright.server.profiles.actions.deletion import delete_personal_data
from labelwright.server.profiles.actions.standing import set_member_state
from labelwright.server.profiles.pages import rater as pages
from labelwright.server.store.models import Rater, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions import get_owed
from labelwright.server.web.desk import frame
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.money import amounts
from labelwright.server.web.requests import id_number, page_number, user_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: str, pseudonym: str) -> HttpResponse:
    """One rater: pools, notes, messages, and their answers next to the others'."""
    reads = request.method in ("GET", "HEAD")
    permission = Permission.SEE_RATERS if reads else Permission.MANAGE_RATERS
    study = access_study(user_of(request), public_id, permission)
    found = roster.get_rater(study, pseudonym)
    now, who, form = datetime.now(UTC), user_of(request).get_username(), request.POST

    def do_state() -> None:
        if form.get("state") not in set(MemberState):
            raise BadRequest("state must be one of those that the page offers.")
        pool = get_pool(study, form.get("pool", ""))
        set_member_state(study, pool, found, MemberState(form["state"]), who, form.get("reason", ""), now)

    def do_message() -> None:
        shown = (
            messaging.PublicQuestion(form.get("question_shown", "")) if form.get("shown") == "yes" else None
        )
        question = id_number(form["question"]) if form.get("question") else None
        messaging.write_to_rater(study, who, found, form.get("text", ""), now, question=question, shown=shown)

    def do_feedback() -> None:
        chosen = [int(one) for one in form.getlist("work") if one.isdecimal() and len(one) < 18]
        messaging.give_feedback(study, who, found, chosen, form.get("text", ""), now)

    error, done = run_form(
        request,
        {
            "state": do_state,
            "note": lambda: roster.add_note(study, found, who, form.get("text", ""), now),
            "delete-note": lambda: roster.delete_note(study, found, id_number(form.get("note")), who, now),
            "revoke": lambda: revoke_rater_links(study, found, who, now),
            "message": do_message,
            "feedback": do_feedback,
            "forget": lambda: (
                delete_personal_data(study, found, who, now) if form.get("sure") == "yes" else None
            ),
        },
    )
    if done:
        return done
    context = _rater_context(study, found, page_number(request))
    context["may_manage"] = may_manage_raters(user_of(request), study)
    messaging.mark_read(found.pk, by_rater=False, now=now)
    title = study_of(study.versions.latest("n").pk).title
    return form_page(request, "profiles/rater.html", frame(public_id, title, "raters") | context, error)


def _rater_context(study: StudyRow, found: Rater, page: int) -> dict[str, Any]:
    context = pages.rater(
        study,
        found,
        roster.get_memberships(found),
        roster.get_notes(found),
        messaging.get_thread(found.pk),
        get_work(found.pk, page),
        page,
    )
    return context | {
        "shared": get_shared_answers(found.pk),
        "gold": get_gold_answers(found.pk),
        "owed": amounts(get_owed(study.pk, found.pk)),
    }
