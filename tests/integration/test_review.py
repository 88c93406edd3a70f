"""The review queue in the database: groups and counts, claims, verdicts, decisions on many, and taking them back."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import pytest

import labelwright
from labelwright.seeds import rank
from tests.at_once import at_once
from tests.desk import client_of
from tests.processes import Server
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

LATER = NOW + timedelta(hours=1)
RULES = [{"rule": "too_fast", "seconds": 15, "then": "propose"}]


def reviewers(study: Any, *names: str) -> list[Any]:
    """Users of the team who may review."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import Teammate

    users = [add_user(f"{name}@example.org")[0] for name in names]
    for user in users:
        Teammate.objects.create(study=study, user=user, role="reviewer", joined_at=NOW)
    return users


def loaded(items: int = 4, **changes: Any) -> Any:
    from labelwright.server.studies.actions.loading import load_study

    changes = {"quality": RULES, "redundancy": 2, "conditions": {"one": {}}} | changes
    text = study_text(items={"per_dialogue": 1}, **changes)
    return load_study(parse(text), text, dialogues(items), NOW, opened=True).study


def work(study: Any, raters: int = 2, seconds: float = 5, tasks: int = 99) -> None:
    """Every rater does their tasks in so many seconds each, and the jobs run."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.rating.actions.answers import submit

    for link in make_links(study, get_pool(study, "own"), raters, 60, NOW):
        for _ in range(tasks):
            held = offer(get_visitor(link.token, NOW), NOW)
            if not hasattr(held, "token"):
                break
            submit(held.token, {"0": {"useful": 2}}, NOW + timedelta(seconds=seconds))
    run_jobs()


def run_jobs() -> None:
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.review.actions.queue import queue_marked_work

    while flag_block(NOW):
        pass
    while queue_marked_work():
        pass


def queue(user: Any, study: Any, **wanted: Any) -> Any:
    from labelwright.server.review.actions.queue import get_queue
    from labelwright.server.review.queries.queue import QueueFilter

    return get_queue(user, study.public_id, QueueFilter(**wanted), LATER)


def claim(user: Any, study: Any, *skipped: int, now: Any = LATER, **wanted: Any) -> Any:
    from labelwright.server.review.actions.queue import claim_next
    from labelwright.server.review.queries.queue import QueueFilter

    return claim_next(user, study, QueueFilter(**wanted), skipped, now)


def decide(user: Any, study: Any, case: int, choice: str, reason: str = "", now: Any = LATER) -> Any:
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_case

    return decide_case(user, study.public_id, case, VerdictChoice(choice), reason, now)


def check_counts() -> None:
    """Groups always equal a full recount of their cases."""
    counted = rows("SELECT id::int, open, weight, decide_by FROM review_group WHERE open > 0 ORDER BY 1")
    recounted = rows(
        """SELECT group_id::int, count(*)::int, sum(weight)::int, min(decide_by) FROM review_case WHERE state = 'open'
           GROUP BY 1 ORDER BY 1"""
    )
    assert counted == recounted


def test_flagged_work_is_grouped_by_rater_and_rule_and_ordered_by_deadline_then_doubt():
    from labelwright.server.store.changes import note_reviewable_work
    from labelwright.server.store.models import Assignment

    study = loaded(items=3)
    (ada,) = reviewers(study, "ada")
    work(study, raters=1, tasks=1)
    work(study, raters=2, tasks=2)
    # Raters: the first did 3 tasks, the second 2; each task weighs 2, because the rule proposes.
    found = queue(ada, study)
    assert [(group.open, group.weight, group.rule) for group in found.groups] == [
        (3, 6, "too_fast"),
        (2, 4, "too_fast"),
    ]
    assert (found.open, found.all_groups) == (5, 2)
    # A platform that approves the work of the second rater in an hour puts it first.
    late = Assignment.objects.order_by("-id").first()
    Assignment.objects.filter(pk=late.pk).update(decide_by=LATER + timedelta(hours=1))
    note_reviewable_work([late.pk])
    run_jobs()
    assert [group.open for group in queue(ada, study).groups] == [2, 3]
    assert queue(ada, study).groups[0].decide_by == LATER + timedelta(hours=1)
    check_counts()


@pytest.mark.parametrize(
    ("review", "cases"),
    [
        ({}, 0),
        ({"takes": "all"}, 8),
        # 4 of the 8 pairs of rater and task are drawn with this seed, as `ReviewPart.includes` says.
        ({"takes": "sample", "share": 0.5}, None),
    ],
)
def test_the_study_file_says_which_work_is_reviewed(review: dict[str, Any], cases: int | None):
    study = loaded(review=review)
    (ada,) = reviewers(study, "ada")
    work(study, seconds=60)
    if cases is None:
        part = parse(study_text(review=review)).review
        drawn = rows(
            """SELECT r.pseudonym || ' ' || k.content FROM assignment s JOIN rater r ON r.id = s.rater_id
               JOIN task k ON k.id = s.task_id WHERE s.state = 'submitted'"""
        )
        cases = sum(part.includes("", flagged=False, seed=7, work=name) for (name,) in drawn)
        assert 0 < cases < 8
    assert queue(ada, study).open == cases
    check_counts()


def test_a_group_without_approval_is_never_reviewed():
    groups = {name: {"raters": 2, "sets": ["shared"]} for name in ("trained", "free")}
    study = loaded(
        pools=pool(pay={"cents": 40}, groups=groups),
        sets={"shared": {"items": 4}},
        review={"takes": "all", "without_approval": ["free"]},
    )
    (ada,) = reviewers(study, "ada")
    work(study, raters=4)
    assert rows("SELECT count(*)::int FROM flag")[0][0] == 16
    assert queue(ada, study).open == 8
    reviewed = rows(
        """SELECT DISTINCT p.rater_group FROM review_case c JOIN assignment s ON s.id = c.assignment_id
           JOIN place p ON p.id = s.place_id"""
    )
    assert reviewed == [("trained",)]


def test_reviewers_at_once_never_hold_the_same_case_and_claims_expire():
    from labelwright.server.review.actions.queue import CLAIM

    study = loaded(items=20)
    users = reviewers(study, "ada", "grace", "mary", "joan")
    work(study)
    waiting, held = iter(users), {}

    def take() -> None:
        user = next(waiting)
        held[user.username] = mine = []
        for _ in range(10):
            mine.append(claim(user, study, *mine))

    # 40 cases for four reviewers, who all begin with the first one.
    at_once(len(users), take)
    taken = [case for cases in held.values() for case in cases]
    assert len(taken) == len(set(taken)) == 40
    assert None not in taken
    ada, grace = users[:2]
    assert claim(ada, study) in held[ada.username]
    assert claim(ada, study, *held[ada.username]) is None
    # A claim ends after a while, and then the case is free for everybody.
    assert claim(grace, study, *held[grace.username], now=LATER + CLAIM) is not None


def test_the_case_of_another_study_cannot_be_claimed():
    from labelwright.server.review.actions.queue import claim_case

    study, other = loaded(), loaded(name="other")
    (ada,) = reviewers(other, "ada")
    work(study)
    cases = [case for (case,) in rows("SELECT id FROM review_case ORDER BY id")]
    assert cases
    assert not any(claim_case(ada, other, case, LATER) for case in cases)
    assert rows("SELECT count(*) FROM review_case WHERE claimed_by <> ''") == [(0,)]


def test_a_case_that_another_reviewer_holds_or_has_decided_is_refused():
    from labelwright.server.review.actions.verdicts import CaseTaken

    study = loaded()
    ada, grace = reviewers(study, "ada", "grace")
    work(study)
    case = claim(ada, study)
    with pytest.raises(CaseTaken, match="another reviewer"):
        decide(grace, study, case, "fine")
    decide(ada, study, case, "fine")
    with pytest.raises(CaseTaken, match="already decided"):
        decide(grace, study, case, "fine")
    assert rows("SELECT count(*)::int FROM verdict") == [(1,)]
    check_counts()


def states(case: int) -> tuple[Any, ...]:
    """The state of the work of a case, its pay, the use of its data, and the state of its place."""
    return rows(
        f"""SELECT s.state, s.paid_state, s.data_use, p.state FROM review_case c
            JOIN assignment s ON s.id = c.assignment_id JOIN place p ON p.id = s.place_id WHERE c.id = {case}"""
    )[0]


FAST = "You took five seconds for a reply that takes a minute to read."


OUTCOMES = {
    "fine": ("approved", "owed", "used", "filled"),
    "leave_out": ("approved", "owed", "left_out", "open"),
    "reject": ("rejected", "none", "left_out", "open"),
}


@pytest.mark.parametrize("choice", OUTCOMES)
def test_everything_follows_from_a_verdict_and_is_taken_back_until_it_is_paid(choice: str):
    from labelwright.server.review.actions.verdicts import NotDecidable, take_back
    from labelwright.server.store.models import Assignment

    study = loaded()
    (ada,) = reviewers(study, "ada")
    work(study)
    reason = "" if choice == "fine" else FAST
    counted = "SELECT code, left_out, n::int FROM tally WHERE n > 0 ORDER BY 1, 2"
    case = claim(ada, study)
    before = states(case), rows(counted), rows("SELECT n::int FROM offered")
    assert before[0] == ("submitted", "owed", "used", "filled")
    done = decide(ada, study, case, choice, reason)
    assert states(case) == OUTCOMES[choice]
    messages = rows("SELECT text FROM message")
    assert len(messages) == (choice != "fine")
    assert all(text.startswith(FAST) and "receipt" in text for (text,) in messages)
    check_counts()
    # Taken back: the same as before, and the message that nobody has read is gone.
    assert take_back(ada, study.public_id, done.decision, LATER) == [case]
    assert (states(case), rows(counted), rows("SELECT n::int FROM offered")) == before
    assert rows("SELECT count(*)::int FROM message") == [(0,)]
    check_counts()
    assert claim(ada, study) == case
    done = decide(ada, study, case, choice, reason)
    if choice != "reject":
        # The payment run.
        Assignment.objects.filter(reviewcase=case).update(paid_state="paid")
        with pytest.raises(NotDecidable, match="already paid"):
            take_back(ada, study.public_id, done.decision, LATER)
        assert states(case)[0] == "approved"


def test_a_read_message_is_not_deleted_but_followed_by_another():
    from labelwright.server.review.actions.verdicts import take_back
    from labelwright.server.store.models import Message

    study = loaded()
    (ada,) = reviewers(study, "ada")
    work(study)
    done = decide(ada, study, claim(ada, study), "leave_out", FAST)
    Message.objects.update(read_at=LATER)
    take_back(ada, study.public_id, done.decision, LATER)
    assert [text.splitlines()[0] for (text,) in rows("SELECT text FROM message ORDER BY id")] == [
        FAST,
        "We have taken this decision back and will look at your work again:",
    ]


def test_a_verdict_that_fails_half_way_leaves_nothing():
    from django.db import DatabaseError, connection

    study = loaded()
    (ada,) = reviewers(study, "ada")
    work(study)
    case = claim(ada, study)
    before = (
        states(case),
        rows("SELECT code, left_out, n::int FROM tally ORDER BY 1, 2"),
        rows("SELECT n::int FROM offered"),
    )
    # The database refuses the message, which is the last thing that a verdict writes.
    with connection.cursor() as cursor:
        cursor.execute(
            """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
               CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION refuse()"""
        )
    try:
        with pytest.raises(DatabaseError, match="no room"):
            decide(ada, study, case, "reject", FAST)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION refuse() CASCADE")
    assert before == (
        states(case), rows("SELECT code, left_out, n::int FROM tally ORDER BY 1, 2"), rows("SELECT n::int FROM offered")
    )  # fmt: skip
    assert rows("SELECT count(*)::int FROM verdict") == [(0,)]
    assert rows("SELECT count(*)::int FROM audit WHERE what = 'verdict'") == [(0,)]
    assert rows(f"SELECT state FROM review_case WHERE id = {case}") == [("open",)]
    check_counts()


def submit_all(study: Any, raters: int) -> None:
    """Fills every place in five seconds, each ordinal by a rater of its own: the same rows as real submissions."""
    from django.db import connection

    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool

    make_links(study, get_pool(study, "own"), raters, 60, NOW)
    values = {"study": study.pk, "now": NOW}
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at, lease_until,
                                       submitted_at, seconds, visit_hash, paid_state, data_use, unflagged)
               SELECT p.study_id, b.version_id, p.id, p.task_id, m.rater_id, 'submitted', %(now)s, %(now)s, %(now)s, 5, '',
                      'owed', 'used', true
               FROM place p JOIN batch b ON b.id = p.batch_id
               JOIN (SELECT rater_id, row_number() OVER (ORDER BY number) - 1 AS n FROM member) m ON m.n = p.ordinal
               WHERE p.study_id = %(study)s""",
            values,
        )
        cursor.execute(
            """INSERT INTO answer (study_id, assignment_id, position, question, aspect, value, code)
               SELECT study_id, id, 0, 'useful', 'usefulness', '2', 2 FROM assignment WHERE study_id = %(study)s""",
            values,
        )
        cursor.execute("UPDATE place SET state = 'filled' WHERE study_id = %(study)s", values)
        cursor.execute(
            "UPDATE offered SET n = (SELECT count(*) FROM assignment) WHERE study_id = %(study)s", values
        )
    run_jobs()


