"""Addresses. Rater routes (/w, /t, /j) set no cookie and need none; requester routes need a login."""

from __future__ import annotations

from django.urls import include, path, re_path

from labelwright.server.web import operation
from labelwright.server.web.rater import around_views as around
from labelwright.server.web.rater import own
from labelwright.server.web.rater import views as rater
from labelwright.server.web.requester import batch_views, people
from labelwright.server.web.requester import preview_views as preview
from labelwright.server.web.requester import views as requester
from labelwright.server.web.review import context_views

handler404 = "labelwright.server.web.errors.not_found"
handler500 = "labelwright.server.web.errors.server_error"

urlpatterns = [
    path("w/<str:token>", rater.home, name="rater"),
    path("w/<str:token>/consent", rater.consent, name="rater-consent"),
    path("w/<str:token>/stopped", rater.stopped, name="rater-stopped"),
    path("w/<str:token>/me", own.me, name="rater-own"),
    path("w/<str:token>/messages", own.write, name="rater-write"),
    path("w/<str:token>/address", own.address, name="rater-address"),
    path("w/<str:token>/forget", own.leave, name="rater-forget"),
    path("j/<str:token>", own.door, name="open-link"),
    path("w/<str:token>/instructions", around.instructions, name="rater-instructions"),
    path("w/<str:token>/withdraw", around.withdraw, name="rater-withdraw"),
    path("t/before", around.answer_before, name="task-before"),
    path("t/draft", rater.draft, name="task-draft"),
    path("t/save", rater.save, name="task-save"),
    path("t/submit", rater.submit, name="task-submit"),
    path("t/heartbeat", rater.heartbeat, name="task-heartbeat"),
    path("t/return", rater.return_work, name="task-return"),
    path("c/<str:token>", context_views.queue, name="context-queue"),
    path("c/<str:token>/<int:context>", context_views.decide, name="context-decide"),
    path("", requester.home, name="home"),
    path("studies", requester.studies, name="studies"),
    path("studies/<str:public_id>", requester.overview, name="study"),
    path("studies/<str:public_id>/items", requester.items, name="study-items"),
    path("studies/<str:public_id>/items/<int:item_id>", requester.item, name="study-item"),
    path("studies/<str:public_id>/flagged", requester.flagged, name="study-flagged"),
    path("studies/<str:public_id>/raters", people.raters, name="study-raters"),
    path("studies/<str:public_id>/raters/<str:pseudonym>", people.rater, name="study-rater"),
    path(
        "studies/<str:public_id>/pools/<str:pool>/qualification",
        people.qualification,
        name="study-qualification",
    ),
    path("studies/<str:public_id>/pools/<str:pool>/board", people.board, name="study-board"),
    path("studies/<str:public_id>/messages", people.messages, name="study-messages"),
    path("studies/<str:public_id>/preview", preview.index, name="study-preview"),
    path("studies/<str:public_id>/preview/<int:place>/<int:number>", preview.task, name="preview-task"),
    path("studies/<str:public_id>/preview/<str:name>", preview.view, name="preview-view"),
    path("studies/<str:public_id>/batches", batch_views.batches, name="study-batches"),
    path("studies/<str:public_id>/batches/whole.csv", batch_views.whole, name="study-whole-batches"),
    path("studies/<str:public_id>/file", requester.file, name="study-file"),
    path("studies/<str:public_id>/export/<str:form>", requester.download, name="study-export"),
    # Requesters are let in from the command line: nobody signs up, and no mail is sent.
    re_path(
        r"^accounts/(signup|email|password/reset|confirm-email|inactive)/", requester.closed, name="closed"
    ),
    path("accounts/", include("allauth.urls")),
    # A page of another release, open while this one was put in its place, still finds its files.
    re_path(r"^static/[0-9a-f]{10}/(?P<name>.+)$", operation.moved_file, name="moved-file"),
    path("healthz", operation.healthz, name="healthz"),
    path("readyz", operation.readyz, name="readyz"),
]
