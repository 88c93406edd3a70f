"""The calls of the API."""

from labelwright.server.api.views import (
    models,
    money,
    publications,
    raters,
    releases,
    reports,
    review,
    studies,
    team,
)
from labelwright.server.api.views.service import api

api.add_router("", studies.router)
api.add_router("", raters.router)
api.add_router("", review.router)
api.add_router("", releases.router)
api.add_router("", reports.router)
api.add_router("", money.router)
api.add_router("", publications.router)
api.add_router("", models.router)
api.add_router("", team.router)

__all__ = ["api"]
