"""Retention: after how many days a study deletes what it no longer needs."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Days = Annotated[int, Field(ge=1, le=36_500)]


class RetentionPart(BaseModel):
    """The number of days for which each kind of data is kept; null keeps it as long as the study."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    visits: Days | None = 30
    """When raters opened a task page; counted from the opening."""
    drafts: Days | None = 90
    """Answers as they were saved before submission; counted from the last save."""
    mails: Days | None = 90
    """Which rater got a mail and when; counted from the mail. The text is a message, which is personal data."""
    waiting: Days | None = 90
    """Mail addresses that people left when all tasks were taken; counted from the day when they left them. They are
    deleted earlier if there are tasks again and the mail is sent, or if the study is archived."""
    log: Days | None = None
    """The audit log of changes concerning raters."""
    personal_data: Days | None = None
    """Mail addresses, messages, notes, answers to questionnaires and personal links; counted from the rater's last activity.

    Judgments, receipts and pay stay, under the pseudonym."""
