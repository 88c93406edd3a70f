"""What an action refuses, in words for the person who asked. To a rater, what became of their work comes first."""

from __future__ import annotations

from typing import Any, ClassVar

from turnwise.errors import TurnwiseError
from turnwise.server.store.submissions import SavedDraft
from turnwise.task import Problem


class UnknownVisit(TurnwiseError):
    """A visit token that is not ours."""

    code: ClassVar[str] = "unknown_visit"

    def __init__(self) -> None:
        super().__init__("This page is not known here.", do="Open your link again.")


class NewerVisit(TurnwiseError):
    """The same work was opened in another tab or on another device since."""

    code: ClassVar[str] = "newer_visit"

    def __init__(self) -> None:
        super().__init__(
            "Your answers up to here are saved. This reply is open in another tab, so this page is read-only now.",
            do="Go on there, or reload this page to go on here.",
        )


class StaleRevision(TurnwiseError):
    """Other answers were saved since the page read them."""

    code: ClassVar[str] = "stale_revision"

    def __init__(self, saved: SavedDraft | None) -> None:
        self.saved = saved
        super().__init__("Newer answers were saved elsewhere. They are shown now.")


class BadAnswers(TurnwiseError):
    """Answers that the task does not take; nothing was stored."""

    code: ClassVar[str] = "bad_answers"

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        open_questions = f"{len(problems)} questions need" if len(problems) > 1 else "1 question needs"
        super().__init__(
            f"Your answers are kept on this page. {open_questions} another look before they can be sent."
        )


class PlaceGone(TurnwiseError):
    """The lease ran out and somebody else has the place."""

    code: ClassVar[str] = "place_gone"

    def __init__(self) -> None:
        super().__init__(
            "Your answers are kept. This place is not free any more since your time ran out, "
            "and we will look at paying you for them."
        )


class WorkEnded(TurnwiseError):
    """The work was given back, so it takes no answers."""

    code: ClassVar[str] = "work_ended"

    def __init__(self) -> None:
        super().__init__(
            "This reply was given back and takes no answers.", do="Open your link to get another."
        )


class AlreadySubmitted(TurnwiseError):
    """The work was handed in before, here or in another tab."""

    code: ClassVar[str] = "already_submitted"

    def __init__(self, receipt: str) -> None:
        self.receipt = receipt
        super().__init__(f"This reply is submitted; receipt {receipt}.", do="Reload this page to go on.")


class NotHere(TurnwiseError):
    """Nothing of that name that this person may see."""

    code: ClassVar[str] = "not_here"

    def __init__(self) -> None:
        super().__init__("There is nothing here that you may see.")


class StudyNotFound(TurnwiseError):
    """No study of that name, for the command line."""

    code: ClassVar[str] = "study_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f'there is no study "{name}".', do="`turnwise study load FILE` loads one.")


def problem_view(problem: Problem) -> dict[str, Any]:
    """A problem as the rater's page reads it."""
    return {"position": problem.position, "question": problem.question, "message": problem.message}
