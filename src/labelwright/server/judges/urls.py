"""URLs of models as raters."""

from __future__ import annotations

from django.urls import path

from labelwright.server.judges import views

urlpatterns = [path("studies/<str:public_id>/judge", views.judge, name="study-judge")]
