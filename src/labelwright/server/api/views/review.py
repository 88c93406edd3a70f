"""Calls about flagged work."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Query, Router

from labelwright.client.models import ChangeMade, FlagListed, FlagPage, VerdictRequest
from labelwright.quality import tell_flag
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.actions import get_item_keys
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.review.actions.flags import IN_A_PAGE, get_flags_after
from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
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
    response={200: ChangeMade, **PROBLEMS},
)
def decide(request: HttpRequest, public_id: str, work: Work, sent: VerdictRequest) -> ChangeMade:
    """Decide on the pay and the data of submitted work."""
    user, choice = user_of_token(request), VerdictChoice(sent.choice)
    decided = decide_as_reviewer(user, public_id, work, choice, sent.reason, datetime.now(UTC))
    opened = " Its place is offered to another rater." if decided.reopened else ""
    return ChangeMade(message=f"The verdict is recorded.{opened}")