def test_1470_flags_are_cleared_by_decisions_on_groups():
    from labelwright.server.review.actions.groups import get_group
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_together

    study = loaded(items=49, redundancy=30, pools=pool(pay={"cents": 40}, raters=30, caps={"tasks": 49}))
    (ada,) = reviewers(study, "ada")
    submit_all(study, 30)
    assert rows("SELECT count(*)::int FROM flag") == [(1470,)]
    assert queue(ada, study).open == 1470
    steps = 0
    while groups := queue(ada, study).groups:
        for group in groups:
            shown = get_group(ada, study.public_id, group.id, LATER)
            choice = VerdictChoice.FINE if steps % 5 else VerdictChoice.LEAVE_OUT
            cases = [case.id for case in shown.cases]
            done = decide_together(ada, study.public_id, group.id, cases, choice, FAST, LATER)
            # 49 tasks each; the data of every fifth group, 6 x 49 = 294 tasks, open their places again.
            assert (done.decided, done.reopened) == (49, 0 if steps % 5 else 49)
            steps += 1
    assert steps == 30
    assert rows("SELECT data_use, count(*)::int FROM assignment GROUP BY 1 ORDER BY 1") == [
        ("left_out", 294),
        ("used", 1176),
    ]
    # One message for each step, and nothing left.
    assert rows("SELECT count(*)::int FROM message") == [(30,)]
    assert queue(ada, study).open == 0
    check_counts()


