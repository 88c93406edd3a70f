"""The address that a panel sends people to. It leads to their personal link, so that the panel's ids end here."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.crowd import StudyState
from labelwright.crowd.panel import BadArrival
from labelwright.server.people.actions.arrivals import arrive as let_in
from labelwright.server.people.actions.arrivals import find_panel, no_room
from labelwright.server.rating.pages import end as pages
from labelwright.server.rating.views.start import show_not_open
from labelwright.server.web.language import speak
from labelwright.server.web.responses import private, rater_page


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def arrive(request: HttpRequest, study: str, pool: str) -> HttpResponse:
    """Somebody comes from a panel; opening the address again leads to the same place."""
    of, row, file, panel = find_panel(study, pool)
    speak(file.language)
    given = {name: str(value) for name, value in request.GET.items()}
    try:
        address = let_in(of, row, panel, given, datetime.now(UTC))
    except BadArrival:
        said = _(
            "This address is not complete. Please open the study again from the page where you found it."
        )
        context = {"title": _("This link does not work"), "message": said}
        response = rater_page(request, file, "web/message.html", context, pool)
        response.status_code = 400
        return response
    if address is None and of.state != StudyState.OPEN:
        return show_not_open(request, file, of.state, pool)
    if address is None:
        context = pages.no_room(panel.name, no_room(panel, given))
        return rater_page(request, file, "rating/full.html", context, pool)
    return private(HttpResponseRedirect("/w/" + address.rsplit("/", 1)[1], status=303))
