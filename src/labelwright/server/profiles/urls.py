"""Addresses of the list of raters, of one rater's pages (their own and the requester's), and of the page about stored data."""

from __future__ import annotations

from django.urls import path

from labelwright.server.profiles.views import own_page, rater, raters, stored_data

urlpatterns = [
    path("w/<str:token>/me", own_page.show, name="rater-own"),
    path("w/<str:token>/messages", own_page.write, name="rater-write"),
    path("w/<str:token>/answer", own_page.answer, name="rater-answer"),
    path("w/<str:token>/address", own_page.change_address, name="rater-address"),
    path("w/<str:token>/forget", own_page.delete_data, name="rater-forget"),
    path("studies/<str:public_id>/stored-data", stored_data.show, name="study-stored-data"),
    path("studies/<str:public_id>/raters", raters.show, name="study-raters"),
    path("studies/<str:public_id>/raters/<str:pseudonym>", rater.show, name="study-rater"),
]
