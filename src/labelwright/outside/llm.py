"""Language models behind an OpenAI-compatible endpoint: each request gives a reply or a classified fault."""

from __future__ import annotations

import enum
import importlib
import json
import os
from dataclasses import dataclass
from typing import Any, ClassVar

from labelwright.context import Ask, ModelAccess, ModelPart
from labelwright.errors import LabelwrightError

LARGEST_REPLY_BYTES = 512_000
"""Much more than any need or summary; the rest is not read."""


class NoClient(LabelwrightError):
    """The openai package is not installed."""

    code: ClassVar[str] = "no_llm_client"


class FaultKind(enum.StrEnum):
    """The kind of a fault, by how to react to it."""

    REFUSED = "refused"
    """The endpoint did not process the request (429, 5xx before an answer, no connection): retry later."""
    REJECTED = "rejected"
    """The endpoint will never accept this request (400, 401, 404): a person has to look at it."""
    UNKNOWN = "unknown"
    """The request may have been processed and charged (time-out, connection lost): do not retry it."""
    BROKEN = "broken"
    """The response is not usable (truncated JSON, empty, too large) and may have been charged."""


class LlmFault(LabelwrightError):
    """A request without a usable reply."""

    code: ClassVar[str] = "llm_fault"

    def __init__(self, kind: FaultKind, what: str, raw: str = "", retry_after: float | None = None) -> None:
        self.kind = kind
        self.raw = raw
        self.retry_after = retry_after
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class LlmReply:
    """The reply of a model."""

    text: str
    raw: str
    """The complete response of the endpoint."""
    tokens_in: int | None
    tokens_out: int | None
    """Token counts reported by the endpoint; None if it does not report them."""


class LlmEndpoint:
    """One model. It can be used from several threads; the caller decides on retries.

    Raises ModelNotAllowed for a model that is not in `access`, which is by default the list of this process.
    """

    def __init__(self, part: ModelPart, access: ModelAccess | None = None) -> None:
        key = (access or ModelAccess.read(os.environ)).key(part, os.environ)
        try:
            import openai  # noqa: PLC0415
        except ImportError as error:
            raise NoClient(
                "language models need the openai package, which is not installed.",
                do="Install it with: pip install labelwright[llm]",
            ) from error
        self._openai = openai
        # Errors while the body is read are not wrapped by the client. The HTTP library that raises them
        # differs between releases of the client.
        client = next(
            kind for kind in openai.DefaultHttpxClient.__mro__ if not kind.__module__.startswith("openai")
        )
        reading = importlib.import_module(client.__module__.partition(".")[0])
        self._transport_errors: tuple[type[Exception], ...] = (
            reading.TimeoutException,
            reading.TransportError,
        )
        # Local models need no key, but the client requires one.
        self._client = openai.OpenAI(
            base_url=part.address,
            api_key=key or "none",
            max_retries=0,
            timeout=part.timeout_seconds,
            # A redirect could lead from an allowed address to any other.
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def ask(self, ask: Ask) -> LlmReply:
        """Sends one request, without retries; raises LlmFault."""
        try:
            raw = self._raw(ask)
        except self._openai.APIStatusError as error:
            raise _status_fault(error) from error
        except self._openai.APITimeoutError as error:
            raise LlmFault(FaultKind.UNKNOWN, "the endpoint did not respond in time.") from error
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
            raise LlmFault(
                FaultKind.UNKNOWN,
                f"the connection was lost while reading the response: {type(error).__name__}.",
            ) from error

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


def _limited(pieces: Any) -> str:
    received = bytearray()
    for piece in pieces:
        received += piece
        if len(received) > LARGEST_REPLY_BYTES:
            start = bytes(received[:2000]).decode("utf-8", "replace")
            raise LlmFault(
                FaultKind.BROKEN, f"the response is larger than {LARGEST_REPLY_BYTES:,} bytes.", raw=start
            )
    return received.decode("utf-8", "replace")


def _status_fault(error: Any) -> LlmFault:
    status = int(error.status_code)
    what = f"the endpoint responded with status {status}."
    if status in (408, 409, 429) or status >= 500:
        return LlmFault(
            FaultKind.REFUSED, what, retry_after=_seconds(error.response.headers.get("retry-after"))
        )
    return LlmFault(FaultKind.REJECTED, what, raw=str(error)[:2000])


def _connection_fault(error: Exception) -> LlmFault:
    """A connection that was never established costs nothing; a lost connection may have been charged."""
    cause = type(error.__cause__).__name__
    if cause in ("ConnectError", "ConnectTimeout", "PoolTimeout"):
        return LlmFault(FaultKind.REFUSED, "the endpoint cannot be reached.")
    return LlmFault(FaultKind.UNKNOWN, f"the connection was lost ({cause}).")


def _seconds(header: str | None) -> float | None:
    """The seconds in a Retry-After header. Dates are rare and not supported.

    >>> _seconds("2"), _seconds("Wed, 21 Oct"), _seconds("-1")
    (2.0, None, None)
    """
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86_400 else None


def read_reply(raw: str) -> LlmReply:
    """The reply in the response of an endpoint; raises LlmFault if there is none.

    >>> read_reply('{"choices": [{"message": {"content": "Yes."}}]}').text
    'Yes.'
    """
    try:
        answer = json.loads(raw)
        text = answer["choices"][0]["message"]["content"]
    except (json.JSONDecodeError, RecursionError, KeyError, IndexError, TypeError) as error:
        raise LlmFault(FaultKind.BROKEN, "the response is not a chat completion.", raw=raw[:2000]) from error
    if not isinstance(text, str) or not text.strip():
        raise LlmFault(FaultKind.BROKEN, "the reply is empty.", raw=raw[:2000])
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return LlmReply(text, raw, _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
