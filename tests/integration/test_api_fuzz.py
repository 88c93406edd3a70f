"""The API under what schemathesis makes of its own document: no server error, and no answer that it does not declare.

CI sends a few examples to each call; `make fuzz` sends many.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.filterwarnings("ignore")]

EXAMPLES = int(os.environ.get("LABELWRIGHT_FUZZ_EXAMPLES", "5"))


@pytest.fixture
def scene(database: str) -> dict[str, Any]:
    """A study with a rater, and a token that may do everything."""
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study
    from labelwright.server.team.actions.tokens import create_token

    owner, _ = add_user("owner@example.org")
    text = study_text(items={"per_dialogue": 1})
    study = load_study(parse(text), text, dialogues(2), NOW, owner).study
    (link,) = make_links(study, Pool.objects.get(), 1, 60, NOW)
    token = create_token(owner, "fuzz", list(Permission), 9, datetime.now(UTC))
    known = {"public_id": study.public_id, "pool": "own", "rater": link.pseudonym, "email": owner.username}
    return {"known": known, "token": token, "text": text}


def test_no_call_fails_or_answers_what_it_does_not_declare(scene: dict[str, Any]):
    import schemathesis
    from django.core.handlers.wsgi import WSGIHandler
    from schemathesis import GenerationMode
    from schemathesis.checks import load_all_checks, not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    from labelwright.server.api.views import api

    load_all_checks()
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    schema = schemathesis.openapi.from_dict(dict(api.get_openapi_schema()))
    schema.app = WSGIHandler()
    sent = 0
    with _one_connection():
        for found in schema.get_all_operations():
            operation = found.ok()
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                sent += _fuzz(operation.as_strategy(generation_mode=mode), scene, checks)
    # 33 calls, in both modes.
    assert sent >= 33 * EXAMPLES


@contextmanager
def _one_connection() -> Iterator[None]:
    """Requests use the connection of the test, in its transaction, as with Django's own client for tests."""
    from django.core.signals import request_finished, request_started
    from django.db import close_old_connections

    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


def _fuzz(strategy: Any, scene: dict[str, Any], checks: list[Any]) -> int:
    """Sends examples of one call; returns how many. Nothing of them stays in the database."""
    from django.db import transaction
    from hypothesis.errors import Unsatisfiable

    sent = 0
    # The client inside schemathesis does not unpack answers.
    headers = {"Authorization": f"Bearer {scene['token']}", "Accept-Encoding": "identity"}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy, real=st.sampled_from([True, True, True, False]))
    def send(case: Any, real: bool) -> None:
        nonlocal sent
        if real:
            # Random names would mostly find nothing.
            case.path_parameters |= {
                name: value for name, value in scene["known"].items() if name in case.path_parameters
            }
            if isinstance(case.body, dict) and "text" in case.body and "dialogues" in case.body:
                case.body["text"] = scene["text"]
        with transaction.atomic():
            answer = case.call(headers=headers)
            transaction.set_rollback(True)
        case.validate_response(answer, checks=checks)
        sent += 1

    # A call without anything to get wrong has no invalid examples.
    with suppress(Unsatisfiable):
        send()
    return sent
