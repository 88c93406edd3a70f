"""Addresses of the requester's pages about people."""

from __future__ import annotations

from django.urls import path

from labelwright.server.people import views

urlpatterns = [
    path(
        "studies/<str:public_id>/pools/<str:pool>/qualification",
        views.qualification,
        name="study-qualification",
    ),
    path("studies/<str:public_id>/pools/<str:pool>/board", views.board, name="study-board"),
    path("studies/<str:public_id>/messages", views.messages, name="study-messages"),
]
