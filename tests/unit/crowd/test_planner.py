"""The planner: whether the raters of a pool can complete a study, and why not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.corpus import make_items
from labelwright.crowd import Plan, describe_plan
from labelwright.study import lay_out_study, plan_study
from tests.studies import dialogues, parse, pool, study_data, study_text

CONTEXTS = ("C0", "C3", "C7", "need", "need_model", "summary")


def context_study(
    raters: int = 78, batches: int = 1, caps: dict[str, int] | None = None, **changes: Any
) -> str:
    """The context study's plan: 6 contexts x 2 aspects, 3 ratings, at most 10 tasks a batch, 3 conditions a rater."""
    reply = study_data()["designs"]["reply"]
    question = reply["questions"][0]
    return study_text(
        aspects={name: {"title": name} for name in ("relevance", "usefulness")},
        designs={
            name: reply | {"questions": [question | {"aspect": name}]} for name in ("relevance", "usefulness")
        },
        conditions={
            f"{aspect[0]}-{c}": {"design": aspect} for aspect in ("relevance", "usefulness") for c in CONTEXTS
        },
        items={"per_dialogue": 1},
        redundancy=3,
        pools=pool(raters=raters, caps=caps or {"tasks_per_batch": 10, "conditions": 3}, pay={"cents": 40}),
        **({"batches": {"calendar": [{"items": 40 // batches}] * batches}} if batches > 1 else {}),
        **changes,
    )


def plan(text: str, items: int = 40, left_out: float = 0.0) -> Plan:
    study, corpus = parse(text), dialogues(items)
    laid = lay_out_study(study, make_items(corpus, study.items, study.seed), corpus)
    return plan_study(study, laid, left_out)


def test_the_context_study_cannot_be_done_in_one_batch_and_the_planner_says_why():
    made = plan(context_study())
    assert made.ratings == 40 * 6 * 2 * 3 == 1440
    # 78 raters x 10 tasks are 780; 1,440 / 10 raters would be needed.
    assert not made.completes
    assert made.raters_needed == 144
    assert made.reasons == (
        "78 raters with 10 tasks per batch in 1 batch give 780 ratings, but 1,440 are needed. 144 raters would be enough.",
    )


def test_the_context_study_gets_stuck_in_two_batches_and_completes_in_four():
    # 78 raters x 2 x 10 tasks are 1,560: the numbers come out, but late raters have met what is left.
    narrow = plan(context_study(batches=2))
    assert narrow.reasons == ()
    assert "stayed open" in narrow.risks[0]
    wide = plan(context_study(batches=4))
    assert wide.completes
    assert wide.rehearsed_drift is not None
    # 10 items x 3 ratings are wanted of each condition in a batch.
    assert wide.rehearsed_drift <= wide.drift <= 30
    assert describe_plan(wide)[-1] == "The study can be completed under its rules."


def test_an_item_that_nobody_may_meet_twice_needs_raters_enough():
    made = plan(context_study(raters=35, caps={"tasks": 1000}))
    # 12 conditions x 3 ratings of each item, each by somebody else.
    assert any("each item needs 36 different raters" in reason for reason in made.reasons), made


def test_work_that_is_left_out_needs_more_raters():
    text = study_text(items={"per_dialogue": 1}, pools=pool(raters=30, caps={"tasks": 10}))
    # 50 items x 2 conditions x 3 ratings are 300, which 30 raters just do; a tenth left out takes 334.
    assert plan(text, 50).reasons == ()
    assert plan(text, 50, left_out=0.1).raters_needed == 34


def test_without_rules_that_part_raters_from_conditions_balance_is_that_of_raters_at_work():
    text = study_text(
        items={"per_dialogue": 1}, pools=pool(raters=12), assignment={"same_item": "other_condition"}
    )
    made = plan(text, 40)
    assert made.completes
    assert made.drift == 12
    assert made.rehearsed_drift == 1


def test_the_command_tells_the_plan_and_ends_with_1_where_it_cannot_be_kept(tmp_path: Path):
    demo = Path(__file__).parents[3] / "studies" / "demo"
    shutil.copy(demo / "dialogues.jsonl", tmp_path)
    written = tmp_path / "study.yaml"
    text = (demo / "study.yaml").read_text()
    written.write_text(text)
    done = CliRunner().invoke(register_commands(), ["study", "plan", str(written)])
    assert done.exit_code == 0, done.output
    assert "The study can be completed under its rules." in done.output
    # 12 items x 2 conditions x 4 ratings are 96, and 20 raters at 3 tasks give 60.
    written.write_text(text.replace("raters: 36", "raters: 20"))
    done = CliRunner().invoke(register_commands(), ["study", "plan", str(written)])
    assert done.exit_code == 1
    assert (
        "20 raters with 3 tasks each give 60 ratings, but 96 are needed. 32 raters would be enough."
        in done.output
    )


def test_raters_of_earlier_versions_count_with_what_they_can_still_do():
    from labelwright.crowd import EarlierWork

    text = study_text(items={"per_dialogue": 1}, pools=pool(raters=6, caps={"tasks": 5}))
    study, corpus = parse(text), dialogues(4)
    laid = lay_out_study(study, make_items(corpus, study.items, study.seed), corpus)
    # 4 items x 2 conditions x 3 ratings are 24, of which 10 are there. Each rater can judge each item once: raters
    # who did 4, 4 and 2 tasks can do 2 more, and three others 12.
    enough = plan_study(study, laid, 0, {"": EarlierWork(kept=10, done=(4, 4, 2))})
    assert (enough.ratings, enough.raters_needed, enough.reasons) == (14, 6, ())
    short = plan_study(study, laid, 0, {"": EarlierWork(kept=10, done=(4, 4, 4))})
    said = (
        "the 3 raters who have begun can give 0 more ratings, because they judge no item twice and caps count all "
        "versions. With the raters planned, 12 are possible, but 14 are needed. 4 further raters would be enough."
    )
    assert short.reasons == (said,)
