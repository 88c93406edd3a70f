"""Checks of the proxy in front of the server, made from outside as a rater's browser would."""

from __future__ import annotations

import json
import socket
import ssl
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding

SECONDS = 5
LEAST_DAYS = 14
FORGED = "192.0.2.1"
"""An address reserved for documentation, which no client has."""


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    headers: dict[str, str]
    body: bytes


def certificate(environment: Environment) -> Diagnosis:
    """The certificate is valid for our host name, and not about to expire."""
    url = urlsplit(environment.base_url)
    if url.scheme != "https":
        return Diagnosis(
            "Certificate", good=False, message="LABELWRIGHT_BASE_URL does not start with https://."
        )
    try:
        days = _days_left(url.hostname or "", url.port or 443)
    except (OSError, ValueError) as error:
        return Diagnosis(
            "Certificate", good=False, message=f"{url.netloc} cannot be reached over TLS: {error}."
        )
    return finding(
        "Certificate",
        days > LEAST_DAYS,
        f"valid for {days:.0f} days",
        f"Expires in {days:.0f} days. Renew it.",
    )


def forwarded(environment: Environment) -> Diagnosis:
    """The proxy says that clients use https, and replaces the address that a client claims to have."""
    if not environment.behind_proxy:
        return Diagnosis(
            "Proxy", good=False, message="Set LABELWRIGHT_BEHIND_PROXY=1, so that the server knows it."
        )
    try:
        seen = json.loads(_get(environment.base_url, "/proxy-check").body)
        wrong = _wrong(seen)
    except (OSError, HTTPException, ValueError, KeyError) as error:
        return Diagnosis("Proxy", good=False, message=f"No answer from {environment.base_url}: {error!r}.")
    return finding(
        "Proxy", not wrong, "passes on host, https and address", f"In the proxy, set {', '.join(wrong)}."
    )


def _wrong(seen: dict[str, Any]) -> list[str]:
    """The headers that did not arrive as the proxy should have written them."""
    return [
        *(["X-Forwarded-Proto to https"] if not seen["https"] else []),
        *(["X-Forwarded-For to the client's address"] if seen["address"] == FORGED else []),
    ]


def redirect(environment: Environment) -> Diagnosis:
    """Plain http leads to https, or nowhere."""
    host = urlsplit(environment.base_url).hostname or ""
    try:
        reply = _get(f"http://{host}", "/")
    except (OSError, HTTPException):
        return Diagnosis("Plain http", good=True, message="not served")
    there = reply.headers.get("location", "").startswith("https://")
    return finding("Plain http", there, "redirects to https", "Redirect port 80 to https.")


def _get(root: str, path: str) -> _Reply:
    url = urlsplit(root)
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    connection = kind(url.netloc, timeout=SECONDS)
    try:
        connection.request("GET", path, headers={"X-Forwarded-For": FORGED, "X-Forwarded-Proto": "http"})
        reply = connection.getresponse()
        return _Reply(reply.status, {name.lower(): text for name, text in reply.getheaders()}, reply.read())
    finally:
        connection.close()


def _days_left(host: str, port: int) -> float:
    context = ssl.create_default_context()
    with (
        socket.create_connection((host, port), timeout=SECONDS) as plain,
        context.wrap_socket(plain, server_hostname=host) as encrypted,
    ):
        found = encrypted.getpeercert()
    assert found is not None
    return (ssl.cert_time_to_seconds(str(found["notAfter"])) - time.time()) / 86_400


CHECKS: tuple[Check, ...] = (certificate, forwarded, redirect)
