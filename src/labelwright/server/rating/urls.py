"""Addresses of the rater's pages, and of the calls that a task's page makes."""

from __future__ import annotations

from django.urls import path

from labelwright.server.rating.views import arrival, questionnaire, start, task

urlpatterns = [
    path("j/<str:token>", start.open_link, name="open-link"),
    path("p/<str:study>/<str:pool>", arrival.arrive, name="panel-arrival"),
    path("w/<str:token>", task.home, name="rater"),
    path("w/<str:token>/consent", start.consent, name="rater-consent"),
    path("w/<str:token>/instructions", start.instructions, name="rater-instructions"),
    path("w/<str:token>/stopped", task.stopped, name="rater-stopped"),
    path("w/<str:token>/waiting", start.wait, name="rater-waiting"),
    path("j/<str:token>/waiting", start.wait_at_door, name="open-link-waiting"),
    path("w/<str:token>/withdraw", task.withdraw, name="rater-withdraw"),
    path("t/before", questionnaire.answer, name="task-before"),
    path("t/draft", task.draft, name="task-draft"),
    path("t/save", task.save, name="task-save"),
    path("t/submit", task.submit, name="task-submit"),
    path("t/heartbeat", task.heartbeat, name="task-heartbeat"),
    path("t/return", task.return_work, name="task-return"),
]
