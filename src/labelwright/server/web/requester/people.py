"""The requester's pages on people: roster, one rater, qualification, board and messages.

A form is sent to the page that it stands on, with the verb in `do`; what is refused is told there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.crowd import MemberState
from labelwright.errors import LabelwrightError
from labelwright.server.actions import messages as talk
from labelwright.server.actions import roster
from labelwright.server.actions.beside import get_together, get_work
from labelwright.server.actions.inbox import get_inbox
from labelwright.server.actions.overview import get_owned, owed
from labelwright.server.actions.pools import close_open_link, get_open_links, get_pool, invite, make_open_link
from labelwright.server.actions.qualification import (
    NotAQualification,
    decide_qualification,
    get_ranking,
    let_rule_decide,
)
from labelwright.server.actions.qualification_told import get_told
from labelwright.server.store.models import Rater, Study
from labelwright.server.store.versions import study_of
from labelwright.server.web.rater.pages import amounts
from labelwright.server.web.requester import pages, people_pages
from labelwright.server.web.requester.sent import id_number, number, page_number, user_of

KEYS = re.compile(r"[\s,]+")
MOST_MEMBERS, MOST_DAYS = 100_000, 730

Verbs = dict[str, Callable[[], str | None]]
"""What a form can ask for; each gives the address to go on to, or None for the same page."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def raters(request: HttpRequest, public_id: str) -> HttpResponse:
    """The roster, with invitations and open links."""
    study = _study(request, public_id)
    now, who, form = datetime.now(UTC), _who(request), request.POST
    root = f"/studies/{public_id}/raters"

    def do_invite() -> str:
        made = invite(study, get_pool(study, form.get("pool", "")), who, now, form.get("email", ""))
        return f"{root}/{made.pseudonym}"

    def do_open() -> None:
        most, days = number(form.get("most"), MOST_MEMBERS), number(form.get("days"), MOST_DAYS)
        make_open_link(study, get_pool(study, form.get("pool", "")), who, most, days, now)

    def do_close() -> None:
        close_open_link(study, id_number(form.get("link")), who, now)

    error, done = _posted(request, {"invite": do_invite, "open": do_open, "close": do_close})
    if done:
        return done
    pool, page = request.GET.get("pool") or None, page_number(request)
    listed = roster.get_roster(study, pool if pool and "\x00" not in pool else None, page)
    file = study_of(study.versions.latest("n").pk)
    context = people_pages.roster(file, listed, get_open_links(study, now), pool, page)
    return _page(request, study, "raters", "requester/raters.html", context, error)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rater(request: HttpRequest, public_id: str, pseudonym: str) -> HttpResponse:
    """One rater: facts, notes, the thread, and their answers beside the others'."""
    study = _study(request, public_id)
    found = roster.get_rater(study, pseudonym)
    now, who, form = datetime.now(UTC), _who(request), request.POST

    def do_state() -> None:
        if form.get("state") not in set(MemberState):
            raise BadRequest("state is one of those that the page offers.")
        pool = get_pool(study, form.get("pool", ""))
        roster.set_member_state(
            study, pool, found, MemberState(form["state"]), who, form.get("reason", ""), now
        )

    def do_message() -> None:
        shown = talk.Shown(form.get("question_shown", "")) if form.get("shown") == "yes" else None
        question = id_number(form["question"]) if form.get("question") else None
        talk.write_to_rater(study, who, found, form.get("text", ""), now, question=question, shown=shown)

    def do_feedback() -> None:
        chosen = [int(one) for one in form.getlist("work") if one.isdecimal() and len(one) < 18]
        talk.give_feedback(study, who, found, chosen, form.get("text", ""), now)

    error, done = _posted(
        request,
        {
            "state": do_state,
            "note": lambda: roster.add_note(study, found, who, form.get("text", ""), now),
            "delete-note": lambda: roster.delete_note(study, found, id_number(form.get("note"))),
            "message": do_message,
            "feedback": do_feedback,
            "forget": lambda: roster.forget(study, found, who, now) if form.get("sure") == "yes" else None,
        },
    )
    if done:
        return done
    context = _rater_context(study, found, page_number(request))
    talk.mark_read(found.pk, by_rater=False, now=now)
    return _page(request, study, "raters", "requester/rater.html", context, error)


