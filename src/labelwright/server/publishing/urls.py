"""Addresses of publishing."""

from __future__ import annotations

from django.urls import path

from labelwright.server.publishing.views import events, publication

urlpatterns = [
    path("studies/<str:public_id>/publication", publication.show, name="study-publication"),
    path("studies/<str:public_id>/reconciliation.csv", publication.differences, name="study-reconciliation"),
    path("hooks/<str:platform>", events.receive, name="platform-events"),
]