MANY = """
    INSERT INTO rater (study_id, pseudonym, public_id, kind, nonce, link_expires_at)
      SELECT %(study)s, 'rater-' || n, 'many-' || n, 'person', 'x', now() FROM generate_series(1, 5000) n;
    INSERT INTO place (study_id, task_id, ordinal, batch_id, pool_id, rater_group, condition, rank, state)
      SELECT p.study_id, p.task_id, 100 + n, p.batch_id, p.pool_id, '', p.condition, p.rank, 'filled'
      FROM (SELECT * FROM place WHERE ordinal = 0) p
      CROSS JOIN generate_series(1, 100) n;
    ANALYZE place, rater;
    INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at, lease_until, submitted_at,
                            seconds, visit_hash, paid_state, data_use, unflagged)
      SELECT p.study_id, b.version_id, p.id, p.task_id, r.id, 'submitted', now(), now(), now(), 5, '', 'owed', 'used', false
      FROM place p JOIN batch b ON b.id = p.batch_id
      JOIN rater r ON r.pseudonym = 'rater-' || (p.task_id * 100 + p.ordinal) %% 5000 + 1 WHERE p.ordinal > 100;
    INSERT INTO flag (study_id, assignment_id, rule, rule_version, "then", evidence, found_at)
      SELECT study_id, id, 'too_fast', 'v', 'review', '{"seconds": 5, "at_least": 15}', now() FROM assignment;
    INSERT INTO review_group (study_id, rater_id, kind, rule, open, weight)
      SELECT %(study)s, rater_id, 'first', 'too_fast', count(*), count(*) FROM assignment GROUP BY rater_id;
    ANALYZE assignment, review_group;
    INSERT INTO review_case (study_id, group_id, assignment_id, kind, state, condition, rules, weight, away_from, claimed_by,
                             decided_by, choice, reason, before)
      SELECT s.study_id, g.id, s.id, 'first', 'open', 'one', '{too_fast}', 1, '', '', '', '', '', '{}'
      FROM assignment s JOIN review_group g ON g.rater_id = s.rater_id;
    ANALYZE"""


