"""The review queue in a real browser: by keyboard only, two reviewers at once, no violation at any size."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from labelwright.simulate import Timeline, crowd
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.figures import compute_all
from tests.integration.test_recount import GOLD, LOOK, USEFUL, design
from tests.integration.test_rehearsal import CORPUS, MIX, leaving
from tests.integration.test_requester import PASSWORD
from tests.machine import patience
from tests.processes import Server
from tests.rows import rows
from tests.studies import NOW, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

RATERS = 8
NARROW: ViewportSize = {"width": 320, "height": 700}
SIZES = {"desktop": DESKTOP, "phone": PHONE, "narrow": NARROW}
RULES = [
    {"rule": "too_fast", "seconds": 30, "then": "propose"},
    {"rule": "attention_failed"},
    {"rule": "gold_failed"},
]


@pytest.fixture
def worked(database: str) -> Any:
    """A study that raters of all kinds worked through, with two reviewers besides the owner."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic
    from labelwright.server.store.changes import note_reviewable_work
    from labelwright.server.store.models import Assignment, StudyRow, Teammate

    text = study_text(
        name="movies", title="Movie replies", items={"per_dialogue": 1}, quality=RULES, gold=GOLD,
        redundancy=8, designs={"only": design(USEFUL, LOOK, version=1)}, tasks={"gold_one_in": 4},
        conditions={"C0": {}, "C3": {"context": {"turns_before": 3}}},
        pools=pool(pay={"cents": 40}, raters=RATERS, caps={"tasks": 40}), review={"takes": "all"},
    )  # fmt: skip
    opened = open_rehearsal(text, CORPUS[:14], RATERS, NOW)
    life = Timeline(crowd(RATERS, MIX, 3, leaving(0.0)), NOW)
    live_fast(life, opened)
    for name in ("ada", "grace"):
        user, _ = add_user(f"{name}@example.org", PASSWORD)
        Teammate.objects.create(study=opened.row, user=user, role="reviewer", joined_at=NOW)
    owner, _ = add_user("mine@example.org", PASSWORD)
    StudyRow.objects.filter(pk=opened.row.pk).update(owner=owner)
    first = Assignment.objects.filter(flag__isnull=False).first()
    urgent = Assignment.objects.filter(rater=first.rater_id)
    urgent.update(decide_by=datetime.now(UTC) + timedelta(hours=5, minutes=12))
    note_reviewable_work(list(urgent.values_list("pk", flat=True)))
    for _ in range(2):
        run_periodic(life.worked[-1].ended)
    compute_all()
    return opened.row


def log_in(page: Page, server: Server, name: str) -> None:
    page.goto(f"{server.root}/accounts/login/")
    page.get_by_label("Email").fill(f"{name}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/studies")


def test_no_review_page_has_a_violation(browser: Browser, server: Server, worked: Any):
    found: list[tuple[str, ...]] = []
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    log_in(page, server, "ada")
    root = f"{server.root}/studies/{worked.public_id}/review"

    def look_at(what: str) -> None:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for size, viewport in SIZES.items():
                page.set_viewport_size(viewport)
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= viewport["width"], (what, size)
                violations = Axe().run(page).response["violations"]
                found.extend((what, size, scheme, v["id"], v["nodes"][0]["html"]) for v in violations)
                picture(page, f"{what}-{size}-{scheme}", whole=size != "desktop")
        page.set_viewport_size(DESKTOP)

    page.goto(root)
    page.wait_for_selector("html[data-shown]")
    look_at("review")
    page.goto(f"{root}/groups")
    page.keyboard.press("x")
    look_at("review-group")
    rater, link = disputed(worked)
    for what in ("reviewers", "discussion"):
        page.goto(f"{root}/{what}")
        look_at(f"review-{what}")
    page.goto(f"{root}?kind=dispute")
    page.wait_for_selector("html[data-shown]")
    look_at("review-dispute")
    page.goto(f"{server.root}/studies/{worked.public_id}/raters/{rater}")
    look_at("review-rater")
    page.goto(server.root + link)
    look_at("review-own-page")
    assert found == []
    context.close()


