"""Errors that a person reads on a page. To a rater, the first sentence says what happened to their work."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, ClassVar

from labelwright.errors import LabelwrightError


class RaterError(LabelwrightError):
    """An error that a rater reads: constant sentences, translated before their values are filled in."""

    status: ClassVar[HTTPStatus] = HTTPStatus.BAD_REQUEST
    """The HTTP status of the answer."""

    def __init__(self, *sentences: str, **values: object) -> None:
        self.sentences = sentences
        self.values = values
        super().__init__(" ".join(sentences).format(**values))

    def facts(self) -> dict[str, Any]:
        """Further fields for the page's script, beside code and message."""
        return {}


class NotFound(RaterError):
    """There is nothing of that name that this person may see."""

    code: ClassVar[str] = "not_found"
    status: ClassVar[HTTPStatus] = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__("There is nothing here that you may see.")