# Groups are left out: their numbers are summed from an index.
ROWS_READ = """SELECT sum(seq_tup_read + idx_tup_fetch)::int FROM pg_stat_xact_user_tables WHERE relname <> 'review_group'"""


def test_the_queue_of_100000_flags_reads_few_rows():
    from django.db import connection, transaction

    study = loaded(items=1000)
    reviewers(study, "ada")
    with connection.cursor() as cursor:
        for statement in MANY.split(";"):
            cursor.execute(statement, {"study": study.pk})
    assert rows("SELECT count(*)::int FROM flag") == [(100_000,)]
    client, taken = client_of("ada@example.org"), []
    for _ in range(5):
        # In one transaction, because the statistics of the database come later otherwise.
        with transaction.atomic():
            before, began = rows(ROWS_READ), perf_counter()
            answer = client.get(f"/studies/{study.public_id}/review")
            taken.append(perf_counter() - began)
            read = rows(ROWS_READ)[0][0] - before[0][0]
        assert answer.status_code == 200
        assert "100,000" in answer.content.decode()
        # The cases of 30 groups, the work of one rater, and the other ratings of one item.
        assert read < 2000
    # The quickest of five: others may use the machine at the same time.
    assert min(taken) < 0.3, taken


def own_page(study: Any) -> str:
    """The address of the page of the rater who was rejected."""
    from labelwright.server.access.actions.links import address_of
    from labelwright.server.store.models import Assignment, Pool, Rater

    rater = Rater.objects.get(pk=Assignment.objects.get(state="rejected").rater_id)
    return "/w/" + address_of(study, Pool.objects.get(), rater).rsplit("/", 1)[1]


