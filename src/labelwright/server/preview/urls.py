"""URLs of the preview."""

from __future__ import annotations

from django.urls import path

from labelwright.server.preview import views

urlpatterns = [
    path("studies/<str:public_id>/preview", views.index, name="study-preview"),
    path("studies/<str:public_id>/preview/<int:place>/<int:number>", views.task, name="preview-task"),
    path("studies/<str:public_id>/preview/<str:name>", views.view, name="preview-view"),
]
