"""The Django application that holds every table of Labelwright."""

from django.apps import AppConfig


class StoreConfig(AppConfig):
    """Its label is part of every migration, so it never changes."""

    name = "labelwright.server.store"
    label = "store"
