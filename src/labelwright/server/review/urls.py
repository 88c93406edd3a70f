"""Addresses of the review queue and of flagged work."""

from __future__ import annotations

from django.urls import path

from labelwright.server.review.views import discussion, flagged, groups, queue, reviewers

urlpatterns = [
    path("studies/<str:public_id>/review", queue.show, name="study-review"),
    path("studies/<str:public_id>/review/next", queue.following, name="study-review-next"),
    path("studies/<str:public_id>/review/groups", groups.show, name="study-review-groups"),
    path("studies/<str:public_id>/review/groups/<int:group>", groups.show, name="study-review-group"),
    path("studies/<str:public_id>/review/reviewers", reviewers.show, name="study-reviewers"),
    path("studies/<str:public_id>/review/discussion", discussion.show, name="study-discussion"),
    path("studies/<str:public_id>/flagged", flagged.flagged, name="study-flagged"),
]
