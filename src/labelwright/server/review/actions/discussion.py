"""Discussion after a batch: items of low agreement are drawn for an expert, who writes to the raters concerned or to all."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.people.actions.messages import give_feedback, write_to_pool
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.results.queries.items import StoredLabel, item_labels
from labelwright.server.review.queries import discussion as queries
from labelwright.server.review.queries.discussion import DrawnItem, RatedBatch
from labelwright.server.store.items import stored_items
from labelwright.server.store.models import ItemRow, Rater, StudyRow, User
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import NotFound
from labelwright.task import StoredItem

MOST_DRAWN = 10
"""The items that an expert looks at after a batch."""


class Audience(enum.StrEnum):
    """Who reads a remark on an item."""

    RATERS = "raters"
    """Those who rated it, each next to their own answers."""
    ALL = "all"
    """Everybody in the pool, on its board."""


@dataclass(frozen=True, slots=True)
class BatchDiscussion:
    """The items of a batch that are drawn for discussion."""

    study: StudyRow
    version: int
    batches: list[RatedBatch]
    batch: RatedBatch | None
    drawn: list[DrawnItem]
    items: Mapping[int, StoredItem]
    labels: Mapping[tuple[int, str], list[StoredLabel]]
    """By item and condition."""


def get_discussion(user: User, public_id: str, batch: int | None = None) -> BatchDiscussion:
    """What is drawn for discussion in a batch, by default the newest; the same items as long as their labels stay unclear.

    For those who may see raters.
    """
    study = access_study(user, public_id, Permission.SEE_RATERS)
    version = study.versions.latest("n").pk
    batches = queries.rated_batches(study.pk)
    chosen = next((each for each in batches if batch is None or each.id == batch), None)
    drawn = queries.drawn_items(study.pk, chosen.id, study_of(version).seed, MOST_DRAWN) if chosen else []
    ids = sorted({each.item for each in drawn})
    labels: dict[tuple[int, str], list[StoredLabel]] = {}
    for label in item_labels(study.pk, ids):
        labels.setdefault((label.item, label.condition), []).append(label)
    return BatchDiscussion(study, version, batches, chosen, drawn, stored_items(ids), labels)


@transaction.atomic
def discuss_item(
    user: User, public_id: str, item: int, condition: str, audience: Audience, text: str, now: datetime
) -> int:
    """Writes a remark on an item, which counts as discussed from now on; returns the number of messages.

    For those who manage raters. Raises NotFound for items that are not in the study, and BadMessage for texts that
    cannot be sent.
    """
    study = access_study(user, public_id, Permission.MANAGE_RATERS)
    found = ItemRow.objects.filter(study=study, pk=item).first()
    if found is None:
        raise NotFound
    who = user.get_username()
    if audience == Audience.ALL:
        pool = study_of(study.versions.latest("n").pk).pool_name
        write_to_pool(study, who, get_pool(study, pool), text, now, [found.key])
        return 1
    concerned = queries.concerned_raters(study.pk, item, condition)
    if not concerned:
        raise NotFound
    raters = Rater.objects.in_bulk([each.rater for each in concerned])
    for each in concerned:
        give_feedback(study, who, raters[each.rater], [each.assignment], text, now, only=item)
    return len(concerned)
