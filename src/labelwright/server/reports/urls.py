"""Addresses of themes and of the report."""

from __future__ import annotations

from django.urls import path

from labelwright.server.reports.views import report, themes

urlpatterns = [
    path("studies/<str:public_id>/report", report.show, name="study-report"),
    path("studies/<str:public_id>/report/page", report.page, name="study-report-page"),
    path("studies/<str:public_id>/report/files/<str:part>", report.file, name="study-report-file"),
    path("studies/<str:public_id>/themes", themes.show, name="study-themes"),
]
