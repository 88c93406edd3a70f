"""What the page Publication shows: every pool that is published on a platform, its progress, and all differences."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd.publication import PublicationState
from labelwright.errors import LabelwrightError
from labelwright.server.publishing.actions.differences import Difference, get_differences
from labelwright.server.publishing.actions.orders import (
    Preview,
    check_publishable,
    get_preview,
    published_pools,
)
from labelwright.server.publishing.actions.readings import visits_needed
from labelwright.server.publishing.queries import publications as queries
from labelwright.server.store.models import Publication, StudyRow

ENDED = (PublicationState.STOPPED, PublicationState.REFUSED)


@dataclass(frozen=True, slots=True)
class PoolPublication:
    """A pool with its newest publication, or what would be published."""

    pool: str
    publication: Publication | None
    counts: dict[str, int]
    """Visits by what the platform says of them."""
    needed: int
    """Visits that are missing beside those who are at work."""
    said: str
    """What the platform said about the newest request that it refused; empty if there is none."""
    preview: Preview | None
    obstacle: str
    """Why it cannot be published now; empty if it can, or is."""
    group_missing: bool = False
    """Whether it is for qualified raters whose group nobody has made on the platform."""

    @property
    def is_live(self) -> bool:
        """Whether it is published, or about to be."""
        return self.publication is not None and self.publication.state not in ENDED


@dataclass(frozen=True, slots=True)
class Publishing:
    """Everything that the page shows."""

    pools: list[PoolPublication]
    differences: list[Difference]


def get_publishing(study: StudyRow) -> Publishing:
    """The pools of a study that are published, and every difference; the caller has checked access."""
    return Publishing(
        [get_pool_publication(study, pool) for pool in published_pools(study)], get_differences(study)
    )


def get_pool_publication(study: StudyRow, pool: str) -> PoolPublication:
    """One pool with its newest publication."""
    row = Publication.objects.filter(study=study, pool__name=pool).order_by("-number").first()
    live = row is not None and row.state not in ENDED
    preview, obstacle, group_missing = (None, "", False) if live else _preview(study, pool)
    return PoolPublication(
        pool,
        row,
        queries.visit_counts(study.pk, row.pk) if row else {},
        visits_needed(row) if row and live else 0,
        queries.refused_making(study.pk, row.number) if row else "",
        preview,
        obstacle,
        group_missing,
    )


def _preview(study: StudyRow, pool: str) -> tuple[Preview | None, str, bool]:
    """What would be published, why it cannot be, and whether a group is missing."""
    try:
        preview = get_preview(study, pool)
    except LabelwrightError as error:
        return None, str(error), bool(getattr(error, "group_missing", False))
    try:
        check_publishable(preview, None)
    except LabelwrightError as error:
        return preview, str(error), False
    return preview, "", False
