"""Webhooks: signed messages to addresses that study owners chose, and never to machines of our own network.

The name of the host is looked up once, its addresses are checked, and the connection goes to the checked address, so
that a name cannot point elsewhere in between. Redirects are not followed.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpcore

from labelwright.client.webhooks import SIGNATURE_HEADER, sign_webhook
from labelwright.errors import LabelwrightError

TIMEOUTS = {"connect": 5.0, "read": 10.0, "write": 10.0, "pool": 5.0}
LONGEST_ADDRESS = 500
GOOD = range(200, 300)


class BadWebhook(LabelwrightError):
    """An address that webhooks may not be sent to."""

    code: ClassVar[str] = "bad_webhook"


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    """How a delivery ended."""

    status: int | None
    """The HTTP status; None if there was no answer."""
    error: str = ""

    @property
    def arrived(self) -> bool:
        """Whether the receiver took it."""
        return self.status in GOOD


def check_address(address: str, *, private: bool) -> str:
    """The address, if it is of a form that webhooks may be sent to; raises BadWebhook.

    With `private`, addresses without encryption and of our own network are permitted.

    >>> check_address("https://hooks.example.org/labelwright", private=False)
    'https://hooks.example.org/labelwright'
    """
    try:
        parts = urlsplit(address)
        named = parts.hostname and (parts.port or 443)
    except ValueError:
        named = None
    schemes = ("https", "http") if private else ("https",)
    if not named or parts.scheme not in schemes or parts.username or len(address) > LONGEST_ADDRESS:
        raise BadWebhook("this is not an address for webhooks.", expected="https://host/path.")
    if not address.isascii() or not address.isprintable() or " " in address:
        raise BadWebhook("the address has characters that no address has.", expected="https://host/path.")
    return address


def is_public(address: str) -> bool:
    """Whether an IP address is of the public internet.

    >>> [is_public(each) for each in ("93.184.215.14", "127.0.0.1", "10.0.0.7", "169.254.169.254", "::1")]
    [True, False, False, False, False]
    >>> is_public("::ffff:127.0.0.1"), is_public("64:ff9b::7f00:1"), is_public("224.0.0.1")
    (False, False, False)
    """
    parsed = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        # IPv4 addresses in other clothes: mapped, 6to4, Teredo and NAT64.
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if parsed in ipaddress.ip_network("64:ff9b::/96") or parsed in ipaddress.ip_network("64:ff9b:1::/48"):
            return False
    return parsed.is_global and not parsed.is_multicast


def send_webhook(
    address: str, secret: str, body: bytes, headers: dict[str, str], seconds: int, *, private: bool
) -> WebhookAnswer:
    """Sends a signed body, and says how it ended; raises nothing that the receiver or the network can cause."""
    sent = {
        **headers,
        "Content-Type": "application/json",
        "User-Agent": "Labelwright",
        SIGNATURE_HEADER: sign_webhook(secret, body, seconds),
    }
    try:
        check_address(address, private=private)
        with (
            httpcore.ConnectionPool(network_backend=_CheckedNetwork(private=private)) as pool,
            pool.stream(
                "POST", address, headers=list(sent.items()), content=body, extensions={"timeout": TIMEOUTS}
            ) as answer,
        ):
            # The body of the answer is not read: it could be endless.
            return WebhookAnswer(answer.status, "" if answer.status in GOOD else "the receiver refused it")
    except BadWebhook as error:
        return WebhookAnswer(None, error.what)
    except (httpcore.TimeoutException, TimeoutError):
        return WebhookAnswer(None, "the receiver did not answer in time")
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError):
        return WebhookAnswer(None, "the receiver could not be reached")


class _CheckedNetwork(httpcore.SyncBackend):
    """Connects only to addresses that are permitted."""

    def __init__(self, *, private: bool) -> None:
        super().__init__()
        self._private = private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address of the host, after all of them were checked."""
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        if not self._private and not all(is_public(address) for address in found):
            raise BadWebhook("the address leads to a private network")
        return super().connect_tcp(found[0], port, timeout, local_address, socket_options)