def test_a_rater_answers_a_rejection_once_and_it_comes_back_to_the_queue():
    study = loaded()
    ada, grace = reviewers(study, "ada", "grace")
    work(study)
    case = claim(ada, study)
    decide(ada, study, case, "reject", FAST)
    address, rater = own_page(study), client_of()
    page = rater.get(f"{address}/me").content.decode()
    assert FAST in page
    (public_id,) = rows("SELECT public_id FROM assignment WHERE state = 'rejected'")[0]
    assert rater.post(f"{address}/answer", {"work": public_id, "text": " "}).status_code == 400
    answer = {"work": public_id, "text": "The reply was one line, and I know the film."}
    assert rater.post(f"{address}/answer", answer).status_code == 303
    # Once only, and only for one's own rejected work.
    assert rater.post(f"{address}/answer", answer).status_code == 400
    (other,) = rows("SELECT public_id FROM assignment WHERE state = 'submitted' LIMIT 1")[0]
    assert rater.post(f"{address}/answer", answer | {"work": other}).status_code == 400
    assert rater.post(f"{address}/answer", answer | {"work": "x"}).status_code == 400
    run_jobs()
    first = queue(grace, study).groups[0]
    assert (first.kind, first.open) == ("dispute", 1)
    reviewer = client_of("grace@example.org")
    page = reviewer.get(f"/studies/{study.public_id}/review").content.decode()
    assert "I know the film." in page
    assert FAST in page
    # The reviewer agrees with the rater.
    again = claim(grace, study)
    decide(grace, study, again, "fine")
    assert states(again)[:3] == ("approved", "owed", "used")
    assert "Your answer:" in rater.get(f"{address}/me").content.decode()
    check_counts()


def test_an_answer_is_deleted_with_the_data_of_the_rater():
    from labelwright.server.profiles.actions.deletion import delete_personal_data
    from labelwright.server.store.models import Assignment, Dispute

    study = loaded()
    (ada,) = reviewers(study, "ada")
    work(study)
    decide(ada, study, claim(ada, study), "reject", FAST)
    row = Assignment.objects.select_related("rater").get(state="rejected")
    Dispute.objects.create(study=study, assignment=row, text="I did read it.", at=LATER)
    delete_personal_data(study, row.rater, "ada@example.org", LATER)
    assert rows("SELECT count(*)::int FROM dispute") == [(0,)]


