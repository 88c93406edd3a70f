"""Items: the ones behind a figure, and every answer about one. Reads only."""

from __future__ import annotations

from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.results import queries
from labelwright.server.results.queries import ItemAnswer, ItemFilter, ItemLine
from labelwright.server.store.models import ItemRow, StudyRow, User
from labelwright.server.web.errors import NotFound

ON_A_PAGE = 50


def get_items(user: User, public_id: str, wanted: ItemFilter) -> tuple[StudyRow, list[ItemLine], int]:
    """The study, a page of the matching items, and the number of all matching items."""
    study = access_study(user, public_id, Permission.VIEW)
    lines, total = queries.item_lines(study.pk, study.versions.latest("n").pk, wanted, ON_A_PAGE)
    return study, lines, total


def get_item(user: User, public_id: str, item: int) -> tuple[StudyRow, ItemRow, list[ItemAnswer]]:
    """The study, an item with its dialogue, and every answer about it; raises NotFound."""
    study = access_study(user, public_id, Permission.VIEW)
    row = ItemRow.objects.select_related("dialogue").filter(study=study, pk=item).first()
    if row is None:
        raise NotFound
    return study, row, queries.item_answers(study.pk, row.pk)
