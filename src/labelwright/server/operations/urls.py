"""URLs for administrators, and for static files of earlier releases."""

from __future__ import annotations

from django.urls import path, re_path

from labelwright.server.operations import views

urlpatterns = [
    # A page opened before an upgrade still finds its static files.
    re_path(r"^static/[0-9a-f]{10}/(?P<name>.+)$", views.moved_file, name="moved-file"),
    path("readyz", views.readyz, name="readyz"),
    path("proxy-check", views.proxy_check, name="proxy-check"),
]
