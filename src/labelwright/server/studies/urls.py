"""Addresses of a study's state, calendar and file."""

from __future__ import annotations

from django.urls import path

from labelwright.server.studies import views

urlpatterns = [
    path("studies/<str:public_id>/state", views.life, name="study-state"),
    path("studies/<str:public_id>/batches", views.batches, name="study-batches"),
    path("studies/<str:public_id>/batches/completed.csv", views.completions, name="study-completed-batches"),
    path("studies/<str:public_id>/file", views.file, name="study-file"),
]
