"""One question to an endpoint: its reply, or a fault that says what may be done about it."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("openai", reason="the extra `llm` is not installed")

from labelwright.context import Ask, ModelPart
from labelwright.outside.llm import FaultKind, LlmEndpoint, LlmFault
from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion

ASK = Ask(({"role": "user", "content": "Hi"},), "m", {"max_tokens": 5, "seed": 1})


def ask(answer: EndpointReply, timeout: float = 5) -> Any:
    with LlmEmulator(lambda _body, _before: answer) as emulator:
        part = ModelPart.model_validate(
            {"name": "m", "address": emulator.address, "timeout_seconds": timeout}
        )
        endpoint = LlmEndpoint(part)
        try:
            return endpoint.ask(ASK), emulator
        finally:
            endpoint.close()


def test_a_reply_is_kept_whole() -> None:
    reply, emulator = ask(completion("Yes.", (7, 2)))
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("Yes.", 7, 2)
    assert '"Yes."' in reply.raw
    assert emulator.bodies == [
        {"messages": [{"role": "user", "content": "Hi"}], "model": "m", "max_tokens": 5, "seed": 1}
    ]


@pytest.mark.parametrize(
    ("answer", "kind", "retry_after"),
    [
        (EndpointReply(b"{}", 429, {"retry-after": "2"}), FaultKind.REFUSED, 2.0),
        (EndpointReply(b"{}", 500), FaultKind.REFUSED, None),
        (EndpointReply(b'{"error": {"message": "no"}}', 401), FaultKind.REJECTED, None),
        (EndpointReply(b"{}", hang_seconds=1.5), FaultKind.UNKNOWN, None),
        (EndpointReply(b'{"choices": [{"mess'), FaultKind.BROKEN, None),
        (EndpointReply(b'{"choices": []}', announced_bytes=5000), FaultKind.UNKNOWN, None),
        (completion(""), FaultKind.BROKEN, None),
        (completion(None), FaultKind.BROKEN, None),
        (completion("x" * 1_000_000), FaultKind.BROKEN, None),
        (EndpointReply(b"not json"), FaultKind.BROKEN, None),
    ],
)
def test_faults_are_told_apart_by_what_may_be_done(
    answer: EndpointReply, kind: FaultKind, retry_after: float | None
) -> None:
    with pytest.raises(LlmFault) as fault:
        ask(answer, timeout=0.5 if answer.hang_seconds else 5)
    assert fault.value.kind is kind
    assert fault.value.retry_after == retry_after
    assert len(fault.value.raw) <= 2000


def test_nobody_there_is_a_refusal() -> None:
    endpoint = LlmEndpoint(ModelPart(name="m", address="http://127.0.0.1:9/v1"))
    with pytest.raises(LlmFault) as fault:
        endpoint.ask(ASK)
    endpoint.close()
    assert fault.value.kind is FaultKind.REFUSED
