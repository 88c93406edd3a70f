"""Addresses of the settings of a study, and of invitations."""

from __future__ import annotations

from django.urls import path

from labelwright.server.team.views import audit, invitation, settings, tokens

urlpatterns = [
    path("studies/<str:public_id>/settings", settings.show, name="study-settings"),
    path("studies/<str:public_id>/audit", audit.show, name="study-audit"),
    path("account/tokens", tokens.show, name="account-tokens"),
    path("invitations/<str:token>", invitation.show, name="invitation"),
]
