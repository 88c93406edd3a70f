"""The service behind the protocol of Mechanical Turk: signed requests through boto3, and what its errors mean.

boto3 repeats requests unless it is told not to, and a bonus without a token would then be paid several times. Requests
that change something are therefore sent once, and only reads are repeated.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar
from urllib.parse import urlsplit

from labelwright.crowd.ledger import CallState
from labelwright.errors import LabelwrightError

REGION = "us-east-1"
TIMEOUT_SECONDS = 30
READ_ATTEMPTS = 3
"""A reading with all its attempts must end before another sender takes the call, which is after three minutes."""
PAGE = 100
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class MTurkUnusable(LabelwrightError):
    """A connection that this installation cannot make, or must not."""

    code: ClassVar[str] = "mturk_unusable"


class MTurkFailure(Exception):
    """A request that was refused or not answered, and what is known of its effect. It names no worker."""

    def __init__(self, code: str, state: CallState, said: str, message: str = "") -> None:
        super().__init__(said)
        self.code = code
        """In small letters, without the prefix; empty if the service gave none."""
        self.state = state
        self.said = said
        self.message = message
        """The text of the service, which may hold ids: never stored."""


ABSENT = ("hitdoesnotexist", "assignmentdoesnotexist", "qualificationtypedoesnotexist")
OURS = ("invalidparametervalue", "xmlparseerror")
NOT_AUTHORISED = (
    "notauthorized", "accessdenied", "accessdeniedexception", "invalidsignatureexception",
    "unrecognizedclientexception", "incompletesignature", "missingauthenticationtoken", "accountnotlinked",
)  # fmt: skip
UNANSWERED = ("servicefault", "throttlingexception", "throttling", "requestlimitexceeded")
REPEATED = ("already been processed", "already been used", "already used")


class MTurkService:
    """Operations of the service by their names in boto3."""

    def __init__(self, address: str, key: str, secret: str) -> None:
        self.address = address
        self._boto = _import_boto()
        self._reads = self._client(key, secret, {"mode": "standard", "total_max_attempts": READ_ATTEMPTS})
        self._writes = self._client(key, secret, {"total_max_attempts": 1})

    def _client(self, key: str, secret: str, retries: Mapping[str, Any]) -> Any:
        config = self._boto.config.Config(
            retries=dict(retries), connect_timeout=TIMEOUT_SECONDS, read_timeout=TIMEOUT_SECONDS
        )
        with _MAKING:
            return _session().client(
                "mturk",
                endpoint_url=self.address,
                region_name=REGION,
                aws_access_key_id=key,
                aws_secret_access_key=secret,
                config=config,
            )

    def read(self, operation: str, **told: Any) -> Any:
        """The answer of an operation that changes nothing; raises MTurkFailure, never with an unknown effect."""
        try:
            return self._call(self._reads, operation, told)
        except MTurkFailure as failure:
            if failure.state == CallState.UNKNOWN:
                failure.state = CallState.PLANNED
            raise

    def write(self, operation: str, **told: Any) -> Any:
        """The answer of an operation that changes something, sent once; raises MTurkFailure."""
        return self._call(self._writes, operation, told)

    def pages(self, operation: str, name: str, **told: Any) -> Iterator[dict[str, Any]]:
        """Every row of a list; raises MTurkFailure."""
        token: dict[str, str] = {}
        while True:
            page = self.read(operation, MaxResults=PAGE, **told, **token)
            yield from page.get(name, [])
            if not page.get("NextToken") or not page.get(name):
                return
            token = {"NextToken": page["NextToken"]}

    def close(self) -> None:
        """Ends the connections."""
        self._reads.close()
        self._writes.close()

    def _call(self, client: Any, operation: str, told: Mapping[str, Any]) -> Any:
        errors = self._boto.exceptions
        try:
            return getattr(client, operation)(**told)
        except errors.ClientError as error:
            raise self._refusal(error.response) from None
        except (errors.EndpointConnectionError, errors.ConnectTimeoutError, errors.SSLError) as error:
            raise MTurkFailure("", CallState.PLANNED, f"no connection: {type(error).__name__}") from None
        except errors.ParamValidationError:
            raise MTurkFailure(
                "", CallState.REFUSED, f"{operation} was refused by boto3: our mistake"
            ) from None
        except errors.BotoCoreError as error:
            raise MTurkFailure("", CallState.UNKNOWN, f"no answer: {type(error).__name__}") from None

    def _refusal(self, response: Mapping[str, Any]) -> MTurkFailure:
        """What an error of the service means for the effect of a request."""
        error = response.get("Error", {})
        full = str(response.get("TurkErrorCode") or error.get("Code") or "")
        code = full.rsplit(".", 1)[-1].lower()
        message = str(error.get("Message") or response.get("Message") or "")
        status = int(response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
        state, said = CallState.REFUSED, f"refused: {full.rsplit('.', 1)[-1]}"
        if code in UNANSWERED or status >= 500:
            state, said = CallState.UNKNOWN, f"no clear answer: {full or status}"
        elif code in NOT_AUTHORISED or status in (401, 403):
            state, said = CallState.PLANNED, "the credentials are not accepted; check the settings"
        elif code == "insufficientfunds":
            state, said = CallState.PLANNED, "the account has too little money"
        elif code in ABSENT:
            said = f"{full.rsplit('.', 1)[-1]} at {urlsplit(self.address).netloc}: wrong id, or wrong service"
        elif code in OURS:
            said = f"{full.rsplit('.', 1)[-1]}: our mistake; nothing was done"
        elif code == "invalidassignmentstate" and ("null" in message or "Reviewable" in message):
            state, said = CallState.PLANNED, "not submitted there, or not visible yet"
        elif code == "invalidhitstate":
            state, said = CallState.PLANNED, "the HIT is not in the right state yet"
        elif any(words in message for words in REPEATED):
            # By its token or its second, the service knows that it has done this before.
            code, state, said = "repeated", CallState.CONFIRMED, "done before"
        return MTurkFailure(code, state, said, message)


def check_address(address: str, *, allow_live: bool) -> str:
    """The address if requests may go there; raises MTurkUnusable.

    >>> check_address("http://127.0.0.1:9001/", allow_live=False)
    'http://127.0.0.1:9001'
    """
    parts = urlsplit(address)
    if not parts.hostname:
        raise MTurkUnusable(
            "no service is set for `platform: mturk`; the public one closed on 30 September 2026.",
            do="Set LABELWRIGHT_MTURK_ADDRESS to a compatible service, or to that of `labelwright emulate mturk`.",
        )
    if parts.hostname not in LOOPBACK and not (allow_live and parts.scheme == "https"):
        raise MTurkUnusable(
            f"{parts.hostname} is not on this machine, and requests to other machines move real money.",
            expected="an address on this machine, or https and LABELWRIGHT_MTURK_ALLOW_LIVE=1.",
        )
    return f"{parts.scheme}://{parts.netloc}"


_MAKING = threading.Lock()
"""A session is not made for several threads; its clients are."""


@lru_cache(maxsize=1)
def _session() -> Any:
    """A session of boto3, kept because reading the description of the service takes a tenth of a second."""
    return importlib.import_module("boto3.session").Session()


def _import_boto() -> Any:
    try:
        # An optional package, which takes half a second to import.
        importlib.import_module("boto3.session")
        importlib.import_module("botocore.config")
        importlib.import_module("botocore.exceptions")
        return importlib.import_module("botocore")
    except ImportError:
        raise MTurkUnusable(
            "`platform: mturk` needs boto3, which is not installed.",
            do="Install it with `pip install --no-deps -r requirements/mturk.txt`.",
        ) from None
