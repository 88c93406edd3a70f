"""One question to an endpoint: its reply, or a fault that says what may be done about it."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("openai", reason="the extra `llm` is not installed")

from labelwright.context import Ask, BadModelSetting, ModelAccess, ModelNotAllowed, ModelPart
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


def test_a_study_file_names_no_key_and_no_address_that_was_not_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A study file once sent the key that signs rater links to any address that it named."""
    monkeypatch.setenv("LABELWRIGHT_LINK_KEY", "the-link-key")
    monkeypatch.setenv("EXAMPLE_KEY", "the-example-key")
    here = ModelPart(name="m", address="http://127.0.0.1:8080/v1")
    LlmEndpoint(here).close()
    for refused in (
        here.model_copy(update={"key_variable": "LABELWRIGHT_LINK_KEY"}),
        here.model_copy(update={"address": "https://api.example.com/v1"}),
        here.model_copy(update={"address": "http://127.0.0.1@evil.example/v1"}),
        here.model_copy(update={"address": "http://127.0.0.1.evil.example/v1"}),
        here.model_copy(update={"address": "http://169.254.169.254/v1"}),
    ):
        with pytest.raises(ModelNotAllowed, match="LABELWRIGHT_MODELS"):
            LlmEndpoint(refused)
    monkeypatch.setenv(
        "LABELWRIGHT_MODELS", "https://api.example.com/v1 EXAMPLE_KEY, http://10.0.0.7:8080/v1"
    )
    allowed = ModelPart(name="m", address="https://api.example.com/v1/", key_variable="EXAMPLE_KEY")
    LlmEndpoint(allowed).close()
    # A key goes only to its own address, and the list replaces the addresses of this machine.
    for other in ("http://10.0.0.7:8080/v1", "http://127.0.0.1:8080/v1", "https://api.example.com/v1/../x"):
        with pytest.raises(ModelNotAllowed):
            LlmEndpoint(allowed.model_copy(update={"address": other}))


@pytest.mark.parametrize(
    "entry", ["api.example.com", "https://a.example/v1 LABELWRIGHT_LINK_KEY", "https://a.example/v1 lower"]
)
def test_a_wrong_list_of_models_is_told(entry: str) -> None:
    with pytest.raises(BadModelSetting, match="LABELWRIGHT_MODELS has the entry"):
        ModelAccess.read({"LABELWRIGHT_MODELS": entry})


def test_a_redirect_is_not_followed() -> None:
    with LlmEmulator(lambda _body, _before: completion("Yes.")) as elsewhere:
        onward = {"location": f"{elsewhere.address}/chat/completions"}
        with pytest.raises(LlmFault, match="307") as fault:
            ask(EndpointReply(b"", 307, onward))
        assert fault.value.kind is FaultKind.REJECTED
        assert elsewhere.bodies == []


def test_nobody_there_is_a_refusal() -> None:
    endpoint = LlmEndpoint(ModelPart(name="m", address="http://127.0.0.1:9/v1"))
    with pytest.raises(LlmFault) as fault:
        endpoint.ask(ASK)
    endpoint.close()
    assert fault.value.kind is FaultKind.REFUSED
