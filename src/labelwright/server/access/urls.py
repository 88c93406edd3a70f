"""Addresses of accounts."""

from __future__ import annotations

from django.urls import include, path, re_path

from labelwright.server.access import views

urlpatterns = [
    # Requesters get their accounts from the command line: nobody signs up, and no mail is sent.
    re_path(r"^accounts/(signup|email|password/reset|confirm-email|inactive)/", views.closed, name="closed"),
    path("accounts/", include("allauth.urls")),
]
