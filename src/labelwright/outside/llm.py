"""Language models behind any OpenAI-compatible address: one question, one reply, or one clear fault."""

from __future__ import annotations

import enum
import importlib
import json
import os
from dataclasses import dataclass
from typing import Any, ClassVar

from labelwright.context import Ask, ModelPart
from labelwright.errors import LabelwrightError

LARGEST_REPLY_BYTES = 512_000
"""Far more than any need or summary; what comes after it is not read."""


class NoClient(LabelwrightError):
    """The library that speaks to language models is not installed."""

    code: ClassVar[str] = "no_llm_client"


class FaultKind(enum.StrEnum):
    """What went wrong, by what may be done about it."""

    REFUSED = "refused"
    """The endpoint said that it did no work (429, 5xx before an answer, no connection): ask the same again later."""
    REJECTED = "rejected"
    """The endpoint will never take this question (400, 401, 404): a person must look."""
    UNKNOWN = "unknown"
    """Nobody can tell whether work was done and charged (time-out, connection lost): never ask the same again."""
    BROKEN = "broken"
    """An answer came, and is no reply (cut-off JSON, empty, far too large): it may have been charged."""


class LlmFault(LabelwrightError):
    """A question that brought no reply."""

    code: ClassVar[str] = "llm_fault"

    def __init__(self, kind: FaultKind, what: str, raw: str = "", retry_after: float | None = None) -> None:
        self.kind = kind
        self.raw = raw
        self.retry_after = retry_after
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class LlmReply:
    """What a model said, as it was received."""

    text: str
    raw: str
    """The whole answer of the endpoint."""
    tokens_in: int | None
    tokens_out: int | None
    """As the endpoint counts them; None where it does not say."""


class LlmEndpoint:
    """One model; asked from several threads, it waits for nobody. Retries are decided by the caller."""

    def __init__(self, part: ModelPart, key: str | None = None) -> None:
        try:
            import openai  # noqa: PLC0415
        except ImportError as error:
            raise NoClient(
                "asking a language model needs the openai client.",
                do="Install it with: pip install labelwright[llm]",
            ) from error
        self._openai = openai
        # Raised while a body is read, where the client does not wrap them. Which library it reads with
        # differs between its releases.
        client = next(
            kind for kind in openai.DefaultHttpxClient.__mro__ if not kind.__module__.startswith("openai")
        )
        reading = importlib.import_module(client.__module__.partition(".")[0])
        self._transport_errors: tuple[type[Exception], ...] = (
            reading.TimeoutException,
            reading.TransportError,
        )
        # Models on one's own machine want no key, and the client wants one to be given.
        self._client = openai.OpenAI(
            base_url=part.address,
            api_key=key or os.environ.get(part.key_variable) or "none",
            max_retries=0,
            timeout=part.timeout_seconds,
        )

    def ask(self, ask: Ask) -> LlmReply:
        """The reply to one question, asked once; raises LlmFault."""
        try:
            raw = self._raw(ask)
        except self._openai.APIStatusError as error:
            raise _status_fault(error) from error
        except self._openai.APITimeoutError as error:
            raise LlmFault(FaultKind.UNKNOWN, "the endpoint did not answer in time.") from error
        except self._openai.APIConnectionError as error:
            raise _connection_fault(error) from error
        return read_reply(raw)

    def _raw(self, ask: Ask) -> str:
        create = self._client.chat.completions.with_streaming_response.create
        body: dict[str, Any] = {"messages": list(ask.messages), "model": ask.model, **ask.parameters}
        try:
            with create(**body) as response:
                return _limited(response.iter_bytes())
        except self._transport_errors as error:
            raise LlmFault(FaultKind.UNKNOWN, f"the answer broke off: {type(error).__name__}.") from error

    def close(self) -> None:
        """Ends the connections."""
        self._client.close()


def _limited(pieces: Any) -> str:
    received = bytearray()
    for piece in pieces:
        received += piece
        if len(received) > LARGEST_REPLY_BYTES:
            told = bytes(received[:2000]).decode("utf-8", "replace")
            raise LlmFault(FaultKind.BROKEN, "the answer is far too large.", raw=told)
    return received.decode("utf-8", "replace")


def _status_fault(error: Any) -> LlmFault:
    status = int(error.status_code)
    told = f"the endpoint answered {status}."
    if status in (408, 409, 429) or status >= 500:
        return LlmFault(
            FaultKind.REFUSED, told, retry_after=_seconds(error.response.headers.get("retry-after"))
        )
    return LlmFault(FaultKind.REJECTED, told, raw=str(error)[:2000])


def _connection_fault(error: Exception) -> LlmFault:
    """A connection that was never made cost nothing; one that was lost may have."""
    cause = type(error.__cause__).__name__
    if cause in ("ConnectError", "ConnectTimeout", "PoolTimeout"):
        return LlmFault(FaultKind.REFUSED, "the endpoint cannot be reached.")
    return LlmFault(FaultKind.UNKNOWN, f"the connection was lost ({cause}).")


def _seconds(header: str | None) -> float | None:
    """What Retry-After asks for; dates are rare and are not read.

    >>> _seconds("2"), _seconds("Wed, 21 Oct"), _seconds("-1")
    (2.0, None, None)
    """
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86_400 else None


def read_reply(raw: str) -> LlmReply:
    """The reply in an endpoint's answer; raises LlmFault where there is none.

    >>> read_reply('{"choices": [{"message": {"content": "Yes."}}]}').text
    'Yes.'
    """
    try:
        answer = json.loads(raw)
        text = answer["choices"][0]["message"]["content"]
    except (json.JSONDecodeError, RecursionError, KeyError, IndexError, TypeError) as error:
        raise LlmFault(FaultKind.BROKEN, "the answer is no chat completion.", raw=raw[:2000]) from error
    if not isinstance(text, str) or not text.strip():
        raise LlmFault(FaultKind.BROKEN, "the reply is empty.", raw=raw[:2000])
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return LlmReply(text, raw, _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
