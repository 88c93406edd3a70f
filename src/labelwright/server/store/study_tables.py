"""The tables that belong to a study, read from the models, so that a new table is copied and deleted with the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter

from django.apps import apps
from django.db.models import ForeignKey, Model

from labelwright.server.store.models import Audit, StudyRow


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table with a `study_id`."""

    name: str
    columns: tuple[str, ...]
    keys: dict[str, str]
    """The table that each foreign key points to, by column; without the key to the study itself."""

    @property
    def own_keys(self) -> list[str]:
        """Columns that point to other rows of the same table."""
        return [column for column, target in self.keys.items() if target == self.name]


@cache
def study_tables() -> tuple[StudyTable, ...]:
    """All tables that belong to a study; each comes before those that it points to."""
    tables = {table.name: table for table in _tables()}
    order = TopologicalSorter({name: set() for name in tables})
    for table in tables.values():
        for target in set(table.keys.values()) & set(tables) - {table.name}:
            order.add(target, table.name)
    return tuple(tables[name] for name in order.static_order())


def _tables() -> Iterator[StudyTable]:
    for model in apps.get_app_config("store").get_models():
        if model is Audit:
            # Its lines stay here when a study is deleted or copied elsewhere.
            continue
        keys = {column: target for column, target in _keys(model) if target is not StudyRow}
        if len(keys) < len(list(_keys(model))):
            columns = tuple(field.column for field in model._meta.concrete_fields if field.column)
            targets = {column: target._meta.db_table for column, target in keys.items()}
            yield StudyTable(model._meta.db_table, columns, targets)


def _keys(model: type[Model]) -> Iterator[tuple[str, type[Model]]]:
    for field in model._meta.concrete_fields:
        if isinstance(field, ForeignKey):
            yield field.column, field.related_model
