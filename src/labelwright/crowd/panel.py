"""Panel: any recruiter who sends people with ids in the address, and takes them back by an address or a code."""

from __future__ import annotations

import base64
import enum
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from labelwright.errors import LabelwrightError

LONGEST_ID = 200
PLACEHOLDERS = ("{person}", "{session}")


class BadArrival(LabelwrightError):
    """Somebody whose address the panel did not make."""

    code: ClassVar[str] = "bad_arrival"


class PanelOutcome(enum.StrEnum):
    """How a visit of somebody from a panel ended."""

    COMPLETED = "completed"
    SCREENED_OUT = "screened_out"
    FULL = "full"


def _way_back(text: str) -> str:
    """An https address, or a code of the panel.

    >>> _way_back("https://panel.example.org/done?rid={session}"), _way_back("C7K2-QM4")
    ('https://panel.example.org/done?rid={session}', 'C7K2-QM4')
    """
    if "://" not in text:
        if not text.replace("-", "").replace("_", "").isalnum():
            raise ValueError(
                "should be an address that starts with https://, or a code of letters and digits"
            )
        return text
    parts = urlsplit(text)
    local = parts.hostname in ("127.0.0.1", "localhost")
    if (parts.scheme != "https" and not local) or not parts.hostname or parts.username:
        raise ValueError("should be an address that starts with https://")
    return text


WayBack = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_way_back)]
Parameter = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,39}$")]


class PanelSignature(BaseModel):
    """How the panel signs its addresses, so that nobody can make one up."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parameter: Parameter
    """The parameter that holds the signature: HMAC with SHA-256, in hexadecimal or URL-safe base64."""
    over: Annotated[tuple[Parameter, ...], Field(min_length=1)]
    """The parameters whose values are signed, in this order."""
    separator: Annotated[str, Field(max_length=3)] = "|"
    """What stands between the values."""
    secret: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,39}$")]
    """The name of the secret. The server reads it from the environment variable `LABELWRIGHT_PANEL_SECRET_NAME`; the
    secret itself is never in a study file."""


class PanelPart(BaseModel):
    """How people come from a panel and go back to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=40)]
    """The name of the panel, as raters know it."""
    person: Parameter
    """The parameter of the address that holds the panel's id of the person."""
    session: Parameter | None = None
    """The parameter that holds the panel's id of the visit, if it gives one."""
    signature: PanelSignature | None = None
    """If set, only addresses with a valid signature are let in."""
    completed: WayBack | None = None
    """Where people go after their last task, or the code that they enter at the panel. `{person}` and `{session}` are
    replaced by the ids of the panel. Only pools that the server publishes on a platform can do without: it then makes a
    code for each publication."""
    screened_out: WayBack | None = None
    """The same for people who failed the quiz. Default: they are thanked."""
    full: WayBack | None = None
    """The same for people who find no task. Default: they are thanked."""

    def way_back(self, outcome: PanelOutcome) -> str | None:
        """The address or code of an outcome."""
        ways = {
            PanelOutcome.COMPLETED: self.completed,
            PanelOutcome.SCREENED_OUT: self.screened_out,
            PanelOutcome.FULL: self.full,
        }
        return ways[outcome]


@dataclass(frozen=True, slots=True)
class PanelArrival:
    """Who comes, by the panel's ids."""

    person: str
    session: str


def read_arrival(panel: PanelPart, parameters: Mapping[str, str], secrets: Mapping[str, str]) -> PanelArrival:
    """Who comes, from the parameters of the address; raises BadArrival, which names no id.

    `secrets` holds the secrets of signatures by name.

    >>> panel = PanelPart(name="P", person="pid", session="sid", completed="C1")
    >>> read_arrival(panel, {"pid": "p1", "sid": "s1"}, {})
    PanelArrival(person='p1', session='s1')
    """
    arrival = PanelArrival(
        parameters.get(panel.person, "").strip(),
        parameters.get(panel.session, "").strip() if panel.session else "",
    )
    sizes = [len(arrival.person), *([len(arrival.session)] if panel.session else [])]
    # A placeholder that the panel did not fill in is no id.
    filled = not any(sign in arrival.person + arrival.session for sign in "{}%")
    if not all(0 < size <= LONGEST_ID for size in sizes) or not filled or not arrival.person.isprintable():
        raise BadArrival("the address has no id of a participant.")
    if panel.signature is not None:
        _check_signature(panel.signature, parameters, secrets)
    return arrival


def _check_signature(
    signature: PanelSignature, parameters: Mapping[str, str], secrets: Mapping[str, str]
) -> None:
    secret = secrets.get(signature.secret)
    if not secret:
        raise BadArrival("the server does not have the secret of this panel.")
    signed = signature.separator.join(parameters.get(name, "") for name in signature.over)
    digest = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    given = parameters.get(signature.parameter, "").encode()
    right = (digest.hex().encode(), base64.urlsafe_b64encode(digest).rstrip(b"="))
    # Both are compared, so that the time says nothing about either.
    if not any([hmac.compare_digest(given.rstrip(b"=").lower(), right[0]), hmac.compare_digest(given.rstrip(b"="), right[1])]):  # fmt: skip
        raise BadArrival("the signature of the address is not valid.")


@dataclass(frozen=True, slots=True)
class Return:
    """How somebody goes back to a panel: by an address, by a form, or by a code that they enter there."""

    address: str = ""
    code: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """The names and values of a form that goes to the address; none if it is only followed."""
    give_back: bool = False
    """Whether there is nothing to submit, so that people return the work where they accepted it."""


def make_return(way: str, arrival: PanelArrival) -> Return:
    """The way back of one person.

    >>> make_return("https://p.example.org/x?rid={session}", PanelArrival("p1", "a b"))
    Return(address='https://p.example.org/x?rid=a%20b', code='', fields=(), give_back=False)
    >>> make_return("C7K2", PanelArrival("p1", "s1"))
    Return(address='', code='C7K2', fields=(), give_back=False)
    """
    if "://" not in way:
        return Return(code=way)
    filled = way.replace("{person}", quote(arrival.person, safe=""))
    return Return(address=filled.replace("{session}", quote(arrival.session, safe="")))
