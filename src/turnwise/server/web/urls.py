"""Addresses. Rater routes set no cookie and need none."""

from __future__ import annotations

from django.urls import path

from turnwise.server.web.rater import views as rater
from turnwise.server.web.review import context_views

handler404 = "turnwise.server.web.errors.not_found"
handler500 = "turnwise.server.web.errors.server_error"

urlpatterns = [
    path("w/<str:token>", rater.home, name="rater"),
    path("w/<str:token>/consent", rater.consent, name="rater-consent"),
    path("w/<str:token>/stopped", rater.stopped, name="rater-stopped"),
    path("t/draft", rater.draft, name="task-draft"),
    path("t/save", rater.save, name="task-save"),
    path("t/submit", rater.submit, name="task-submit"),
    path("t/return", rater.return_work, name="task-return"),
    path("c/<str:token>", context_views.queue, name="context-queue"),
    path("c/<str:token>/<int:context>", context_views.decide, name="context-decide"),
]
