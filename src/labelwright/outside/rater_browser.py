"""A minimal browser for simulated raters: reads pages and makes the requests that a page makes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpx

from labelwright.errors import LabelwrightError


class Refused(LabelwrightError):
    """The server rejected a request; `status` and `reply` are its response."""

    code: ClassVar[str] = "refused"

    def __init__(self, status: int, reply: dict[str, Any]) -> None:
        self.status = status
        self.reply = reply
        super().__init__(f"{status}: {reply.get('message', '')}")


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """A question on a page."""

    position: int
    name: str
    type: str


@dataclass(slots=True)
class Page:
    """The contents of a rater's page."""

    task: dict[str, Any] | None = None
    """The data of the page's script; None if the page is not a task."""
    questions: list[PageQuestion] = field(default_factory=list)
    texts: dict[int, list[str]] = field(default_factory=dict)
    """The texts shown for each item, by its position in the task."""
    targets: dict[int, str] = field(default_factory=dict)
    """The text of the highlighted turn, by position."""
    sheet: dict[str, Any] | None = None
    """The data of a page with questions before tasks."""
    points: list[str] = field(default_factory=list)
    """The consent statements that must be ticked."""
    consent: bool = False
    """Whether the page asks for consent."""


class RaterBrowser:
    """The browser of one rater, at their link."""

    def __init__(self, http: httpx.AsyncClient, link: str) -> None:
        self._http = http
        self._link = link
        parts = urlsplit(link)
        self._root = f"{parts.scheme}://{parts.netloc}"

    async def open(self) -> Page:
        """Opens the link and gives consent if the page asks for it."""
        page = await self._page()
        if page.consent:
            await self._http.post(f"{self._link}/consent", data={"agree": "yes", "point": page.points})
            page = await self._page()
        return page

    async def save(self, page: Page, answers: Any, save_id: str, revision: int) -> dict[str, Any]:
        """Saves unfinished answers."""
        return await self._call(
            "PUT", "save", page, {"save_id": save_id, "revision": revision, "answers": answers}
        )

    async def submit(self, page: Page, answers: Any) -> str:
        """Submits a task and returns the receipt."""
        return str((await self._call("POST", "submit", page, {"answers": answers}))["receipt"])

    async def give_back(self, page: Page) -> int:
        """Returns a task to the pool; the result is the number of returns left."""
        return int((await self._call("POST", "return", page, {}))["returns_left"])

    async def answer_before(self, page: Page, answers: Any) -> None:
        """Answers the questions before tasks. The next page shows the result."""
        assert page.sheet is not None
        asked = {name: page.sheet[name] for name in ("link", "part", "key")}
        reply = await self._http.post(f"{self._root}/t/before", json={**asked, "answers": answers})
        if reply.is_error:
            raise Refused(reply.status_code, reply.json())

    async def _page(self) -> Page:
        response = await self._http.get(self._link)
        response.raise_for_status()
        return read_page(response.text)

    async def _call(self, method: str, verb: str, page: Page, body: dict[str, Any]) -> dict[str, Any]:
        assert page.task is not None
        response = await self._http.request(
            method, f"{self._root}/t/{verb}", json=body, headers={"X-Labelwright-Visit": page.task["visit"]}
        )
        if response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
            response.raise_for_status()
        reply = response.json()
        if response.is_error:
            raise Refused(response.status_code, reply)
        return dict(reply)


def read_page(html: str) -> Page:
    """Parses a page."""
    reader = _PageParser()
    reader.feed(html)
    return reader.page


class _PageParser(HTMLParser):
    """Reads the items and questions of a task. Worked examples have no position and are skipped."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._script = ""
        self._reading: list[int] = []
        """The positions of the current items."""
        self._tag, self._depth = "", 0
        """The element that contains them, and its nesting depth among elements with the same tag."""
        self._target: int | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if "data-question" in values and values["data-position"].isdecimal():
            at = int(values["data-position"])
            self.page.questions.append(PageQuestion(at, values["data-question"], values["data-type"]))
        if not self._depth and "data-items" in values:
            self._reading = [int(n) for n in values["data-items"].split() if n.isdecimal()]
            self._tag = tag
        if tag == self._tag:
            self._depth += 1
        marked, _, position = values.get("id", "").partition("-")
        if marked == "target" and position.isdecimal():
            self._target = int(position)
        self._script = values.get("id", "") if tag == "script" else ""
        self.page.consent = self.page.consent or values.get("name") == "agree"
        if values.get("name") == "point":
            self.page.points.append(values["value"])

    def handle_endtag(self, tag: str) -> None:
        self._script = ""
        if tag == "li":
            self._target = None
        if tag == self._tag:
            self._depth -= 1
            if not self._depth:
                self._reading, self._tag = [], ""

    def handle_data(self, data: str) -> None:
        if self._script == "page":
            self.page.task = json.loads(data)
        elif self._script == "sheet":
            self.page.sheet = json.loads(data)
        elif data.strip():
            for position in self._reading:
                self.page.texts.setdefault(position, []).append(data)
            if self._target is not None:
                # The speaker and the marker precede the text of the turn.
                self.page.targets[self._target] = data
