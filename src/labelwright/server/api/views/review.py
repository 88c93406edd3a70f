"""Calls about flagged work."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from django.http import HttpRequest
from ninja import Path, Query, Router

from labelwright.agreement import Estimate
from labelwright.client.models import (
    ChangeMade,
    DiscussedItemListed,
    DiscussRequest,
    EstimateFound,
    FlagListed,
    FlagPage,
    GroupVerdictRequest,
    ReviewerAgreementFound,
    ReviewGroupListed,
    ReviewQueueListed,
    VerdictMade,
    VerdictRequest,
)
from labelwright.quality import tell_flag
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.actions import get_item_keys
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.review.actions.discussion import Audience, discuss_item, get_discussion
from labelwright.server.review.actions.flags import IN_A_PAGE, get_flags_after
from labelwright.server.review.actions.groups import get_group
from labelwright.server.review.actions.queue import get_queue
from labelwright.server.review.actions.reviewers import get_reviewer_agreement
from labelwright.server.review.actions.verdicts import (
    VerdictChoice,
    decide_as_reviewer,
    decide_together,
    take_back,
)
from labelwright.server.review.queries.queue import QueueFilter
from labelwright.server.store.versions import study_of

router = Router(tags=["review"])
Work = Annotated[int, Path(ge=1, le=2**53)]
After = Annotated[str | None, Query(pattern=r"^[0-9]{1,18}$")]
"""The number of the last flag of the page before."""


@router.get("/studies/{public_id}/flags", operation_id="list_flags", response={200: FlagPage, **PROBLEMS})
def list_flags(request: HttpRequest, public_id: str, after: After = None) -> FlagPage:
    """Work that a quality rule flagged, the newest first; `next` of a page is `after` of the next."""
    row = access_study(user_of_token(request), public_id, Permission.REVIEW)
    found = get_flags_after(row, int(after) if after else None)
    items = get_item_keys([one.assignment.task_id for one in found])
    return FlagPage(
        flags=[
            FlagListed(
                work=one.assignment_id,
                rater=one.assignment.rater.pseudonym,
                items=items[one.assignment.task_id],
                rule=one.rule,
                evidence=tell_flag(
                    one.rule, one.evidence, study_of(one.assignment.version_id).question_texts
                ),
                found_at=one.found_at,
                pay=one.assignment.paid_state,
                data_use=one.assignment.data_use,
            )
            for one in found
        ],
        next=str(found[-1].pk) if len(found) == IN_A_PAGE else None,
    )


@router.post(
    "/studies/{public_id}/work/{work}/verdict",
    operation_id="decide_work",
    response={200: VerdictMade, **PROBLEMS},
)
def decide(request: HttpRequest, public_id: str, work: Work, sent: VerdictRequest) -> VerdictMade:
    """Decide on the pay and the data of submitted work."""
    user, choice = user_of_token(request), VerdictChoice(sent.choice)
    decided = decide_as_reviewer(user, public_id, work, choice, sent.reason, datetime.now(UTC))
    opened = " Its place is offered to another rater." if decided.reopened else ""
    return VerdictMade(message=f"The verdict is recorded.{opened}", decision=decided.decision)


@router.get(
    "/studies/{public_id}/review",
    operation_id="get_review_queue",
    response={200: ReviewQueueListed, **PROBLEMS},
)
def review_queue(request: HttpRequest, public_id: str) -> ReviewQueueListed:
    """The review queue, grouped by rater and rule."""
    found = get_queue(user_of_token(request), public_id, QueueFilter(), datetime.now(UTC))
    return ReviewQueueListed(
        open=found.open,
        groups=[
            ReviewGroupListed(
                group=group.id,
                rater=group.rater,
                kind=group.kind,
                rule=group.rule,
                open=group.open,
                decide_by=group.decide_by,
            )
            for group in found.groups
        ],
    )


@router.get(
    "/studies/{public_id}/review/reviewers",
    operation_id="get_reviewer_agreement",
    response={200: ReviewerAgreementFound, **PROBLEMS},
)
def reviewer_agreement(request: HttpRequest, public_id: str) -> ReviewerAgreementFound:
    """How well reviewers agree on second opinions."""
    found = get_reviewer_agreement(user_of_token(request), public_id)
    return ReviewerAgreementFound(
        repeated=found.repeated,
        percentage=_estimate(found.percentage),
        alpha=_estimate(found.alpha),
    )


def _estimate(found: Estimate) -> EstimateFound:
    limits = (found.interval.low, found.interval.high) if found.interval else (None, None)
    return EstimateFound(
        value=None if math.isnan(found.value) else found.value, low=limits[0], high=limits[1]
    )


@router.get(
    "/studies/{public_id}/review/discussion",
    operation_id="list_discussion",
    response={200: list[DiscussedItemListed], **PROBLEMS},
)
def list_discussion(request: HttpRequest, public_id: str) -> list[DiscussedItemListed]:
    """Items of the newest batch without a clear label, drawn at random for an expert's look."""
    found = get_discussion(user_of_token(request), public_id)
    return [
        DiscussedItemListed(
            item=each.item,
            key=each.key,
            condition=each.condition,
            raters=each.raters,
            discussed_at=each.discussed_at,
        )
        for each in found.drawn
    ]


@router.post(
    "/studies/{public_id}/items/{item_id}/discussion",
    operation_id="discuss_item",
    response={200: ChangeMade, **PROBLEMS},
)
def discuss(request: HttpRequest, public_id: str, item_id: Work, sent: DiscussRequest) -> ChangeMade:
    """Write a remark on an item to its raters or to all; the item counts as discussed from then on."""
    user, audience = user_of_token(request), Audience(sent.to)
    discuss_item(user, public_id, item_id, sent.condition, audience, sent.text, datetime.now(UTC))
    return ChangeMade(message="The remark is sent, and the item is marked as discussed.")


@router.post(
    "/studies/{public_id}/review/groups/{group}/verdict",
    operation_id="decide_group",
    response={200: VerdictMade, **PROBLEMS},
)
def decide_group(request: HttpRequest, public_id: str, group: Work, sent: GroupVerdictRequest) -> VerdictMade:
    """Decide on all work of a group. A rejection is made for each task, with its own reason."""
    user, now = user_of_token(request), datetime.now(UTC)
    cases = [case.id for case in get_group(user, public_id, group, now).cases]
    done = decide_together(user, public_id, group, cases, VerdictChoice(sent.choice), sent.reason, now)
    return VerdictMade(message=f"The verdict on {done.decided} tasks is recorded.", decision=done.decision)


@router.post(
    "/studies/{public_id}/review/decisions/{decision}/undo",
    operation_id="undo_decision",
    response={200: ChangeMade, **PROBLEMS},
)
def undo(request: HttpRequest, public_id: str, decision: UUID) -> ChangeMade:
    """Take a verdict back, on one task or on many, until the work is paid."""
    cases = take_back(user_of_token(request), public_id, decision, datetime.now(UTC))
    return ChangeMade(message=f"The verdict on {len(cases)} task{'s' * (len(cases) != 1)} is taken back.")
