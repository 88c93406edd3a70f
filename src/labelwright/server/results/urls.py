"""URLs of a study's results."""

from __future__ import annotations

from django.urls import path

from labelwright.server.results import views

urlpatterns = [
    path("", views.home, name="home"),
    path("studies", views.studies, name="studies"),
    path("studies/<str:public_id>", views.overview, name="study"),
    path("studies/<str:public_id>/items", views.items, name="study-items"),
    path("studies/<str:public_id>/items/<int:item_id>", views.item, name="study-item"),
    path("studies/<str:public_id>/versions", views.versions, name="study-versions"),
    path("studies/<str:public_id>/export", views.exports, name="study-exports"),
    path("studies/<str:public_id>/export/files/<int:number>", views.export_file, name="study-export-file"),
    path("studies/<str:public_id>/export/<str:form>", views.download, name="study-export"),
]
