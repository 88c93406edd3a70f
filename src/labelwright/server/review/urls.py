"""Addresses of flagged work."""

from __future__ import annotations

from django.urls import path

from labelwright.server.review import views

urlpatterns = [path("studies/<str:public_id>/flagged", views.flagged, name="study-flagged")]