def disputed(study: Any) -> tuple[str, str]:
    """Decides some cases, two of which are rejected, and answers one rejection; the rater and their own page."""
    from labelwright.server.access.actions.links import address_of
    from labelwright.server.review.actions.queue import queue_marked_work
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_case
    from labelwright.server.store.changes import note_reviewable_work
    from labelwright.server.store.models import Dispute, Pool, ReviewCase, User

    ada, now = User.objects.get(username="ada@example.org"), datetime.now(UTC)
    mine = list(ReviewCase.objects.filter(study=study, claimed_by="").select_related("assignment__rater")[:9])
    for n, case in enumerate(mine):
        choice = (VerdictChoice.REJECT, VerdictChoice.LEAVE_OUT, VerdictChoice.FINE)[min(n // 2, 2)]
        decide_case(ada, study.public_id, case.pk, choice, "You answered before the reply was shown.", now)
        # What another reviewer said without knowing of it.
        other = choice if n % 3 else VerdictChoice.FINE
        again = ReviewCase.objects.get(pk=case.pk)
        again.pk, again.kind, again.choice, again.decided_by = (
            None,
            "second",
            other.value,
            "grace@example.org",
        )
        again.save(force_insert=True)
    work = mine[0].assignment
    Dispute.objects.create(study=study, assignment=work, text="The page was slow; I read the reply.", at=now)
    note_reviewable_work([work.pk])
    queue_marked_work()
    answered = mine[1].assignment.rater
    address = address_of(study, Pool.objects.get(), answered).rsplit("/", 1)[1]
    return work.rater.pseudonym, f"/w/{address}/me"


MEASURE = """() => {
  window.times = [];
  let pressed = 0;
  addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => times.push(performance.now() - pressed)).observe(
    document.documentElement, { attributeFilter: ["data-shown"] });
}"""
STATES = {
    "fine": ("approved", "owed", "used"),
    "leave_out": ("approved", "owed", "left_out"),
    "reject": ("rejected", "none", "left_out"),
}
UNDECIDED = ("submitted", "owed", "used")


class Reviewer:
    """Somebody who decides by keyboard only."""

    def __init__(self, browser: Browser, server: Server, name: str, address: str) -> None:
        self.context = browser.new_context(viewport=DESKTOP)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.times: list[float] = []
        log_in(self.page, server, name)
        self.page.goto(address)
        self.ready()

    def ready(self) -> None:
        """Waits until the next case is loaded, and measures from now on."""
        self.page.wait_for_selector("html[data-next]", state="attached")
        if not self.page.evaluate("() => 'times' in window"):
            self.page.evaluate(MEASURE)

    @property
    def case(self) -> int:
        return int(self.page.locator("#case").get_attribute("data-case") or 0)

    def press(self, *keys: str) -> None:
        """Presses keys, and waits until another case is shown and the one after it is loaded."""
        before = self.case
        for key in keys:
            self.page.keyboard.type(key) if len(key) > 1 and "+" not in key else self.page.keyboard.press(key)
        self.page.wait_for_function("id => document.documentElement.dataset.shown !== id", arg=str(before))
        self.ready()

    def decide(self, choice: str) -> None:
        """Decides the case that is shown."""
        if choice == "fine":
            return self.press("a")
        proposed = self.page.locator("#case").get_attribute("data-proposed")
        if choice == "leave_out":
            # A reason that a rule proposes is complete; otherwise the key leads to the field.
            return (
                self.press("x")
                if proposed
                else self.press("x", "You did not read the reply.", "Control+Enter")
            )
        return self.press("r", "You answered before the reply was shown.", "Control+Enter")

    def undo(self) -> None:
        """Takes the last verdict back; the page shows its case again."""
        self.keep_times()
        with self.page.expect_navigation():
            self.page.keyboard.press("u")
        self.ready()

    def keep_times(self) -> None:
        self.times += self.page.evaluate("() => window.times")


def test_two_reviewers_decide_fifty_cases_by_keyboard(browser: Browser, server: Server, worked: Any):
    address = f"{server.root}/studies/{worked.public_id}/review"
    ada, grace = (Reviewer(browser, server, name, address) for name in ("ada", "grace"))
    draw, expected, passed = random.Random(7), {}, set()
    while len(expected) < 50:
        for reviewer in (ada, grace):
            assert ada.case != grace.case
            case = reviewer.case
            assert case not in expected
            step = draw.choice(["fine", "leave_out", "reject", "fine", "leave_out", "reject", "pass", "undo"])
            if step == "pass" and case not in passed:
                passed.add(case)
                reviewer.press("s")
                continue
            choice = draw.choice(list(STATES))
            reviewer.decide(choice)
            if step == "undo":
                reviewer.undo()
                assert reviewer.case == case
                assert decided(case) == UNDECIDED
                choice = draw.choice(list(STATES))
                reviewer.decide(choice)
            expected[case] = choice
    for reviewer in (ada, grace):
        reviewer.keep_times()
        reviewer.page.goto(address)
        assert reviewer.errors == []
        reviewer.context.close()
    assert {case: decided(case) for case in expected} == {c: STATES[v] for c, v in expected.items()}
    stored = rows(
        "SELECT count(*)::int, count(DISTINCT decided_by)::int FROM review_case WHERE state = 'decided'"
    )
    assert stored == [(len(expected), 2)]
    times = sorted(ada.times + grace.times)
    print(
        f"key to next case: median {times[len(times) // 2]:.0f} ms, slowest {times[-1]:.0f} ms of {len(times)}"
    )
    assert times[int(len(times) * 0.95)] < 150 * patience()


def decided(case: int) -> tuple[Any, ...]:
    """The state of the work of a case, its pay, and the use of its data."""
    return rows(
        f"""SELECT s.state, s.paid_state, s.data_use FROM review_case c JOIN assignment s ON s.id = c.assignment_id
            WHERE c.id = {case}"""
    )[0]
