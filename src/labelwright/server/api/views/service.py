"""The API as a whole: authentication by token, bodies, and errors as `CallProblem`."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser
from ninja.security import HttpBearer

from labelwright import __version__
from labelwright.client.models import CallProblem
from labelwright.errors import LabelwrightError
from labelwright.server.store.models import User
from labelwright.server.team.actions.tokens import find_user
from labelwright.server.web.errors.pages import in_words
from labelwright.server.web.limits import Limiter
from labelwright.server.web.requests import client_address
from labelwright.server.web.uploads import read_corpus_body

BAD_TOKENS = Limiter(60, 60)
"""Maximum number of invalid tokens per network and minute."""
PROBLEMS: dict[int, Any] = dict.fromkeys((400, 401, 403, 404, 409, 410, 413, 422, 429, 503), CallProblem)
"""The answers that every call can give instead of its own."""
MOST_REPORTED = 5


class TooManyTokens(LabelwrightError):
    """A network that guesses tokens."""

    code = "too_many"
    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self) -> None:
        super().__init__("there were too many invalid tokens from your network.", do="Wait a minute.")


class Token(HttpBearer):
    """The API token of a user, in the header `Authorization: Bearer lw_...`."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        """The user behind the token; raises TooManyTokens."""
        user = find_user(token, datetime.now(UTC))
        if user is None and not BAD_TOKENS.allows(client_address(request)):
            raise TooManyTokens
        if user is not None:
            read_corpus_body(request)
        return user


class StrictJson(Parser):
    """Bodies that the database can store: no NaN, no NUL, no halves of characters."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The JSON in the body; raises ValueError."""
        parsed = json.loads(request.body, parse_constant=_refuse, parse_float=_finite)
        _check_texts(parsed)
        return parsed


api = NinjaAPI(
    title="Labelwright",
    version=__version__,
    description="What the command line does with studies on a server.",
    docs_url=None,
    auth=Token(),
    parser=StrictJson(),
    urls_namespace="api",
)


def user_of_token(request: HttpRequest) -> User:
    """The user behind the token of a call."""
    user = request.auth  # type: ignore[attr-defined]
    assert isinstance(user, User)
    return user


@api.exception_handler(LabelwrightError)
def _known(request: HttpRequest, error: LabelwrightError) -> HttpResponse:
    return _problem(request, getattr(error, "status", HTTPStatus.BAD_REQUEST), error.code, in_words(error))


@api.exception_handler(AuthenticationError)
def _unknown_user(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    message = "This call needs a valid API token in the header Authorization: Bearer lw_..."
    return _problem(request, HTTPStatus.UNAUTHORIZED, "unauthorized", message)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    found = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors[:MOST_REPORTED]]
    return _problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", "; ".join(found))


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    message = "The body cannot be read. Expected JSON without NaN and NUL characters."
    return _problem(request, error.status_code, "bad_request", message)


def _problem(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    return api.create_response(request, CallProblem(code=code, message=message).model_dump(), status=status)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("the number is too large")
    return number


def _check_texts(value: Any) -> None:
    """Raises ValueError for text, keys included, that cannot be stored."""
    if isinstance(value, str):
        # Halves of characters cannot be encoded.
        if b"\x00" in value.encode():
            raise ValueError("NUL cannot be stored")
    elif isinstance(value, dict):
        for key, each in value.items():
            _check_texts(key)
            _check_texts(each)
    elif isinstance(value, list):
        for each in value:
            _check_texts(each)
