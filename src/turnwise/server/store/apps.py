"""The Django application that holds every table of Turnwise."""

from django.apps import AppConfig


class StoreConfig(AppConfig):
    """Its label is part of every migration, so it never changes."""

    name = "turnwise.server.store"
    label = "store"
