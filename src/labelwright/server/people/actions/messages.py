"""Messages between requester and raters: a thread for each rater, a board for each pool.

Messages are plain text. The requester knows who asked a question by pseudonym; other raters do not know it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.queries import Visitor
from labelwright.server.people import queries
from labelwright.server.people.actions.mail import queue_message
from labelwright.server.people.queries import DiscussedItem, PublicAnswer
from labelwright.server.store.changes import note_change
from labelwright.server.store.models import ItemRow, Member, Message, MessageItem, Pool, Rater, StudyRow
from labelwright.server.web.errors import RaterError

LONGEST_BY_RATER = 1000
LONGEST_BY_REQUESTER = 5000
RATER_LIMITS = ((timedelta(minutes=10), 5), (timedelta(days=1), 30))
"""A period and the number of messages that a rater may write within it."""
MOST_SHOWN = 200
"""The newest messages of a thread or board that a page shows."""


class BadMessage(LabelwrightError):
    """A text that cannot be sent."""

    code: ClassVar[str] = "bad_message"


class EmptyMessage(RaterError):
    """A message without text."""

    code: ClassVar[str] = "empty_message"

    def __init__(self) -> None:
        super().__init__("Your message was not sent: it is empty.")


class LongMessage(RaterError):
    """A message over the limit."""

    code: ClassVar[str] = "long_message"

    def __init__(self, length: int, longest: int) -> None:
        super().__init__(
            "Your message was not sent: it has {length} characters, and the limit is {longest}.",
            length=length,
            longest=longest,
        )


class TooManyMessages(RaterError):
    """A rater who has written too often in a short time."""

    code: ClassVar[str] = "too_many_messages"

    def __init__(self) -> None:
        super().__init__(
            "Your message was not sent: you have written too many in a short time.",
            "Your earlier messages have arrived. Try again later.",
        )


@dataclass(frozen=True, slots=True)
class PublicQuestion:
    """A question that is shown with its answer to everybody who meets the same reply."""

    text: str
    """The wording that others read; the requester removes anything that points to a person."""


def write_to_rater(
    study: StudyRow,
    who: str,
    rater: Rater,
    text: str,
    now: datetime,
    *,
    question: int | None = None,
    shown: PublicQuestion | None = None,
) -> Message:
    """A message to one rater. The answer to a question can be shown to everybody who meets the same reply."""
    with transaction.atomic():
        asked = _question(study, rater, question) if question is not None else None
        if shown and asked is None:
            raise BadMessage("only the answer to a question can be shown to others.")
        message = Message.objects.create(
            study=study,
            rater=rater,
            kind=Message.Kind.ANSWER if asked else Message.Kind.NOTE,
            author=who,
            text=_checked(text, LONGEST_BY_REQUESTER),
            answers=asked,
            shown=shown is not None,
            question_shown=_checked(shown.text, LONGEST_BY_RATER) if shown else "",
            sent_at=now,
        )
        if asked:
            items = list(MessageItem.objects.filter(message=asked).values_list("item_id", flat=True))
            _about(message, [DiscussedItem(item) for item in items])
            _mark_discussed(items, now)
            note_change(study.pk)
        queue_message(message, [rater], now)
        log_change(study.pk, who, "message", rater.pseudonym, now, after={"kind": message.kind})
    return message


def give_feedback(
    study: StudyRow,
    who: str,
    rater: Rater,
    assignments: Sequence[int],
    text: str,
    now: datetime,
    *,
    only: int | None = None,
) -> Message:
    """A remark on a rater's answers, shown next to the others'. The replies count as discussed from now on.

    It is about all items of the assignments, or `only` about one of them.
    """
    with transaction.atomic():
        found = queries.submitted_items(study.pk, rater.pk, assignments)
        found = [each for each in found if only is None or each.item == only]
        if not found:
            raise BadMessage(
                "no submitted work was chosen.", do="Tick the replies that the feedback is about."
            )
        message = Message.objects.create(
            study=study,
            rater=rater,
            kind=Message.Kind.FEEDBACK,
            author=who,
            text=_checked(text, LONGEST_BY_REQUESTER),
            sent_at=now,
        )
        _about(message, found)
        _mark_discussed([each.item for each in found], now)
        queue_message(message, [rater], now)
        log_change(study.pk, who, "message", rater.pseudonym, now, after={"kind": message.kind})
    return message


def write_to_pool(
    study: StudyRow, who: str, pool: Pool, text: str, now: datetime, items: Iterable[str] = ()
) -> Message:
    """A remark on a pool's board, which every member reads; the items that it names count as discussed."""
    with transaction.atomic():
        message = Message.objects.create(
            study=study,
            pool=pool,
            author=who,
            text=_checked(text, LONGEST_BY_REQUESTER),
            sent_at=now,
        )
        ids = _items_by_key(study, list(items))
        _about(message, [DiscussedItem(item) for item in ids])
        _mark_discussed(ids, now)
        members = Member.objects.filter(pool=pool, rater__person__isnull=False).select_related("rater")
        queue_message(message, [member.rater for member in members], now)
        log_change(study.pk, who, "board_message", pool.name, now)
    return message


