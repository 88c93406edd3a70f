"""A rater's browser without a browser: reads the pages and makes the calls that a page makes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpx

from turnwise.errors import TurnwiseError


class Refused(TurnwiseError):
    """The server refused a call; `status` and `reply` hold what it said."""

    code: ClassVar[str] = "refused"

    def __init__(self, status: int, reply: dict[str, Any]) -> None:
        self.status = status
        self.reply = reply
        super().__init__(f"{status}: {reply.get('message', '')}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it stands on the page."""

    position: int
    name: str
    type: str


@dataclass(slots=True)
class Page:
    """What a rater's page says."""

    task: dict[str, Any] | None = None
    """The values that the page's script works with; none on a page that is not a task."""
    questions: list[Asked] = field(default_factory=list)
    texts: dict[int, list[str]] = field(default_factory=dict)
    """The pieces of text of each item, by its position in the task."""
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

    async def give_back(self, page: Page) -> None:
        """Gives the work back; somebody else is offered its place."""
        await self._call("POST", "return", page, {})

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
        self._in_json = False
        self._item: tuple[int, str] | None = None
        """The position of the item that is being read, and the name of its element."""
        self._depth = 0

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
        if self._item is None and "data-item" in values:
            self._item, self._depth = (int(values["data-item"] or 0), tag), 0
        if self._item and tag == self._item[1]:
            self._depth += 1
        self._in_json = tag == "script" and values.get("id") == "page"
        self.page.consent = self.page.consent or values.get("name") == "agree"

    def handle_endtag(self, tag: str) -> None:
        self._in_json = False
        if self._item and tag == self._item[1]:
            self._depth -= 1
            if not self._depth:
                self._item = None

    def handle_data(self, data: str) -> None:
        if self._in_json:
            self.page.task = json.loads(data)
        elif self._item and data.strip():
            self.page.texts.setdefault(self._item[0], []).append(data)
