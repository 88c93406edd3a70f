"""Errors shown on a page. The first sentence tells raters what happened to their work."""

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
        """More fields for the page's script, in addition to code and message."""
        return {}


class Elsewhere(LabelwrightError):
    """What a page would show is on another page, to which browsers are sent; others read the message."""

    code: ClassVar[str] = "elsewhere"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT
    address: str = ""


class NotFound(RaterError):
    """Nothing by that name exists, or this person has no access to it."""

    code: ClassVar[str] = "not_found"
    status: ClassVar[HTTPStatus] = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__("This page does not exist, or you do not have access to it.")