@transaction.atomic
def write_as_rater(visitor: Visitor, text: str, now: datetime, *, position: int | None = None) -> Message:
    """A message from a rater; with a position, a question about that reply of the newest task.

    Locks the rater, so that several at once cannot pass the limit.
    """
    rater = Rater.objects.select_for_update(no_key=True).get(pk=visitor.rater)
    checked = _checked(text, LONGEST_BY_RATER)
    for within, most in RATER_LIMITS:
        if Message.objects.filter(rater=rater, author="", sent_at__gt=now - within).count() >= most:
            raise TooManyMessages
    about = queries.newest_item(rater.pk, position) if position is not None else None
    message = Message.objects.create(
        study_id=visitor.study,
        rater=rater,
        kind=Message.Kind.QUESTION if about else Message.Kind.NOTE,
        text=checked,
        sent_at=now,
    )
    if about:
        _about(message, [about])
        note_change(visitor.study)
    return message


def get_public_answers(items: Sequence[int]) -> dict[int, list[PublicAnswer]]:
    """The answered questions about items that all may read, by item; without a trace of who asked."""
    found: dict[int, list[PublicAnswer]] = {}
    for answer in queries.public_answers(items):
        found.setdefault(answer.item, []).append(answer)
    return found


def get_thread(*raters: int) -> list[Message]:
    """The newest messages with one rater, or with the raters of one person, oldest first."""
    newest = Message.objects.filter(rater_id__in=raters).order_by("-id")[:MOST_SHOWN]
    return list(reversed(newest.prefetch_related("rater", "messageitem_set__item__dialogue")))


def get_board(pools: Iterable[int]) -> list[Message]:
    """The newest remarks on the boards of pools, oldest first."""
    newest = Message.objects.filter(pool_id__in=list(pools), shown=False).order_by("-id")[:MOST_SHOWN]
    return list(reversed(newest.prefetch_related("messageitem_set__item")))


def mark_read(*raters: int, by_rater: bool, now: datetime) -> None:
    """Marks the other side's messages as read."""
    unread = Message.objects.filter(rater_id__in=raters, read_at=None)
    unread = unread.exclude(author="") if by_rater else unread.filter(author="")
    unread.update(read_at=now)


def check_text(text: str) -> str:
    """What a rater has written, as it is stored; raises EmptyMessage and LongMessage."""
    return _checked(text, LONGEST_BY_RATER)


def _checked(text: str, longest: int) -> str:
    """The text as it is stored: one kind of line end, no control characters."""
    cleaned = "\n".join(text.splitlines()).strip()
    cleaned = "".join(
        letter for letter in cleaned if letter in "\n\t" or letter.isprintable() or letter.isspace()
    )
    if not cleaned:
        raise EmptyMessage
    if len(cleaned) > longest:
        raise LongMessage(len(cleaned), longest)
    return cleaned


def _question(study: StudyRow, rater: Rater, message: int) -> Message:
    found = Message.objects.filter(
        study=study, rater=rater, pk=message, kind=Message.Kind.QUESTION, author=""
    ).first()
    if found is None:
        raise BadMessage("that question no longer exists.")
    return found


def _items_by_key(study: StudyRow, keys: Sequence[str]) -> list[int]:
    keys = [key.replace("\x00", "") for key in keys]
    found = dict(ItemRow.objects.filter(study=study, key__in=keys).order_by("id").values_list("key", "id"))
    missing = [key for key in keys if key not in found]
    if missing:
        raise BadMessage(f'there is no item "{missing[0]}" in this study.', expected="keys of its items.")
    return list(found.values())


def _about(message: Message, items: Iterable[DiscussedItem]) -> None:
    MessageItem.objects.bulk_create(
        [
            MessageItem(
                study_id=message.study_id, message=message, item_id=each.item, assignment_id=each.assignment
            )
            for each in items
        ]
    )


def _mark_discussed(items: Sequence[int], now: datetime) -> None:
    ItemRow.objects.filter(pk__in=items, discussed_at=None).update(discussed_at=now)
