"""Addresses of the review of generated texts."""

from __future__ import annotations

from django.urls import path

from labelwright.server.contexts import views

urlpatterns = [
    path("c/<str:token>", views.queue, name="context-queue"),
    path("c/<str:token>/<int:context>", views.decide, name="context-decide"),
]
