"""Fifty raters on the deployed server; runs inside the machine, as the server's user.

crowd judge LINK    submits one task at a link
crowd load          loads a study for the crowd
crowd work          works until /tmp/crowd.stop exists, and then compares receipts with the database
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from labelwright.corpus import Dialogue, Turn
from labelwright.outside.rater_browser import Page, RaterBrowser, Refused

STARTED, STOP = Path("/tmp/crowd.started"), Path("/tmp/crowd.stop")
RATERS, ITEMS = 50, 1500
THINK_SECONDS = 2.0
STUDY = f"""\
labelwright: 1
name: crowd
title: Crowd
seed: 7
corpus: {{reader: chat_messages, path: none.jsonl}}
items: {{per_dialogue: 1}}
scales:
  useful:
    points:
      - {{code: 1, name: Not useful, score: 0}}
      - {{code: 2, name: Somewhat useful, score: 0.5}}
      - {{code: 3, name: Very useful, score: 1}}
aspects: {{usefulness: {{title: Usefulness, aim: Whether the reply helps}}}}
designs:
  reply:
    title: Judge one reply
    lead: Judge the marked reply.
    instructions: Read the conversation, then judge the marked reply.
    questions:
      - {{name: useful, type: scale, aspect: usefulness, text: "How useful is the reply?", scale: useful}}
conditions: {{all: {{context: {{turns_before: 3}}}}}}
redundancy: 3
pools: {{own: {{platform: link, raters: {RATERS}, lease_minutes: 5}}}}
"""


def main(verb: str, *rest: str) -> None:
    """Runs one verb, and prints its result as JSON."""
    match verb:
        case "judge":
            print(json.dumps(asyncio.run(judge(rest[0]))))
        case "load":
            print(json.dumps({"links": len(load())}))
        case "work":
            crowd = Crowd()
            asyncio.run(crowd.work(load()))
            print(json.dumps(crowd.figures(after_loss="--after-loss" in rest)))


async def judge(link: str) -> dict[str, Any]:
    """Submits the tasks of one rater of the demo study."""
    from labelwright.corpus import read_dialogues
    from labelwright.outside.crowd import work
    from labelwright.outside.pages import StudyPages
    from labelwright.server.operations.demo import demo_study
    from labelwright.simulate import crowd, default_behaviour
    from labelwright.study import read_study

    study, _ = read_study(demo_study())
    pages = StudyPages(study, read_dialogues(study.corpus, demo_study().parent)[0])
    raters = crowd(1, {"careful": 1.0}, 1, default_behaviour().steady())
    receipts: list[str] = []
    await work(raters, [link], lambda: None, pages=pages, hurry=1000, receipts=receipts)
    return {"receipts": len(receipts)}


def load() -> list[str]:
    """The links of the crowd; loads its study if needed."""
    from labelwright.server.config.settings_file import apply_settings_file
    from labelwright.server.config.startup import set_up

    apply_settings_file(os.environ)
    set_up()
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool, StudyRow
    from labelwright.server.studies.actions.loading import load_study
    from labelwright.study import check_study

    study, mistakes = check_study(STUDY)
    assert study, mistakes
    now = datetime.now(UTC)
    row = (
        StudyRow.objects.filter(name="crowd").first()
        or load_study(study, STUDY, _dialogues(), now, opened=True).study
    )
    return [link.address for link in make_links(row, Pool.objects.get(study=row), RATERS, 60, now)]


def _dialogues() -> list[Dialogue]:
    turns = (
        Turn("user", "A mystery, please."),
        Turn("system", "Try this one.", "alpha"),
        Turn("user", "Thanks."),
    )
    return [Dialogue(f"d{n}", turns) for n in range(ITEMS)]


def _say_started() -> None:
    STARTED.touch()


def _is_over() -> bool:
    return STOP.exists()


class Crowd:
    """Raters who try again when a request fails, as the page does."""

    def __init__(self) -> None:
        self.receipts: list[str] = []
        self.failures: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.waits: list[float] = []
        """The time from a rater's first attempt to the receipt."""
        self.began = time.monotonic()

    async def work(self, links: list[str]) -> None:
        """Works at all links until STOP exists."""
        async with httpx.AsyncClient(timeout=20, limits=httpx.Limits(max_connections=RATERS)) as http:
            await asyncio.gather(*(self._rater(RaterBrowser(http, link)) for link in links))

    async def _rater(self, browser: RaterBrowser) -> None:
        await asyncio.sleep(random.uniform(0, THINK_SECONDS))
        while not _is_over():
            try:
                page = await browser.open()
            except httpx.HTTPError as error:
                await self._note(error)
                continue
            if page.task is None:
                await asyncio.sleep(1)
                continue
            await asyncio.sleep(THINK_SECONDS)
            await self._submit(browser, page)

    async def _submit(self, browser: RaterBrowser, page: Page) -> None:
        began = time.monotonic()
        while True:
            try:
                self.receipts.append(await browser.submit(page, {"0": {"useful": random.choice([1, 2, 3])}}))
            except httpx.HTTPError as error:
                await self._note(error)
            except Refused as refused:
                self.refusals[str(refused.reply.get("code"))] += 1
                return
            else:
                self.waits.append(time.monotonic() - began)
                _say_started()
                return

    async def _note(self, error: httpx.HTTPError) -> None:
        status = (
            error.response.status_code if isinstance(error, httpx.HTTPStatusError) else type(error).__name__
        )
        self.failures[str(status)] += 1
        await asyncio.sleep(0.3)

    def figures(self, *, after_loss: bool) -> dict[str, Any]:
        """Receipts compared with the database; after a loss, only submissions since the restore can be there."""
        from django.db import connection

        from labelwright.server.access.actions.receipts import receipt_of
        from labelwright.server.store.rows import column, value

        # PostgreSQL may have been killed since the study was loaded.
        connection.close()
        stored = {
            receipt_of(number)
            for number in column("SELECT public_id FROM assignment WHERE state = 'submitted'")
        }
        twice = value(
            "SELECT count(*) FROM (SELECT FROM answer GROUP BY assignment_id, question HAVING count(*) > 1) x"
        )
        missing = len(set(self.receipts) - stored)
        waits = sorted(self.waits) or [0.0]
        return {
            "raters": RATERS,
            "seconds": round(time.monotonic() - self.began),
            "acknowledged": len(set(self.receipts)),
            "lost": 0 if after_loss else missing,
            **({"submitted_after_the_backup": missing} if after_loss else {}),
            "stored_twice": twice,
            "failed_requests": dict(self.failures),
            "refused": dict(self.refusals),
            "submit_seconds_median": round(waits[len(waits) // 2], 2),
            "submit_seconds_longest": round(waits[-1], 2),
        }


if __name__ == "__main__":
    main(*sys.argv[1:])
