"""Addresses for whoever runs the server, and static files of an earlier release."""

from __future__ import annotations

from django.urls import path, re_path

from labelwright.server.operations import views

urlpatterns = [
    # A page of another release, open while this one replaced it, still finds its files.
    re_path(r"^static/[0-9a-f]{10}/(?P<name>.+)$", views.moved_file, name="moved-file"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
]
