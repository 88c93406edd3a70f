"""The page on which an expert discusses items of low agreement with raters."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.server.access.actions.permission import may_manage_raters
from labelwright.server.review.actions.discussion import Audience, discuss_item, get_discussion
from labelwright.server.review.pages import discussion as pages
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import id_number, user_of

LONGEST_NAME = 60


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """Items of a batch that are drawn for discussion; a POST writes a remark on one of them."""
    verbs = {
        "discuss-raters": partial(_discuss, request, public_id, Audience.RATERS),
        "discuss-all": partial(_discuss, request, public_id, Audience.ALL),
    }
    error, done = run_form(request, verbs)
    if done:
        return done
    user = user_of(request)
    found = get_discussion(user, public_id, id_number(request.GET.get("batch")) or None)
    context = frame(public_id, found.study.title, "review", "Discussion") | pages.discussion(found)
    context["may_manage"] = may_manage_raters(user, found.study)
    return form_page(request, "review/discussion.html", context, error)


def _discuss(request: HttpRequest, public_id: str, audience: Audience) -> Done:
    item = id_number(request.POST.get("item"))
    condition = request.POST.get("condition", "")[:LONGEST_NAME].replace("\x00", "")
    text, now = request.POST.get("text", ""), datetime.now(UTC)
    n = discuss_item(user_of(request), public_id, item, condition, audience, text, now)
    if audience == Audience.ALL:
        return Done("The remark is on the board of the pool, and the item is marked as discussed.")
    return Done(f"The remark went to {n} rater{'s' * (n != 1)}, and the item is marked as discussed.")
