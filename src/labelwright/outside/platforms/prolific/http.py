"""Requests to the API of Prolific, each made once, and what their answers say about a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from labelwright.crowd.ledger import CallState
from labelwright.crowd.platform import CallAnswer, PlatformSilent

TIMEOUT_SECONDS = 30
PAGE_SIZE = 100
MOST_PAGES = 1000
KEPT = ("id", "amount", "fees", "vat", "total_amount")
"""What is kept of an answer; the rest may hold ids of people."""
NOTHING_HAPPENED = (401, 403, 429)
Json = dict[str, Any]


class ProlificHttp:
    """The API with a token."""

    def __init__(self, address: str, token: str) -> None:
        self._http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Token {token}"},
            timeout=TIMEOUT_SECONDS,
        )

    def close(self) -> None:
        """Ends the connection."""
        self._http.close()

    def read(self, path: str, **query: str | int) -> Json:
        """The answer to a read; raises PlatformSilent, which names no id."""
        return _json(self._request("GET", path, params=query))

    def ask(self, path: str, body: Mapping[str, Any]) -> Json:
        """The answer to a POST that changes nothing there; raises PlatformSilent."""
        return _json(self._request("POST", path, json=dict(body)))

    def listed(self, path: str, **query: str | int) -> Iterator[Json]:
        """Every row of a list, page by page; raises PlatformSilent."""
        for page in range(1, MOST_PAGES):
            found = self.read(path, page=page, page_size=PAGE_SIZE, **query)
            yield from found.get("results") or ()
            if not ((found.get("_links") or {}).get("next") or {}).get("href"):
                return

    def change(self, method: str, path: str, body: Mapping[str, Any]) -> CallAnswer:
        """Makes a call that changes something, once, and says what is known of it then."""
        try:
            answer = self._http.request(method, path, json=dict(body))
        except httpx.ConnectError:
            return CallAnswer(CallState.PLANNED, "no connection to Prolific")
        except httpx.HTTPError as error:
            return CallAnswer(CallState.UNKNOWN, f"no answer from Prolific: {type(error).__name__}")
        if answer.is_success:
            facts = answer.json() if answer.content else {}
            return CallAnswer(CallState.CONFIRMED, "", {name: facts[name] for name in KEPT if name in facts})
        said = f"status {answer.status_code}{_problem(answer)}"
        if answer.status_code in NOTHING_HAPPENED:
            return CallAnswer(CallState.PLANNED, said)
        refused = 400 <= answer.status_code < 500
        return CallAnswer(CallState.REFUSED if refused else CallState.UNKNOWN, said)

    def get(self, path: str) -> httpx.Response:
        """One answer as it is; raises httpx.HTTPError."""
        return self._http.get(path)

    def _request(self, method: str, path: str, **told: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **told)
        except httpx.HTTPError as error:
            raise PlatformSilent(
                f"Prolific did not answer: {type(error).__name__}.", do="Try again in a minute."
            ) from None
        if not answer.is_success:
            raise PlatformSilent(
                f"Prolific answered with status {answer.status_code}{_problem(answer)}.",
                do="Check the token of the server, or try again in a minute.",
            )
        return answer


def _json(answer: httpx.Response) -> Json:
    try:
        found = answer.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise PlatformSilent(
            "Prolific answered with something that is not JSON.", do="Try again in a minute."
        )
    return found


def _problem(answer: httpx.Response) -> str:
    """The fields that Prolific complains about; never its sentences, which can hold ids of people."""
    try:
        told = answer.json()
    except ValueError:
        return ""
    inner = told.get("error", told) if isinstance(told, dict) else {}
    detail = inner.get("detail") if isinstance(inner, dict) else None
    return f": {', '.join(sorted(detail))}"[:120] if isinstance(detail, dict) else ""
