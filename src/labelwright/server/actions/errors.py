"""What an action refuses, in words for the person who asked. To a rater, what became of their work comes first."""

from __future__ import annotations

from typing import ClassVar

from labelwright.errors import LabelwrightError
from labelwright.server.store.submissions import SavedDraft
from labelwright.task import Problem


class Told(LabelwrightError):
    """What a rater is told: constant sentences, whose values enter after they are translated."""

    def __init__(self, *sentences: str, **values: object) -> None:
        self.sentences = sentences
        self.values = values
        super().__init__(" ".join(sentences).format(**values))


class UnknownVisit(Told):
    """A visit token that is not ours."""

    code: ClassVar[str] = "unknown_visit"

    def __init__(self) -> None:
        super().__init__("This page is not known here.", "Open your link again.")


class NewerVisit(Told):
    """The same work was opened in another tab or on another device since."""

    code: ClassVar[str] = "newer_visit"

    def __init__(self) -> None:
        super().__init__(
            "Your answers up to here are saved. This task is open in another tab, so this page is read-only now.",
            "Go on there, or reload this page to go on here.",
        )


class StaleRevision(Told):
    """Other answers were saved since the page read them."""

    code: ClassVar[str] = "stale_revision"

    def __init__(self, saved: SavedDraft | None) -> None:
        self.saved = saved
        super().__init__("Newer answers were saved elsewhere. They are shown now.")


class BadAnswers(Told):
    """Answers that the task does not take; nothing was stored."""

    code: ClassVar[str] = "bad_answers"

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__(
            "Your answers are kept on this page.",
            "Questions that need another look before they can be sent: {number}.",
            number=len(problems),
        )


class PlaceGone(Told):
    """The lease ran out and somebody else has the place."""

    code: ClassVar[str] = "place_gone"

    def __init__(self) -> None:
        super().__init__(
            "Your answers are kept. This place is not free any more since your time ran out, "
            "and we will look at paying you for them."
        )


class WorkEnded(Told):
    """The work was given back, so it takes no answers."""

    code: ClassVar[str] = "work_ended"

    def __init__(self) -> None:
        super().__init__("This task was given back and takes no answers.", "Open your link to get another.")


class AlreadySubmitted(Told):
    """The work was handed in before, here or in another tab."""

    code: ClassVar[str] = "already_submitted"

    def __init__(self, receipt: str) -> None:
        self.receipt = receipt
        super().__init__(
            "This task is submitted; receipt {receipt}.", "Reload this page to go on.", receipt=receipt
        )


class NotHere(Told):
    """Nothing of that name that this person may see."""

    code: ClassVar[str] = "not_here"

    def __init__(self) -> None:
        super().__init__("There is nothing here that you may see.")


class StudyNotFound(LabelwrightError):
    """No study of that name, for the command line."""

    code: ClassVar[str] = "study_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f'there is no study "{name}".', do="`labelwright study load FILE` loads one.")


class EmptyMessage(Told):
    """A message without a word."""

    code: ClassVar[str] = "empty_message"

    def __init__(self) -> None:
        super().__init__("There is nothing to send: the message is empty.")


class LongMessage(Told):
    """A message that nobody would read to its end."""

    code: ClassVar[str] = "long_message"

    def __init__(self, length: int, longest: int) -> None:
        super().__init__(
            "Your message is not sent: it has {length} characters, and at most {longest} fit.",
            length=length,
            longest=longest,
        )


class TooManyMessages(Told):
    """A rater who writes faster than anybody reads."""

    code: ClassVar[str] = "too_many_messages"

    def __init__(self) -> None:
        super().__init__(
            "Your message is not sent: you have written several in a short time.",
            "What you wrote before has arrived. Try again later.",
        )


class BadAddress(Told):
    """What was given is no mail address."""

    code: ClassVar[str] = "bad_address"

    def __init__(self) -> None:
        super().__init__("That is not a mail address.", "Expected one such as name@example.org.")


class TooManyAddresses(Told):
    """A rater who gives one address after the other."""

    code: ClassVar[str] = "too_many_addresses"

    def __init__(self) -> None:
        super().__init__(
            "Your address is not changed: you have changed it many times within a day.",
            "You can remove it now, or try again tomorrow.",
        )


class PoolFull(Told):
    """An open link that has let in as many as it may."""

    code: ClassVar[str] = "pool_full"

    def __init__(self) -> None:
        super().__init__("As many people as were wanted take part already.", "Thank you for looking in.")


class TooManyJoins(Told):
    """Somebody who lets one member in after the other."""

    code: ClassVar[str] = "too_many_joins"

    def __init__(self) -> None:
        super().__init__("Many people joined from your network.", "Try again in an hour.")
