"""The page on reviewers: how well they agree with each other."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labelwright.server.review.actions.reviewers import get_reviewer_agreement
from labelwright.server.review.pages import reviewers as pages
from labelwright.server.web.desk import frame
from labelwright.server.web.requests import user_of


@require_safe
@login_required
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The agreement of reviewers on second opinions."""
    found = get_reviewer_agreement(user_of(request), public_id)
    context = frame(public_id, found.study.title, "review", "Reviewers") | pages.reviewers(found)
    return render(request, "review/reviewers.html", context)
