"""A new study: from a template, from a file, or as a copy."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.server.access.actions.permission import studies_of
from labelwright.server.editor import pages
from labelwright.server.editor.actions import edits
from labelwright.server.store.models import StudyRow
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import user_of

MOST_COPIED = 500
"""Studies in the list of those to copy, the newest first."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """What a study can start from; a POST creates one."""
    user, form, now = user_of(request), request.POST, datetime.now(UTC)
    error, done = run_form(
        request,
        {
            "template": lambda: _created(
                edits.create_from_template(user, form.get("template", ""), now),
                "It works as it is; change what you like.",
            ),
            "file": lambda: _created(
                edits.create_from_file(user, form.get("text", ""), now),
                "Upload its corpus if it is not there yet.",
            ),
            "copy": lambda: _created(
                edits.create_copy(user, form.get("study", ""), now),
                "It has the items of the other study, and no raters or answers.",
            ),
        },
    )
    if done:
        return done
    known = studies_of(user).order_by("-created_at", "-pk")[:MOST_COPIED]
    return form_page(request, "editor/new.html", pages.new_study(list(known)), error)


def _created(study: StudyRow, hint: str) -> Done:
    return Done(
        f"Your study is a draft that raters cannot see. {hint}", onward=f"/studies/{study.public_id}/editor"
    )
