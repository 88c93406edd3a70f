"""The page of the report, the report itself, and its files."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.reports.actions.report import FILES, PAGE, get_file, get_status, request_report
from labelwright.server.reports.pages import report as pages
from labelwright.server.store.queue import is_worker_away
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import user_of

TYPES = {".html": "text/html; charset=utf-8", ".json": "application/json", ".zip": "application/zip"}
SANDBOX = "sandbox allow-popups allow-modals; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""A report quotes raters and the corpus. In the sandbox it has no origin, so that even a script that slipped through
would neither run nor reach the session of the user."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The state of the report, and its files; a POST asks for a new one."""
    user = user_of(request)
    error, done = run_form(request, {"make": partial(_make, request, public_id)})
    if done:
        return done
    study = access_study(user, public_id, Permission.VIEW)
    context = frame(public_id, study.title, "report") | pages.report(get_status(study))
    permitted = get_permissions(user, study)
    context |= {
        "may_make": Permission.EDIT in permitted,
        "may_review": Permission.REVIEW in permitted,
        "worker_away": is_worker_away(),
    }
    return form_page(request, "reports/report.html", context, error)


def _make(request: HttpRequest, public_id: str) -> Done:
    request_report(user_of(request), public_id, datetime.now(UTC))
    return Done("The report is being made. It appears here when it is ready.")


@require_safe
@login_required
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The report itself, in a sandbox."""
    study = access_study(user_of(request), public_id, Permission.VIEW)
    response = HttpResponse(get_file(study, PAGE), content_type=TYPES[".html"])
    response["Content-Security-Policy"] = SANDBOX
    return response


@require_safe
@login_required
def file(request: HttpRequest, public_id: str, part: str) -> HttpResponse:
    """A file of the report."""
    study = access_study(user_of(request), public_id, Permission.VIEW)
    if part not in FILES:
        raise Http404
    ending = part[part.rindex(".") :]
    response = HttpResponse(get_file(study, part), content_type=TYPES[ending])
    response["Content-Disposition"] = f'attachment; filename="{study.name}-{part}"'
    return response
