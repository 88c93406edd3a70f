"""A rater's browser without a browser: reads the pages and makes the calls that a page makes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpx

from turnwise.errors import TurnwiseError
from turnwise.simulate import Asked


class Refused(TurnwiseError):
    """The server refused a call; `status` and `reply` hold what it said."""

    code: ClassVar[str] = "refused"

    def __init__(self, status: int, reply: dict[str, Any]) -> None:
        self.status = status
        self.reply = reply
        super().__init__(f"{status}: {reply.get('message', '')}")


@dataclass(slots=True)
class Page:
    """What a rater's page says."""

    task: dict[str, Any] | None = None
    """The values that the page's script works with; none on a page that is not a task."""
    questions: list[Asked] = field(default_factory=list)
    target: str = ""
    consent: bool = False
    """Whether the page asks for consent."""


class RaterClient:
    """One rater at their link."""

    def __init__(self, http: httpx.AsyncClient, link: str) -> None:
        self._http = http
        self._link = link
        parts = urlsplit(link)
        self._root = f"{parts.scheme}://{parts.netloc}"

    async def open(self) -> Page:
        """The page at the link; consent is given where it is asked for."""
        page = await self._page()
        if page.consent:
            await self._http.post(f"{self._link}/consent", data={"agree": "yes"})
            page = await self._page()
        return page

    async def save(self, page: Page, answers: Any, save_id: str, revision: int) -> dict[str, Any]:
        """Saves half-finished answers."""
        return await self._call(
            "PUT", "save", page, {"save_id": save_id, "revision": revision, "answers": answers}
        )

    async def submit(self, page: Page, answers: Any) -> str:
        """Hands a task in; the receipt."""
        return str((await self._call("POST", "submit", page, {"answers": answers}))["receipt"])

    async def give_back(self, page: Page) -> int:
        """Gives a task back; how often that may still be done."""
        return int((await self._call("POST", "return", page, {}))["returns_left"])

    async def _page(self) -> Page:
        response = await self._http.get(self._link)
        response.raise_for_status()
        return read_page(response.text)

    async def _call(self, method: str, verb: str, page: Page, body: dict[str, Any]) -> dict[str, Any]:
        assert page.task is not None
        response = await self._http.request(
            method, f"{self._root}/t/{verb}", json=body, headers={"X-Turnwise-Visit": page.task["visit"]}
        )
        if response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
            response.raise_for_status()
        reply = response.json()
        if response.is_error:
            raise Refused(response.status_code, reply)
        return dict(reply)


def read_page(html: str) -> Page:
    """What a page says."""
    reader = _Reader()
    reader.feed(html)
    return reader.page


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._in_json = self._in_target = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if "data-question" in values:
            self.page.questions.append(
                Asked(
                    int(values["data-position"] or 0),
                    values["data-question"] or "",
                    values["data-type"] or "",
                )
            )
        elif tag == "input" and values.get("type") == "radio" and self.page.questions:
            asked = self.page.questions.pop()
            codes = (*asked.codes, int(values["value"] or 0))
            self.page.questions.append(Asked(asked.position, asked.name, asked.type, codes))
        self._in_json = tag == "script" and values.get("id") == "page"
        self._in_target = self._in_target or (values.get("id") or "").startswith("target-")
        self.page.consent = self.page.consent or values.get("name") == "agree"

    def handle_endtag(self, tag: str) -> None:
        self._in_json = False
        self._in_target = self._in_target and tag != "li"

    def handle_data(self, data: str) -> None:
        if self._in_json:
            self.page.task = json.loads(data)
        elif self._in_target:
            self.page.target += data.strip()
