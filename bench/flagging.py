"""Benchmark of flagging: the rules of one submission take as long in a study of a million assignments as of a thousand.

Every kind of rule runs: on the submission, on the rater's history, on others' answers, on texts, on the pace of the pool
and on raters. The time includes running rules again on the work of others that the submission concerns.
"""

from __future__ import annotations

import statistics
import time
from datetime import UTC, datetime, timedelta
from functools import partial

from bench.harness import SMALL, compare, main
from bench.pages import add_judgments
from bench.server import Loaded, database, load

SIZES = (200, 1_000) if SMALL else (1_000, 1_000_000)
RATERS = 50 if SMALL else 3_000
SUBMISSIONS = 3 if SMALL else 25
TEXT = "A text that other raters of this study have written as well."
RULES = [
    {"rule": "too_fast", "seconds": 15},
    {"rule": "faster_than_pool"},
    {"rule": "identical_answers", "tasks": 20},
    {"rule": "span_overlap"},
    {"rule": "repeated_text"},
    {"rule": "low_agreement"},
    {"rule": "audit_finding"},
]


def fill(name: str, assignments: int) -> Loaded:
    """A study with this number of flagged assignments, and room for more."""
    from labelwright.server.store.rows import run

    raters = min(RATERS, max(10, assignments // 20))
    loaded = load(name, assignments + 20 * raters, raters, quality=RULES)
    add_judgments(loaded, assignments, datetime.now(UTC))
    run("UPDATE assignment SET unflagged = false WHERE study_id = %s", [loaded.study])
    run(
        """INSERT INTO pace_tally (study_id, condition, step, n)
           SELECT s.study_id, t.condition, floor(ln(s.seconds) / ln(1.05)), count(*)
           FROM assignment s JOIN task t ON t.id = s.task_id WHERE s.study_id = %s GROUP BY 1, 2, 3""",
        [loaded.study],
    )
    run("VACUUM ANALYZE assignment, answer, place, task, task_item")
    return loaded


def flag_submissions(tokens: list[str]) -> float:
    """The median time of flagging one submission by raters with these links, in milliseconds."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.flagging.actions.blocks import flag_block, flag_marked
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.rating.actions.answers import submit

    times = []
    for _ in range(SUBMISSIONS):
        now = datetime.now(UTC)
        tokens.append(tokens.pop(0))
        offered = offer(get_visitor(tokens[0], now), now)
        assert isinstance(offered, Offer)
        submit(offered.token, {"0": {"useful": 2, "comment": TEXT}}, now + timedelta(seconds=60))
        began = time.perf_counter()
        while flag_block(now) or flag_marked(now):
            pass
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def bench_flagging() -> None:
    """Milliseconds to flag one submission in a large study / in a small one."""
    small, large = (fill(f"flagging-{size}", size) for size in SIZES)
    # The first submissions parse the study and prepare the statements.
    for loaded in (small, large):
        flag_submissions(loaded.tokens)
    compare(
        f"flags of one submission, {SIZES[1]:,} assignments / {SIZES[0]:,}",
        partial(flag_submissions, large.tokens),
        partial(flag_submissions, small.tokens),
        bar=1.3,
        unit="ms",
    )


if __name__ == "__main__":
    with database():
        main({"flagging": bench_flagging})