def test_a_share_of_verdicts_is_repeated_blind_and_a_difference_is_decided_again():
    from labelwright.server.review.actions.reviewers import get_reviewer_agreement

    study = loaded(review={"second_opinions": 1})
    ada, grace, mary = reviewers(study, "ada", "grace", "mary")
    work(study, raters=1)
    n = queue(ada, study).open
    for _ in range(n):
        decide(ada, study, claim(ada, study), "leave_out", FAST)
    # All of them wait for somebody else, who does not learn what the first reviewer said.
    assert claim(ada, study) is None
    assert {group.kind for group in queue(grace, study).groups} == {"second"}
    page = client_of("grace@example.org").get(f"/studies/{study.public_id}/review").content.decode()
    main = page.split('id="case"')[1]
    assert "Second opinion" in main
    assert FAST not in main
    assert "ada@example.org" not in main
    before = rows("SELECT state, paid_state, data_use FROM assignment ORDER BY id")
    choices = ["fine", *["leave_out"] * (n - 1)]
    for choice in choices:
        decide(grace, study, claim(grace, study), choice, "" if choice == "fine" else FAST)
    # An opinion changes nothing; the one that differs is decided again, with both in view.
    assert rows("SELECT state, paid_state, data_use FROM assignment ORDER BY id") == before
    assert [(group.kind, group.open) for group in queue(mary, study).groups] == [("difference", 1)]
    page = client_of("mary@example.org").get(f"/studies/{study.public_id}/review").content.decode()
    assert "ada@example.org" in page
    assert "grace@example.org" in page
    decide(mary, study, claim(mary, study), "fine")
    assert queue(mary, study).open == 0
    found = get_reviewer_agreement(mary, study.public_id)
    # One of four pairs differs: 3 of 4. Of 8 choices, 1 is fine and 7 exclude, so two of them differ by chance in
    # 2 x 1 x 7 / (8 x 7) = 0.25 of the pairs, and alpha is 1 - 0.25 / 0.25 = 0.
    assert (found.repeated, found.percentage.value) == (4, 0.75)
    assert found.alpha.value == pytest.approx(0)
    page = client_of("mary@example.org").get(f"/studies/{study.public_id}/review/reviewers").content.decode()
    assert "4 second opinions" in page
    check_counts()


def test_a_second_opinion_that_is_asked_for_goes_to_somebody_else():
    from labelwright.server.review.actions.verdicts import ask_another_reviewer

    study = loaded(items=1)
    ada, grace = reviewers(study, "ada", "grace")
    work(study, raters=1)
    case = claim(ada, study)
    ask_another_reviewer(ada, study.public_id, case, LATER)
    assert claim(ada, study) is None
    assert claim(grace, study) == case


def rejections() -> int:
    return int(rows("SELECT count(*)::int FROM verdict WHERE pay IS FALSE")[0][0])


def token_of(user: Any, *scopes: str) -> str:
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.team.actions.tokens import create_token

    return create_token(user, "t", [Permission(s) for s in scopes] or list(Permission), 9, datetime.now(UTC))


def test_no_door_rejects_without_the_role_or_without_a_reason(server: Server):
    from labelwright.client import Client
    from labelwright.client.calls import CallFailed
    from labelwright.server.store.models import ReviewCase, Teammate

    study = loaded()
    ada, vera = reviewers(study, "ada", "vera")
    Teammate.objects.filter(user=vera).update(role="viewer")
    work(study)
    case = ReviewCase.objects.order_by("id")[0]
    page, group = (
        f"/studies/{study.public_id}/review",
        f"/studies/{study.public_id}/review/groups/{case.group_id}",
    )
    reject = {"do": "decide", "case": case.pk, "choice": "reject", "reason": FAST}
    unfinished = "The task was submitted faster than it can be read. [Say what you saw in this task.]"
    # The page, with and without its script, and the list of flags.
    for headers in ({}, {"X-Requested-With": "fetch"}):
        assert client_of("vera@example.org").post(page, reject, headers=headers).status_code == 403
        for reason in ("", "  ", unfinished):
            sent = client_of("ada@example.org").post(page, reject | {"reason": reason}, headers=headers)
            assert sent.status_code == 400
    listed = {"work": case.assignment_id, "choice": "reject", "reason": FAST}
    flagged = f"/studies/{study.public_id}/flagged"
    assert client_of("vera@example.org").post(flagged, listed).status_code == 403
    assert client_of("ada@example.org").post(flagged, listed | {"reason": ""}).status_code == 400
    # Not many at once, whoever asks.
    together = {"do": "together", "case": case.pk, "choice": "reject", "reason": FAST}
    assert client_of("ada@example.org").post(group, together).status_code == 400
    # The API, through the client: the role, the scope of the token, and the reason.
    for token, reason in (
        (token_of(vera), FAST), (token_of(ada, "view"), FAST), (token_of(ada), ""), (token_of(ada), unfinished),
    ):  # fmt: skip
        with closing(Client(server.root, token)) as client, pytest.raises(CallFailed):
            client.decide(study.public_id, case.assignment_id, "reject", reason)
    with closing(Client(server.root, token_of(ada))) as client, pytest.raises(ValueError, match="leave_out"):
        client.decide_group(study.public_id, case.group_id, "reject", FAST)
    # No command decides on work.
    commands = Path(labelwright.__file__).parent / "cli"
    assert not [path.name for path in commands.glob("*.py") if "review.actions" in path.read_text()]
    assert rejections() == 0
    # The same doors let a reviewer with a reason through, and take it back.
    with closing(Client(server.root, token_of(ada, "review"))) as client:
        decision = client.decide(study.public_id, case.assignment_id, "reject", FAST)
        assert rejections() == 1
        client.undo(study.public_id, decision)
    assert states(case.pk)[0] == "submitted"


