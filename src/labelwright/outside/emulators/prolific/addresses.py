"""The address that a participant is sent to: placeholders filled in, and a signed token if the workspace has it."""

from __future__ import annotations

import base64
import functools
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from labelwright.outside.emulators.prolific.model import ProlificState, ProlificSubmission

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

TOKEN_SECONDS = 120
ISSUER = "https://www.prolific.com"
KEY_ID = "emulated-key"


def study_address(state: ProlificState, submission: ProlificSubmission) -> str:
    """The address of the study for this submission."""
    fields = state.studies[submission.study].fields
    values = {
        "PROLIFIC_PID": submission.participant,
        "STUDY_ID": submission.study,
        "SESSION_ID": submission.id,
    }
    address = str(fields["external_study_url"])
    for name, value in values.items():
        address = address.replace("{{%" + name + "%}}", quote(value))
    if not (state.settings.secure_addresses or fields.get("is_external_study_url_secure")):
        return address
    joint = "&" if "?" in address else "?"
    return f"{address}{joint}prolific_token={_token(state, address, submission, values)}"


def _token(state: ProlificState, address: str, submission: ProlificSubmission, values: dict[str, str]) -> str:
    now = int(state.clock.now().timestamp())
    claims = {
        "iss": ISSUER,
        "iat": now,
        "exp": now + TOKEN_SECONDS,
        "aud": address,
        "sub": submission.id,
        "prolific": {**values, "workspace_id": state.settings.workspace},
    }
    return signed_token(claims)


def signed_token(claims: dict[str, Any]) -> str:
    """A JSON web token (RS256) with these claims."""
    from cryptography.hazmat.primitives import hashes  # noqa: PLC0415  only workspaces with tokens need it
    from cryptography.hazmat.primitives.asymmetric import padding  # noqa: PLC0415

    header = {"alg": "RS256", "typ": "JWT", "kid": KEY_ID}
    message = ".".join(_encoded(json.dumps(part).encode()) for part in (header, claims))
    made = _key().sign(message.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{message}.{_encoded(made)}"


def key_set() -> dict[str, Any]:
    """The answer of `/.well-known/study/jwks.json`."""
    numbers = _key().public_key().public_numbers()
    key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": KEY_ID}
    return {"keys": [{**key, "n": _number(numbers.n), "e": _number(numbers.e)}]}


@functools.cache
def _key() -> RSAPrivateKey:
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415

    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _number(value: int) -> str:
    return _encoded(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
