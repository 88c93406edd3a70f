"""The Django app that contains all of Labelwright's tables."""

from django.apps import AppConfig


class StoreConfig(AppConfig):
    """The label is part of every migration, so it must never change."""

    name = "labelwright.server.store"
    label = "store"
