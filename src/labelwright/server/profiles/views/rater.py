"""The requester's page about one rater."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.views.decorators.http import require_http_methods

from labelwright.crowd import MemberState
from labelwright.server.access.actions.permission import Permission, access_study, may_manage_raters
from labelwright.server.access.actions.revocation import revoke_rater_links
from labelwright.server.people.actions import messages as messaging
from labelwright.server.people.actions import roster
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.profiles.actions.comparison import get_late_work, get_work
from labelwright.server.profiles.actions.deletion import delete_personal_data
from labelwright.server.profiles.actions.evidence import RaterFindings, get_evidence, get_oldest
from labelwright.server.profiles.actions.standing import set_member_state
from labelwright.server.profiles.pages import rater as pages
from labelwright.server.store.models import Rater, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import id_number, page_number, user_of

STATE_SET = {
    MemberState.ACTIVE: "{name} is offered tasks of “{pool}” again.",
    MemberState.PAUSED: "{name} is paused in “{pool}”.",
    MemberState.EXCLUDED: "{name} is excluded from “{pool}”.",
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: str, pseudonym: str) -> HttpResponse:
    """One rater: pools, notes, messages, and their answers next to the others'."""
    reads = request.method in ("GET", "HEAD")
    permission = Permission.SEE_RATERS if reads else Permission.MANAGE_RATERS
    study = access_study(user_of(request), public_id, permission)
    found, now = roster.get_rater(study, pseudonym), datetime.now(UTC)
    verbs = {
        "state": _set_state,
        "note": _add_note,
        "delete-note": _delete_note,
        "revoke": _revoke,
        "message": _send_message,
        "feedback": _send_feedback,
        "forget": _forget,
    }
    asked = _RaterForm(request.POST, study, found, user_of(request).get_username(), now)
    error, done = run_form(request, {name: partial(verb, asked) for name, verb in verbs.items()})
    if done:
        return done
    oldest = get_oldest(found)
    if oldest.pk != found.pk and not error:
        return HttpResponseRedirect(f"/studies/{public_id}/raters/{oldest.pseudonym}")
    file = study_of(study.versions.latest("n").pk)
    evidence = get_evidence(study, file, oldest)
    context = _rater_context(study, oldest, evidence, page_number(request))
    context["may_manage"] = may_manage_raters(user_of(request), study)
    messaging.mark_read(*evidence.raters, by_rater=False, now=now)
    desk = frame(public_id, file.title, "raters", oldest.pseudonym)
    return form_page(request, "profiles/rater.html", desk | context, error)


def _rater_context(study: StudyRow, found: Rater, evidence: RaterFindings, page: int) -> dict[str, Any]:
    raters = evidence.raters
    context = pages.rater(
        study,
        found,
        roster.get_memberships(raters),
        roster.get_notes(raters),
        messaging.get_thread(*raters),
        get_work(raters, page),
        page,
    )
    return context | pages.evidence(evidence) | {"late": get_late_work(raters)}


@dataclass(frozen=True, slots=True)
class _RaterForm:
    """A form about a rater."""

    form: QueryDict
    study: StudyRow
    rater: Rater
    who: str
    now: datetime


def _set_state(asked: _RaterForm) -> Done:
    form = asked.form
    if form.get("state") not in set(MemberState):
        raise BadRequest("state must be one of those that the page offers.")
    pool, state = get_pool(asked.study, form.get("pool", "")), MemberState(form.get("state", ""))
    earlier = set_member_state(
        asked.study, pool, asked.rater, state, asked.who, form.get("reason", ""), asked.now
    )
    undo = Undo("state", {"pool": pool.name, "state": earlier, "reason": "Undone"})
    return Done(STATE_SET[state].format(name=asked.rater.pseudonym, pool=pool.name), undo)


def _send_message(asked: _RaterForm) -> Done:
    form = asked.form
    shown = messaging.PublicQuestion(form.get("question_shown", "")) if form.get("shown") == "yes" else None
    question = id_number(form.get("question")) if form.get("question") else None
    messaging.write_to_rater(
        asked.study, asked.who, asked.rater, form.get("text", ""), asked.now, question=question, shown=shown
    )
    # A question that was answered where all of them are listed leads back to the others.
    listed = form.get("from") == "messages"
    return Done(
        "The message is sent.", onward=f"/studies/{asked.study.public_id}/messages" if listed else None
    )


def _send_feedback(asked: _RaterForm) -> Done:
    chosen = [int(one) for one in asked.form.getlist("work") if one.isdecimal() and len(one) < 18]
    messaging.give_feedback(
        asked.study, asked.who, asked.rater, chosen, asked.form.get("text", ""), asked.now
    )
    return Done("The feedback is sent.")


def _add_note(asked: _RaterForm) -> Done:
    roster.add_note(asked.study, asked.rater, asked.who, asked.form.get("text", ""), asked.now)
    return Done("The note is saved.")


def _delete_note(asked: _RaterForm) -> Done:
    roster.delete_note(asked.study, asked.rater, id_number(asked.form.get("note")), asked.who, asked.now)
    return Done("The note is deleted.")


def _revoke(asked: _RaterForm) -> Done:
    revoke_rater_links(asked.study, asked.rater, asked.who, asked.now)
    return Done("The link is revoked. The new one is below, under Personal link.")


def _forget(asked: _RaterForm) -> Done | None:
    if asked.form.get("sure") != "yes":
        return None
    delete_personal_data(asked.study, asked.rater, asked.who, asked.now)
    return Done("The personal data are deleted.")
