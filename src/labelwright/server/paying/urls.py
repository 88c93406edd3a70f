"""Addresses of the pages about money."""

from __future__ import annotations

from django.urls import path

from labelwright.server.paying import views

urlpatterns = [
    path("studies/<str:public_id>/money", views.show, name="study-money"),
    path("studies/<str:public_id>/payments.csv", views.payments, name="study-payments"),
]
