"""A study's messages: unanswered questions, threads and boards. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.server.people import queries
from labelwright.server.people.queries import BoardLine, ThreadLine, UnansweredQuestion
from labelwright.server.store.models import StudyRow

MOST_THREADS = 200


@dataclass(frozen=True, slots=True)
class Inbox:
    """Everything on the page of messages."""

    unanswered: list[UnansweredQuestion]
    threads: list[ThreadLine]
    boards: list[BoardLine]
    discussed: int
    """Items that were discussed with raters."""
    failed_mails: int


def get_inbox(study: StudyRow) -> Inbox:
    """Unanswered questions first, then the threads with the newest message on top."""
    return Inbox(
        unanswered=queries.unanswered_questions(study.pk),
        threads=queries.threads(study.pk, MOST_THREADS),
        boards=queries.boards(study.pk),
        discussed=queries.count_discussed_items(study.pk),
        failed_mails=queries.count_failed_mails(study.pk),
    )