def _rater_context(study: Study, found: Rater, page: int) -> dict[str, Any]:
    context = people_pages.rater(
        study,
        found,
        roster.get_memberships(found),
        roster.get_notes(found),
        talk.get_thread(found.pk),
        get_work(found.pk, page),
        page,
    )
    return context | {"together": get_together(found.pk), "owed": amounts(owed(study.pk, found.pk))}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def qualification(request: HttpRequest, public_id: str, pool: str) -> HttpResponse:
    """The ranking of applicants, and who is let in."""
    study = _study(request, public_id)
    get_pool(study, pool)
    now, who = datetime.now(UTC), _who(request)

    def do_rule() -> None:
        let_rule_decide(study, pool, who, now)

    def do_pick() -> None:
        decide_qualification(study, pool, request.POST.getlist("rater"), who, now)

    error, done = _posted(request, {"rule": do_rule, "pick": do_pick})
    if done:
        return done
    try:
        ranking = get_ranking(study, pool)
    except NotAQualification as none:
        context: dict[str, Any] = {"pool": pool, "none": str(none)}
    else:
        context = people_pages.ranking(ranking)
        looked_at = next((a for a in ranking.applicants if a.pseudonym == request.GET.get("rater")), None)
        if looked_at:
            context |= {"looked_at": looked_at, "told": get_told(study, pool, looked_at.rater)}
    return _page(request, study, "raters", "requester/qualification.html", context, error)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def board(request: HttpRequest, public_id: str, pool: str) -> HttpResponse:
    """Remarks to a whole pool."""
    study = _study(request, public_id)
    found = get_pool(study, pool)

    def do_write() -> None:
        keys = [key for key in KEYS.split(request.POST.get("about", "")) if key]
        talk.write_to_pool(study, _who(request), found, request.POST.get("text", ""), datetime.now(UTC), keys)

    error, done = _posted(request, {"write": do_write})
    if done:
        return done
    context = {"pool": pool, "messages": talk.get_board([found.pk]), "longest": talk.LONGEST_BY_REQUESTER}
    return _page(request, study, "messages", "requester/board.html", context, error)


@require_safe
@login_required
def messages(request: HttpRequest, public_id: str) -> HttpResponse:
    """Who waits for an answer, every thread and every board."""
    study = _study(request, public_id)
    return _page(request, study, "messages", "requester/messages.html", {"inbox": get_inbox(study)}, None)


def _posted(request: HttpRequest, verbs: Verbs) -> tuple[str | None, HttpResponse | None]:
    """What a form came to: what was refused, or where to go on. Neither where nothing was sent."""
    if request.method != "POST":
        return None, None
    verb = verbs.get(request.POST.get("do", ""))
    if verb is None:
        return "That form is not known here. Reload the page.", None
    try:
        onward = verb()
    except LabelwrightError as error:
        return str(error), None
    return None, HttpResponseRedirect(onward or request.get_full_path(), status=303)


def _page(
    request: HttpRequest, study: Study, tab: str, template: str, context: dict[str, Any], error: str | None
) -> HttpResponse:
    title = study_of(study.versions.latest("n").pk).title
    given = {"error": error, "given": request.POST if error else {}}
    frame = pages.frame(study.public_id, title, tab)
    response = render(request, template, frame | context | given, status=400 if error else 200)
    # Addresses, notes and personal links: nothing of it stays behind on a shared computer.
    response["Cache-Control"] = "no-store"
    return response


def _study(request: HttpRequest, public_id: str) -> Study:
    return get_owned(user_of(request), public_id)


def _who(request: HttpRequest) -> str:
    return request.user.get_username()
