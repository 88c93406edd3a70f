"""Addresses of accounts."""

from __future__ import annotations

from django.urls import include, path, re_path

from labelwright.server.access import views

urlpatterns = [
    path("accounts/", views.account, name="account"),
    path("accounts/password/reset/", views.password_reset, name="account_reset_password"),
    # Requesters get their accounts from the command line: nobody signs up or changes their address.
    re_path(r"^accounts/(signup|email|confirm-email|inactive)/", views.closed, name="closed"),
    path("accounts/", include("allauth.urls")),
]
