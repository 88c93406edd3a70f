"""Addresses of new studies, the editor and rehearsals."""

from __future__ import annotations

from django.urls import path

from labelwright.server.editor import views

urlpatterns = [
    path("new-study", views.new, name="new-study"),
    path("studies/<str:public_id>/editor", views.edit, name="study-editor"),
    path("studies/<str:public_id>/editor/study.yaml", views.download, name="editor-file"),
    path("studies/<str:public_id>/editor/corpus/<path:file_name>", views.corpus, name="editor-corpus"),
    path("studies/<str:public_id>/rehearsal", views.rehearsal, name="study-rehearsal"),
]
