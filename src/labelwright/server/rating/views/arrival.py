"""The address that a panel sends people to. It leads to their personal link, so that the panel's ids end here."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.crowd import StudyState
from labelwright.crowd.panel import BadArrival
from labelwright.server.offering.actions.lookahead import get_first_design_at, visitor_at
from labelwright.server.people.actions.arrivals import arrive as let_in
from labelwright.server.people.actions.arrivals import enter, find_panel, get_newest, no_room
from labelwright.server.people.actions.joining import Door
from labelwright.server.rating.actions.panel import NOTHING, check_way_back, get_form
from labelwright.server.rating.actions.task_page import get_progress
from labelwright.server.rating.pages import end as pages
from labelwright.server.rating.pages import start as start_pages
from labelwright.server.rating.views.start import show_not_open
from labelwright.server.store.models import Pool, StudyRow
from labelwright.server.web.language import speak
from labelwright.server.web.responses import frame_of, private, rater_page
from labelwright.study import Study


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def arrive(request: HttpRequest, study: str, pool: str) -> HttpResponse:
    """Somebody comes from a panel; opening the address again leads to the same place."""
    of, row, file, panel = find_panel(study, pool)
    speak(file.language)
    given = {name: str(value) for name, value in request.GET.items()}
    frame, now = frame_of(file, pool), datetime.now(UTC)
    if frame and given.get(panel.session or "") == frame.preview:
        return _preview(request, of, row, file)
    try:
        if frame:
            check_way_back(frame, given)
        address = let_in(of, row, panel, given, now)
    except BadArrival:
        return _bad_address(request, file, pool)
    if address is None and of.state != StudyState.OPEN:
        return show_not_open(request, file, of.state, pool)
    if address is None:
        context = pages.no_room(panel.name, NOTHING if frame else no_room(panel, given))
        return rater_page(request, file, "rating/full.html", context, pool)
    visit = enter(of, row, panel, given, now) if frame else None
    if visit is not None and visit != get_newest(visit.rater_id):
        # The work of this visit is done and stored, but the platform may not have got the form.
        form = get_form(visit, file.pool_of(pool).platform)
        context = {"title": _("Thank you"), **pages.way_back((panel.name, form))}
        return rater_page(request, file, "rating/handed_in.html", context, pool)
    return private(HttpResponseRedirect("/w/" + address.rsplit("/", 1)[1], status=303))


def _bad_address(request: HttpRequest, file: Study, pool: str) -> HttpResponse:
    said = _("This address is not complete. Please open the study again from the page where you found it.")
    context = {"title": _("This link does not work"), "message": said}
    response = rater_page(request, file, "web/message.html", context, pool)
    response.status_code = 400
    return response


def _preview(request: HttpRequest, of: StudyRow, pool: Pool, file: Study) -> HttpResponse:
    """The instructions for somebody who has not accepted the work. Nothing is stored and nothing is kept for them."""
    if of.state != StudyState.OPEN:
        return show_not_open(request, file, of.state, pool.name)
    version = of.versions.latest("n").pk
    door = Door(file, pool.name, version, of.pk, pool.pk, full=False, link=0, state=of.state)
    design = get_first_design_at(door)
    panel = file.pool_of(pool.name).panel
    if design is None or panel is None:
        return rater_page(request, file, "rating/full.html", {"title": _("Thank you")}, pool.name)
    context = start_pages.start(file, design, get_progress(visitor_at(door)), "", pool.name)
    context |= start_pages.instructions(file, design) | {"panel": panel.name}
    return rater_page(request, file, "rating/unaccepted.html", context, pool.name)
