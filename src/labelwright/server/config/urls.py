"""The URLs of all areas. Rater routes (/w, /t, /j) set no cookie; requester routes need a login."""

from __future__ import annotations

from django.urls import include, path

from labelwright.server.config.areas import url_modules

handler404 = "labelwright.server.web.errors.pages.not_found"
handler500 = "labelwright.server.web.errors.pages.server_error"

urlpatterns = [path("", include(module)) for module in url_modules()]
