"""Which language models study files may use, and which key goes to which of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from labelwright.context.part import ModelPart
from labelwright.errors import LabelwrightError, listed

SETTING = "LABELWRIGHT_MODELS"
EXPECTED = '"https://api.example.com/v1 EXAMPLE_KEY, http://127.0.0.1:8080/v1"'
_ENTRY = re.compile(r"(https?://\S+)((?:\s+[A-Z][A-Z0-9_]*)*)")
_THIS_MACHINE = re.compile(r"https?://(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?(/[A-Za-z0-9._/-]*)?")


class ModelNotAllowed(LabelwrightError):
    """A study file names a model or a key that the administrator did not allow."""

    code: ClassVar[str] = "model_not_allowed"


class BadModelSetting(LabelwrightError):
    """The list of models is not a list of addresses with names of variables."""

    code: ClassVar[str] = "bad_model_setting"


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """The addresses that may be called, each with the variables whose key may be sent there.

    A study file comes from a requester, and the environment belongs to the administrator. So a study file can only
    choose from this list.
    """

    allowed: Mapping[str, frozenset[str]] | None
    """None if the administrator set nothing: then models on this machine are allowed, without a key."""

    @classmethod
    def read(cls, values: Mapping[str, str]) -> ModelAccess:
        """The list in `LABELWRIGHT_MODELS`; raises BadModelSetting.

        >>> ModelAccess.read({"LABELWRIGHT_MODELS": "https://a.example/v1 A_KEY"}).allowed
        {'https://a.example/v1': frozenset({'A_KEY'})}
        """
        entries = [entry.strip() for entry in values.get(SETTING, "").split(",") if entry.strip()]
        return cls(dict(map(_entry, entries)) if entries else None)

    def check(self, part: ModelPart) -> None:
        """Raises ModelNotAllowed unless the model's address is allowed, and its key for this address."""
        address = part.address.rstrip("/")
        if self.allowed is None:
            allowed, keys = _THIS_MACHINE.fullmatch(address) is not None, frozenset[str]()
        else:
            allowed, keys = address in self.allowed, self.allowed.get(address, frozenset())
        if not allowed:
            known = listed(sorted(self.allowed)) if self.allowed else "addresses of this machine"
            raise ModelNotAllowed(
                f'the model address "{part.address}" is not allowed.', expected=f"{known}.", do=_add(address)
            )
        if part.key_variable and part.key_variable not in keys:
            raise ModelNotAllowed(
                f'the variable "{part.key_variable}" may not be sent as a key to "{part.address}".',
                expected=f"{listed(sorted(keys))}.",
                do=_add(f"{address} {part.key_variable}"),
            )

    def key(self, part: ModelPart, values: Mapping[str, str]) -> str:
        """The key for a model, empty if it needs none; raises ModelNotAllowed."""
        self.check(part)
        return values.get(part.key_variable, "") if part.key_variable else ""


def _entry(entry: str) -> tuple[str, frozenset[str]]:
    found = _ENTRY.fullmatch(entry)
    keys = found[2].split() if found else []
    # Our own keys sign links and sessions, and are never anybody else's.
    if found is None or any(key.startswith("LABELWRIGHT_") for key in keys):
        raise BadModelSetting(
            f'{SETTING} has the entry "{entry}".', expected=f"addresses with names of variables: {EXPECTED}."
        )
    return found[1].rstrip("/"), frozenset(keys)


def _add(entry: str) -> str:
    return f'An administrator can allow it: add "{entry}" to {SETTING}.'
