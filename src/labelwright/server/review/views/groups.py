"""Decisions on many cases of one rater under one rule."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods

from labelwright.server.review.actions.groups import get_group
from labelwright.server.review.actions.queue import get_queue
from labelwright.server.review.actions.verdicts import MOST_AT_ONCE, VerdictChoice, decide_together
from labelwright.server.review.pages import group as pages
from labelwright.server.review.pages import queue as queue_pages
from labelwright.server.review.views.verdict_form import LONGEST_REASON, read_verdict
from labelwright.server.store.models import CaseKind
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.errors import NotFound
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import id_number, user_of

TOGETHER = {
    VerdictChoice.FINE: "paid, and their data are used",
    VerdictChoice.LEAVE_OUT: "paid, and their data are excluded",
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def show(request: HttpRequest, public_id: str, group: int = 0) -> HttpResponse:
    """The tasks of a group, by default the first of the queue, and one decision on those that are selected."""
    user, now = user_of(request), datetime.now(UTC)
    error, done = run_form(request, {"together": partial(_decide, request, public_id, group, now)})
    if done:
        return done
    wanted = queue_pages.read_filter(request.GET)
    queue = get_queue(user, public_id, wanted, now)
    chosen = group or next((each.id for each in queue.groups if each.kind != CaseKind.SECOND), 0)
    try:
        found = get_group(user, public_id, chosen, now)
    except NotFound:
        # All of its cases are decided.
        return HttpResponseRedirect(f"/studies/{public_id}/review{'/groups' if group else ''}")
    shown = pages.group(found, now)
    name = f"{found.group.rater}: {shown['topic']}" if group else "Review by rater and rule"
    context = frame(public_id, queue.study.title, "review", name) | shown
    context |= queue_pages.queue(queue, wanted, now, user.get_username())
    return form_page(request, "review/group.html", context | {"longest": LONGEST_REASON}, error)


def _decide(request: HttpRequest, public_id: str, group: int, now: datetime) -> Done:
    choice, reason = read_verdict(request)
    cases = [id_number(case) for case in request.POST.getlist("case")[:MOST_AT_ONCE]]
    user, path = user_of(request), f"/studies/{public_id}/review"
    done = decide_together(user, public_id, group, cases, choice, reason, now)
    places = "1 place is" if done.reopened == 1 else f"{done.reopened} places are"
    again = f" {places} offered again." if done.reopened else ""
    tasks = f"{done.decided} task{'s are' if done.decided != 1 else ' is'}"
    undo = Undo("undo", {"decision": str(done.decision)}, path)
    return Done(f"{tasks} {TOGETHER[choice]}.{again}", undo, f"{path}/groups")
