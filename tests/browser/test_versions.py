"""239 ratings, then a changed instruction, an unchanged file, more raters and a changed scale: what the command says,
what the pages show, and the money after each step."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page

from tests.browser.conftest import begin, ready
from tests.browser.test_requester import log_in
from tests.figures import compute_all
from tests.integration.test_requester import PASSWORD
from tests.processes import LABELWRIGHT, Server
from tests.studies import study_data

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

ITEMS = 40
OWNER = "mine@example.org"


class Requester:
    """A study file in a folder, loaded by the command; and the pages of the study."""

    def __init__(self, folder: Path, page: Page, server: Server) -> None:
        self.file, self.page, self.server = folder / "study.yaml", page, server
        self.data = study_data(items={"per_dialogue": 1, "turns_before": 1})
        self.data["pools"]["own"]["raters"] = 16
        turns = [
            ("user", "Hi."),
            ("assistant", "What do you like?"),
            ("user", "Number {}."),
            ("assistant", "Try {}!"),
        ]
        lines = [
            {"id": f"d{n}", "messages": [{"role": role, "content": text.format(n)} for role, text in turns]}
            for n in range(ITEMS)
        ]
        (folder / "dialogues.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def load(self, edit: Callable[[dict[str, Any]], object] = lambda _: None, *options: str) -> str:
        """What the command says about the edited file; it must succeed."""
        edit(self.data)
        done = self.run("study", "load", str(self.file), "--open", *options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        self.file.write_text(yaml.safe_dump(self.data, sort_keys=False))
        return subprocess.run(
            [LABELWRIGHT, *arguments], capture_output=True, text=True, env=os.environ, stdin=subprocess.DEVNULL,
            check=False, timeout=60,
        )  # fmt: skip

    def tokens(self) -> list[str]:
        """The tokens in the links of the raters."""
        links = self.run("study", "links", "tiny").stdout.splitlines()
        return [line.rsplit("/", 1)[1] for line in links]

    def log_in(self) -> None:
        log_in(self.page, self.server)

    def overview(self) -> tuple[str, str, str]:
        """Version, stored ratings of wanted ones, and money owed, as the page shows them."""
        from labelwright.server.store.models import StudyRow

        compute_all()
        self.page.goto(f"{self.server.root}/studies/{StudyRow.objects.get().public_id}")
        ready(self.page)
        figures = self.page.locator("dl.big dd")
        version = self.page.locator(".headline .meta a").inner_text()
        return version, figures.nth(0).inner_text().split(",")[0], figures.last.inner_text().split()[0]

    def history(self) -> dict[str, list[str]]:
        """Submissions, those that count now, and their pay, by version, as the page shows them."""
        self.page.get_by_role("link", name="Versions", exact=True).click()
        lines = self.page.locator("tr[data-version]")
        return {
            lines.nth(n).get_attribute("data-version") or "": lines.nth(n)
            .locator("td")
            .all_inner_texts()[1:4]
            for n in range(lines.count())
        }


def rate(tokens: list[str], wanted: int) -> None:
    """Has raters submit so many tasks, one after the other in turn."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.rating.actions.answers import submit as submit_answers

    start = datetime.now(UTC) - timedelta(hours=2)
    for n in range(wanted):
        now = start + timedelta(seconds=30 * n)
        held = offer(get_visitor(tokens[n % len(tokens)], now), now)
        assert isinstance(held, Offer), (n, held)
        submit_answers(held.token, {"0": {"useful": 1 + n % 3}}, now + timedelta(seconds=20))


def submit(page: Page) -> None:
    """Answers the open task, which brings the next one or the end."""
    page.keyboard.press("3")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")


def count_now() -> None:
    from labelwright.server.flagging.actions.blocks import flag_block

    while flag_block(datetime.now(UTC)):
        pass


def instructions(data: dict[str, Any]) -> None:
    data["designs"]["reply"]["instructions"] += "\n\nTake all the time you need."


def more_raters(data: dict[str, Any]) -> None:
    data["pools"]["own"]["raters"] = 24
    data["redundancy"] = 4


def fourth_point(data: dict[str, Any]) -> None:
    data["scales"]["useful"]["points"].append({"code": 4, "name": "Perfect", "score": 1})


def test_239_ratings_through_four_changes(
    database: str, server: Server, tmp_path: Path, page: Page, context: Any
):
    from labelwright.server.access.actions.users import add_user

    add_user(OWNER, PASSWORD)
    me = Requester(tmp_path, page, server)
    me.load(lambda _: None, "--owner", OWNER)
    tokens = me.tokens()
    rate(tokens[:15], 238)
    rater = context.new_page()
    begin(rater, f"{server.root}/w/{tokens[15]}")
    assert "Take all the time" not in rater.content()
    # The page goes on with the last of the 240.
    submit(rater)
    count_now()
    me.log_in()
    # 239 at 40 cents.
    assert me.overview() == ("version 1", "239 of 240", "$95.60")

    # Nobody answers the question, so nothing is loaded.
    instructions(me.data)
    refused = me.run("study", "load", str(me.file))
    assert refused.returncode == 1
    said = me.load(lambda _: None, "--yes")
    assert (
        said.splitlines()[:3]
        == refused.stdout.splitlines()[:3]
        == [
            "239 ratings stay; 0 new tasks.",
            'The instructions of design "reply" changed; this keeps every rating.',
            "Still to collect: 1 rating, USD 0.40.",
        ]
    )
    assert me.overview() == ("version 2", "239 of 240", "$95.60")

    assert me.load() == '"tiny" is unchanged (version 2).\n'
    assert me.overview() == ("version 2", "239 of 240", "$95.60")

    said = me.load(more_raters, "--yes")
    more = "has another number of ratings: 40 more ratings of existing tasks, USD 16.00."
    assert said.splitlines()[:3] == [
        "239 ratings stay; 0 new tasks.",
        f'Condition "SECRET0" {more}',
        f'Condition "SECRET3" {more}',
    ]
    assert "Still to collect: 81 ratings, USD 32.40." in said
    assert me.overview() == ("version 3", "239 of 320", "$95.60")
    newcomer = context.new_page()
    begin(newcomer, f"{server.root}/w/{me.tokens()[16]}")
    assert "Take all the time" in newcomer.content()

    said = me.load(fourth_point, "--yes")
    new = 'is new because scale "useful" changed: 40 tasks new, 160 ratings to collect, USD 64.00; '
    first, second, third = said.splitlines()[:3]
    assert first == "0 of 239 ratings stay; 80 new tasks."
    assert second.startswith(f'Condition "SECRET0" {new}')
    assert third.startswith(f'Condition "SECRET3" {new}')
    assert "ratings count only under version 1." in second
    assert "Still to collect: 320 ratings, USD 128.00." in said
    assert "2 tasks that raters are working on can still be submitted." in said
    assert me.overview() == ("version 4", "0 of 320", "$95.60")
    history = me.history()
    table, window = page.locator("table.t").first.bounding_box(), page.viewport_size
    assert table
    assert window
    # The history has the whole page, and all that changed is visible.
    assert window["width"] * 0.9 < table["width"] < window["width"]
    assert history == {
        "4": ["0", "0", "–"],
        "3": ["0", "0", "–"],
        "2": ["0", "0", "–"],
        "1": ["239", "0", "$95.60"],
    }

    # Work that was open all the time is submitted and paid; it belongs to the version of its lease.
    submit(rater)
    submit(newcomer)
    count_now()
    assert me.overview() == ("version 4", "0 of 320", "$96.40")
    assert {n: line[0] for n, line in me.history().items()} == {"4": "0", "3": "1", "2": "0", "1": "240"}
