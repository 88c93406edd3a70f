"""Messages between requester and raters: a thread for each rater, a board for each pool.

Whatever anybody writes is text and stays text. Who asked a question is known to the requester by pseudonym,
and to other raters not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.actions.errors import EmptyMessage, LongMessage, TooManyMessages
from labelwright.server.actions.links import Visitor
from labelwright.server.actions.mail import queue_message
from labelwright.server.store.models import Assignment, Item, Member, Message, MessageItem, Pool, Rater, Study
from labelwright.server.store.rows import rows

LONGEST_BY_RATER = 1000
LONGEST_BY_REQUESTER = 5000
RATER_LIMITS = ((timedelta(minutes=10), 5), (timedelta(days=1), 30))
"""How many messages a rater may write within how long."""
MOST_SHOWN = 200
"""The newest messages of a thread or board that a page shows."""


class BadMessage(LabelwrightError):
    """A text that cannot be sent."""

    code: ClassVar[str] = "bad_message"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a rater asked about a reply, as all may read it, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What becomes of an answer to a question beyond the thread."""

    question: str
    """The wording that others read; the requester takes out whatever points to a person."""


def write_to_rater(
    study: Study,
    who: str,
    rater: Rater,
    text: str,
    now: datetime,
    *,
    question: int | None = None,
    shown: Shown | None = None,
) -> Message:
    """Something said to one rater. As the answer to a question it can be shown to all who meet the same reply."""
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
            question_shown=_checked(shown.question, LONGEST_BY_RATER) if shown else "",
            sent_at=now,
        )
        if asked:
            items = list(MessageItem.objects.filter(message=asked).values_list("item_id", flat=True))
            _about(message, [(item, None) for item in items])
            _mark_discussed(items, now)
        queue_message(message, [rater], now)
    return message


def give_feedback(
    study: Study, who: str, rater: Rater, assignments: Sequence[int], text: str, now: datetime
) -> Message:
    """A rater's answers beside the others', with a remark. The replies count as discussed from now on."""
    with transaction.atomic():
        found = rows(
            """SELECT DISTINCT ON (x.item_id) x.item_id, a.id FROM assignment a
               JOIN task_item x ON x.task_id = a.task_id
               WHERE a.study_id = %s AND a.rater_id = %s AND a.id = ANY(%s) AND a.submitted_at IS NOT NULL
               ORDER BY x.item_id, a.id""",
            [study.pk, rater.pk, list(assignments)],
        )
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
        _mark_discussed([item for item, _ in found], now)
        queue_message(message, [rater], now)
    return message


def write_to_pool(
    study: Study, who: str, pool: Pool, text: str, now: datetime, items: Iterable[str] = ()
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
        _about(message, [(item, None) for item in ids])
        _mark_discussed(ids, now)
        members = Member.objects.filter(pool=pool, rater__person__isnull=False).select_related("rater")
        queue_message(message, [member.rater for member in members], now)
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
    about = _newest_item(rater, position) if position is not None else None
    message = Message.objects.create(
        study_id=visitor.study,
        rater=rater,
        kind=Message.Kind.QUESTION if about else Message.Kind.NOTE,
        text=checked,
        sent_at=now,
    )
    if about:
        _about(message, [about])
    return message


def get_asked(items: Sequence[int]) -> dict[int, list[Asked]]:
    """Answered questions about items that all may read, by item; without a trace of who asked."""
    found: dict[int, list[Asked]] = {}
    for item, question, answer in rows(
        """SELECT x.item_id, m.question_shown, m.text FROM message_item x JOIN message m ON m.id = x.message_id
           WHERE x.item_id = ANY(%s) AND m.shown ORDER BY m.id""",
        [list(items)],
    ):
        found.setdefault(item, []).append(Asked(question, answer))
    return found


def get_thread(rater: int) -> list[Message]:
    """The newest messages with one rater, oldest first."""
    newest = Message.objects.filter(rater_id=rater).order_by("-id")[:MOST_SHOWN]
    return list(reversed(newest.prefetch_related("messageitem_set__item__dialogue")))


def get_board(pools: Iterable[int]) -> list[Message]:
    """The newest remarks on the boards of pools, oldest first."""
    newest = Message.objects.filter(pool_id__in=list(pools), shown=False).order_by("-id")[:MOST_SHOWN]
    return list(reversed(newest.prefetch_related("messageitem_set__item")))


def mark_read(rater: int, *, by_rater: bool, now: datetime) -> None:
    """The other side's messages were opened."""
    unread = Message.objects.filter(rater_id=rater, read_at=None)
    unread = unread.exclude(author="") if by_rater else unread.filter(author="")
    unread.update(read_at=now)


def _checked(text: str, longest: int) -> str:
    """The text as it is stored: line ends of one kind, nothing that a page cannot show."""
    told = "\n".join(text.splitlines()).strip()
    told = "".join(letter for letter in told if letter in "\n\t" or letter.isprintable() or letter.isspace())
    if not told:
        raise EmptyMessage
    if len(told) > longest:
        raise LongMessage(len(told), longest)
    return told


def _question(study: Study, rater: Rater, message: int) -> Message:
    found = Message.objects.filter(
        study=study, rater=rater, pk=message, kind=Message.Kind.QUESTION, author=""
    ).first()
    if found is None:
        raise BadMessage("that question is not there any more.")
    return found


def _newest_item(rater: Rater, position: int) -> tuple[int, int] | None:
    newest = Assignment.objects.filter(rater=rater).order_by("-id").first()
    if newest is None:
        return None
    found = rows(
        "SELECT item_id FROM task_item WHERE task_id = %s AND position = %s", [newest.task_id, position]
    )
    return (found[0][0], newest.pk) if found else None


def _items_by_key(study: Study, keys: Sequence[str]) -> list[int]:
    keys = [key.replace("\x00", "") for key in keys]
    found = dict(Item.objects.filter(study=study, key__in=keys).order_by("id").values_list("key", "id"))
    missing = [key for key in keys if key not in found]
    if missing:
        raise BadMessage(f'there is no item "{missing[0]}" in this study.', expected="keys of its items.")
    return list(found.values())


def _about(message: Message, items: Iterable[tuple[int, int | None]]) -> None:
    MessageItem.objects.bulk_create(
        [
            MessageItem(study_id=message.study_id, message=message, item_id=item, assignment_id=assignment)
            for item, assignment in items
        ]
    )


def _mark_discussed(items: Sequence[int], now: datetime) -> None:
    Item.objects.filter(pk__in=items, discussed_at=None).update(discussed_at=now)
