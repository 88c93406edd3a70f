"""Orders: what would be published for a pool, what it costs, and why it cannot be published."""

from __future__ import annotations

import math
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.conf import settings

from labelwright.crowd.panel import PanelOutcome, PanelPart
from labelwright.crowd.platform import PLATFORMS, PayProblem, Platform
from labelwright.crowd.pools import LinkPool, Pay
from labelwright.crowd.publication import CostPreview, PublicationOrder
from labelwright.errors import LabelwrightError
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.publishing.queries import publications as queries
from labelwright.server.publishing.queries.participants import group_of
from labelwright.server.store.models import Pool, Publication, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.study import Study

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike, because people copy codes by hand."""
CODE_LENGTH = 10


class CannotPublish(LabelwrightError):
    """A pool that cannot be published as it is."""

    code: ClassVar[str] = "cannot_publish"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a publication would be, before anything is asked of the platform."""

    study: StudyRow
    pool: Pool
    platform: str
    order: PublicationOrder
    ways_back: Mapping[str, str]
    tasks: int
    """The most tasks of one visit."""
    wanted: int
    """Ratings that nobody gives or holds."""
    problem: PayProblem | None


def published_pools(study: StudyRow) -> list[str]:
    """The pools of a study whose platform publishes."""
    file = study_of(study.versions.latest("n").pk)
    return [name for name, pool in file.pools.items() if _publishes(pool.platform)]


def _publishes(platform: str) -> bool:
    return platform in PLATFORMS and PLATFORMS[platform].publishes


def get_preview(study: StudyRow, pool_name: str) -> Preview:
    """What would be published for a pool now; raises CannotPublish if the study file lacks something."""
    pool = get_pool(study, pool_name)
    file = study_of(study.versions.latest("n").pk)
    own = file.pools.get(pool_name)
    if not isinstance(own, LinkPool) or own.panel is None or not _publishes(own.platform):
        raise CannotPublish(
            f'pool "{pool_name}" is not recruited on a platform that studies are published on.',
            do="Choose a pool with `platform: prolific` or `platform: mturk`.",
        )
    tasks = own.visit_tasks or own.caps.tasks
    if tasks is None:
        raise CannotPublish(
            f'pool "{pool_name}" does not say how many tasks one visit has, so its pay is not known.',
            do="Set `caps.tasks` in the study file.",
        )
    wanted = queries.open_places(study.pk, pool.pk)
    number = queries.next_number(study.pk)
    ways = _ways_back(PLATFORMS[own.platform], own.panel)
    minutes = max(design.minutes for design in file.designs.values())
    wishes = _wishes(study, pool, own)
    order = PublicationOrder(
        name=name_of(study, number),
        title=file.title,
        description=_description(file),
        address=f"{settings.BASE_URL}/p/{study.public_id}/{pool_name}",
        panel=own.panel.model_copy(update=dict(ways)),
        places=math.ceil(wanted / tasks),
        minutes=minutes * tasks,
        pay=Pay(cents=own.pay.cents * tasks, currency=own.pay.currency),
        wishes=wishes,
    )
    problem = PLATFORMS[own.platform].pay_problem(own, minutes)
    return Preview(study, pool, own.platform, order, ways, tasks, wanted, problem)


def _wishes(study: StudyRow, pool: Pool, own: LinkPool) -> dict[str, Any]:
    """Who may take part: those who qualified, if the pool asks for a qualification."""
    platform = PLATFORMS[own.platform]
    if not own.requires:
        return dict(platform.wishes(own))
    group = group_of(study.pk, pool.pk)
    if not group:
        raise CannotPublish(
            f'pool "{pool.name}" is for qualified raters, and their group on {own.platform} is not there yet.',
            do="Create the group first." if group is None else "Wait a minute.",
            group_missing=group is None,
        )
    return dict(platform.wishes(own, group))


def name_of(study: StudyRow, number: int) -> str:
    """Our name of a publication, which is written on it there."""
    return f"{study.public_id}-{number}"


def _ways_back(platform: Platform, panel: PanelPart) -> dict[str, str]:
    """A new way back for every outcome that the study file does not give one for; frames take people back by a form."""
    if platform.frame(os.environ):
        return {}
    return {
        outcome.value: platform.return_address(_code(), os.environ)
        for outcome in PanelOutcome
        if panel.way_back(outcome) is None
    }


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def _description(file: Study) -> str:
    design = file.design(file.first_condition)
    return design.purpose or design.lead


def check_publishable(preview: Preview, cost: CostPreview | None) -> None:
    """Raises CannotPublish with the reason: pay below the platform's minimum, the budget, the balance, nothing to do.

    Without a cost, only what can be known without asking the platform is checked.
    """
    check_settings(preview.platform)
    live = Publication.objects.filter(pool=preview.pool).exclude(state__in=["stopped", "refused"])
    if live.exists():
        raise CannotPublish("this pool is already published.", do="Stop that publication first.")
    if not preview.order.places:
        raise CannotPublish("no rating is wanted now.", do="Open the study, or a batch of it, first.")
    if not preview.order.pay.cents:
        raise CannotPublish("raters of this pool are not paid.", do="Set `pay.cents` in the study file.")
    problem = preview.problem
    if problem is not None and problem.blocks:
        fair = f"{problem.fair.cents / 100:.2f} {problem.fair.currency}"
        raise CannotPublish(problem.what, do=f"Pay at least {fair} a task.", fair=problem.fair)
    if cost is not None:
        _check_cost(preview, cost)


def check_cost_is(cost: CostPreview, cents: int | None) -> None:
    """Raises CannotPublish unless the total is the one that somebody saw."""
    if cents != cost.total_cents:
        raise CannotPublish("the cost has changed since you saw it.", do="Look at the preview again.")


def check_settings(platform: str) -> None:
    """Raises CannotPublish if the server has no credentials of a platform."""
    missing = [name for name in PLATFORMS[platform].needs if not os.environ.get(name)]
    if missing:
        raise CannotPublish(
            f"the server has no access to {platform}.",
            do=f"Set {' and '.join(missing)} where the server runs.",
        )


def _check_cost(preview: Preview, cost: CostPreview) -> None:
    paid_in = preview.order.pay.currency
    if cost.currency != paid_in:
        raise CannotPublish(
            f"the account on {preview.platform} pays in {cost.currency}, but the study file says {paid_in}.",
            do="Change `pay.currency` in the study file.",
        )
    total = f"{cost.total_cents / 100:.2f} {cost.currency}"
    left = queries.budget_left(preview.study.pk, cost.currency)
    if left is not None and left < cost.total_cents:
        raise CannotPublish(
            f"the publication costs {total} with fees, but the budget has {left / 100:.2f} left.",
            do="Raise the budget on the page Money.",
        )
    if cost.balance_cents is not None and cost.balance_cents < cost.total_cents:
        raise CannotPublish(
            f"the publication costs {total} with fees, but the account on {preview.platform} has "
            f"{cost.balance_cents / 100:.2f}.",
            do="Add money to the account.",
        )
