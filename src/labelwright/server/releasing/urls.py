"""URLs of releases."""

from __future__ import annotations

from django.urls import path

from labelwright.server.releasing import views

urlpatterns = [
    path("studies/<str:public_id>/release", views.release, name="study-release"),
    path("studies/<str:public_id>/release/files/<int:number>", views.file, name="study-release-file"),
    path("studies/<str:public_id>/release/personal-data", views.personal_data, name="study-personal-data"),
    path("studies/<str:public_id>/release/data-sheet", views.data_sheet, name="study-data-sheet"),
]
