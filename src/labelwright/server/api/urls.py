"""Addresses of the API."""

from __future__ import annotations

from django.urls import path

from labelwright.server.api.views import api

urlpatterns = [path("api/v1/", api.urls)]