def test_a_job_never_rejects_even_in_the_name_of_a_reviewer():
    from labelwright.crowd import DataUse
    from labelwright.server.review.actions.verdicts import NotAPerson
    from labelwright.server.review.actions.verdicts import decide as decide_work
    from labelwright.server.store.models import Assignment
    from labelwright.server.store.queue import remember_job

    study = loaded()
    (ada,) = reviewers(study, "ada")
    work(study)
    first = Assignment.objects.order_by("id")[0].pk

    def reject(author: str) -> None:
        decide_work(first, pay=False, data_use=DataUse.LEFT_OUT, reason=FAST, author=author, now=LATER)

    for author in ("automatic", "command line", "rater", "nobody@example.org"):
        with pytest.raises(NotAPerson):
            reject(author)
    in_job: Any = SimpleNamespace(should_abort=lambda: False)
    with pytest.raises(NotAPerson):
        # What every job of the worker runs in.
        remember_job(lambda: reject(ada.username), in_job, None)
    assert rejections() == 0
    reject(ada.username)
    assert rejections() == 1


def test_items_of_low_agreement_are_drawn_by_the_seed_and_discussed_with_their_raters():
    from labelwright.server.review.actions.discussion import Audience, discuss_item, get_discussion
    from labelwright.server.store.models import Assignment, StudyRow
    from tests.figures import compute_all

    study = loaded(items=14)
    ada, boss = reviewers(study, "ada", "boss")
    StudyRow.objects.filter(pk=study.pk).update(owner=boss)
    work(study, seconds=60)
    # One of the two raters of each item changes their mind, so that no label has a majority.
    one = Assignment.objects.order_by("id")[0].rater_id
    with_other_code = Assignment.objects.filter(rater=one).values_list("pk", flat=True)
    retally(list(with_other_code))
    compute_all()
    drawn = get_discussion(ada, study.public_id).drawn
    assert len(drawn) == 10
    assert drawn == get_discussion(ada, study.public_id).drawn
    expected = sorted(
        (f"d{n}#{target}" for n in range(14) for target in (2, 4)),
        key=lambda key: rank(7, "discussion", key, "one"),
    )
    keys = [each.key for each in drawn]
    assert keys == [key for key in expected if key in keys]
    first, second = drawn[:2]
    sent = discuss_item(
        boss, study.public_id, first.item, "one", Audience.RATERS, "Read the title again.", LATER
    )
    assert sent == first.raters == 2
    assert discuss_item(boss, study.public_id, second.item, "one", Audience.ALL, "Titles count.", LATER) == 1
    after = {each.item: each.discussed_at for each in get_discussion(ada, study.public_id).drawn}
    assert {item for item, at in after.items() if at} == {first.item, second.item}
    assert rows("SELECT count(*)::int, count(rater_id)::int FROM message") == [(3, 2)]
    page = client_of("ada@example.org").get(f"/studies/{study.public_id}/review/discussion").content.decode()
    assert page.count("Discussed</span>") == 2


def retally(assignments: list[int]) -> None:
    """Changes the answers of submitted work, and their tallies."""
    from labelwright.server.store.models import Answer
    from labelwright.server.tallies.queries.answers import tally

    tally(assignments, -1)
    Answer.objects.filter(assignment__in=assignments, question="useful").update(value=3, code=3)
    tally(assignments)
