"""Needs and summaries on a real database: nothing lost, nothing asked for twice, the budget never exceeded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from labelwright.corpus import Dialogue, Turn
from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion
from tests.agreed_costs import agree
from tests.at_once import at_once
from tests.studies import parse, study_text

pytest.importorskip("openai", reason="the extra `llm` is not installed")
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.once,
    pytest.mark.usefixtures("database"),
]

Answering = Callable[[dict[str, Any], int], EndpointReply]
NOW = datetime.now(UTC)
"""The job reads the clock, so the plan must not lie in its future."""
NEED = "The user is looking for a slow mystery."


def dialogues(count: int) -> list[Dialogue]:
    return [
        Dialogue(
            f"d{n}",
            (
                Turn("user", f"Hello, I am looking for a slow mystery, number {n}, and the sea is in it."),
                Turn("system", f"Have you seen The Tin Orchard {n}?", "alpha"),
                Turn("user", "MARKER-EXCHANGE I have."),
                Turn("system", "MARKER-REPLY Then try Snow on the Quay.", "alpha"),
                Turn("user", "MARKER-LATER Thanks!"),
            ),
        )
        for n in range(count)
    ]


def load(
    address: str, count: int, kinds: dict[str, Any] | None = None, *, agreed: bool = True, **model: Any
) -> int:
    from labelwright.server.studies.actions.loading import load_study

    part = {
        "name": "m",
        "address": address,
        "parameters": {"max_tokens": 50, "seed": 1},
        "per_minute": 60_000,
        "burst": 1000,
        "timeout_seconds": 5,
        "attempts": 3,
        **model,
    }
    text = study_text(
        items={"turns_before": 2, "per_dialogue": 1},
        conditions={"NEED": {"context": kinds or {"need": "llm"}}, "PLAIN": {}},
        context={"model": part, "summary_checks": {"length_share": 0.9}},
        redundancy=1,
    )
    loaded = load_study(parse(text), text, dialogues(count), NOW, opened=True)
    version = loaded.study.versions.latest("n").pk
    if agreed:
        agree(version)
    return version


def generate(version: int) -> str:
    from labelwright.server.contexts.jobs import generate as run

    return run(version)


def contexts(version: int) -> list[Any]:
    from labelwright.server.store.models import Context

    return list(Context.objects.filter(version_id=version).order_by("id"))


def open_places(condition: str) -> int:
    from tests.rows import rows

    return int(rows("SELECT count(*) FROM place WHERE condition = %s AND state = 'open'", [condition])[0][0])


def test_texts_are_made_and_only_then_are_their_places_offered():
    with LlmEmulator(lambda _body, _before: completion(f'"{NEED}"')) as emulator:
        version = load(emulator.address, 5)
        assert (open_places("NEED"), open_places("PLAIN")) == (0, 5)
        assert generate(version) == "done"
        made = contexts(version)
        assert [context.content for context in made] == [NEED] * 5
        assert open_places("NEED") == 5
        assert all(n == 1 for n in emulator.asked.values())
        assert "MARKER" not in str(emulator.bodies)
        generation = made[0].generation
        assert generation.raw
        assert generation.prompt[0]["role"] == "system"
        assert generation.parameters == {"max_tokens": 50, "seed": 1}
        assert generate(version) == "done"
        assert len(emulator.bodies) == 5


def test_no_model_is_called_before_somebody_has_seen_the_cost_and_agreed():
    from typer.testing import CliRunner

    from labelwright.cli import register_commands
    from labelwright.server.contexts.actions.cost import CostChanged, agree_to_cost, get_cost
    from labelwright.server.store.models import AgreedCost
    from labelwright.server.store.worker import run_waiting

    with LlmEmulator(lambda _body, _before: completion(NEED)) as emulator:
        version = load(emulator.address, 2, agreed=False, cents_per_million_in=100)
        run_waiting("contexts")
        assert generate(version) == "nobody agreed to the cost"
        seen = CliRunner().invoke(register_commands(), ["context", "agree", "tiny"], input="n\n")
        assert "2 texts to generate with m at http://127.0.0.1" in seen.output
        # Three attempts for each of two texts.
        assert "at most 6 requests" in seen.output
        assert "Maximum cost" in seen.output
        assert seen.exit_code != 0
        assert emulator.bodies == []
        cost = get_cost(version)
        with pytest.raises(CostChanged):
            agree_to_cost(version, replace(cost, most_microcents=cost.most_microcents - 1), "ana", NOW)
        agree_to_cost(version, cost, "ana", NOW)
        run_waiting("contexts")
        assert len(emulator.bodies) == 2
    agreed = AgreedCost.objects.get()
    assert (agreed.author, agreed.at, agreed.version_id, agreed.texts) == ("ana", NOW, version, 2)
    assert agreed.microcents == cost.most_microcents > 0


def test_a_key_that_is_not_allowed_is_not_sent(monkeypatch: pytest.MonkeyPatch):
    from labelwright.context import ModelNotAllowed

    with LlmEmulator(lambda _body, _before: completion(NEED)) as emulator:
        version = load(emulator.address, 1, agreed=False, key_variable="LABELWRIGHT_LINK_KEY")
        with pytest.raises(ModelNotAllowed, match="LABELWRIGHT_MODELS"):
            agree(version)
        with pytest.raises(ModelNotAllowed):
            generate(version)
        assert emulator.bodies == []


def test_a_new_version_asks_nothing_that_was_paid_for():
    from labelwright.server.studies.actions.loading import load_study

    with LlmEmulator(lambda _body, _before: completion(NEED)) as emulator:
        version = load(emulator.address, 3)
        generate(version)
        from labelwright.server.store.models import Context, Place, StudyVersion

        text = StudyVersion.objects.get(pk=version).text.replace("Tiny study", "Another title")
        again = load_study(parse(text), text, dialogues(3), NOW).study.versions.latest("n").pk
        assert again != version
        # The texts are kept, and their places stay open.
        assert [context.content for context in contexts(again)] == [NEED] * 3
        assert Context.objects.count() == 3
        assert not Place.objects.filter(state="waiting").exists()
        assert generate(again) == "done"
        assert len(emulator.bodies) == 3


def test_a_failing_text_is_made_again_and_then_falls_to_a_person():
    """Dialogue 0 is never right, the others are at the second attempt."""

    def answer(body: dict[str, Any], _before: int) -> EndpointReply:
        bad = "number 0" in body["messages"][1]["content"] or body["seed"] == 1
        return completion("One. Two." if bad else NEED)

    from labelwright.server.contexts.queries import count_discards

    with LlmEmulator(answer) as emulator:
        version = load(emulator.address, 4)
        generate(version)
        states = [context.state for context in contexts(version)]
        assert states == ["person", "made", "made", "made"]
        assert contexts(version)[0].review == "queued"
        # Three attempts for the first dialogue and one for each of the others were discarded.
        assert count_discards(version) == {"several_sentences": 6}
        assert open_places("NEED") == 3
        assert all(n == 1 for n in emulator.asked.values())


@pytest.mark.parametrize(
    ("fault", "same_again"),
    [
        (EndpointReply(b"{}", 429, {"retry-after": "0.2"}), True),
        (EndpointReply(b"{}", 500), True),
        (EndpointReply(b"{}", hang_seconds=2), False),
        (EndpointReply(b'{"choices": [{"message": {"content": "The us'), False),
        (EndpointReply(b'{"cho', announced_bytes=900), False),
        (completion(""), False),
        (completion("word " * 250_000), False),
    ],
    ids=["429", "500", "hang", "cut", "broken off", "empty", "megabyte"],
)
def test_an_endpoint_that_fails_loses_and_doubles_nothing(fault: EndpointReply, same_again: bool):
    """Every first question of a dialogue meets the fault; all texts are made in the end."""
    met: set[str] = set()
    lock = threading.Lock()

    def answer(body: dict[str, Any], _before: int) -> EndpointReply:
        said = body["messages"][1]["content"]
        with lock:
            first = said not in met
            met.add(said)
        return fault if first else completion(NEED, (100, 10))

    prices: dict[str, Any] = {"cents_per_million_in": 100, "cents_per_million_out": 200, "budget_cents": 10}
    with LlmEmulator(answer) as emulator:
        version = load(emulator.address, 3, timeout_seconds=1, **prices)
        assert generate(version) == "done"
        assert [context.content for context in contexts(version)] == [NEED] * 3
        # What surely cost nothing is asked again as it was; what may have cost is never sent twice.
        assert sorted(emulator.asked.values()) == ([2, 2, 2] if same_again else [1] * 6)
        spent, questions = budget()
        paid = 3 * (100 * 100 + 10 * 200)
        assert spent == paid if same_again else spent > paid
        assert questions == spent


def budget() -> tuple[int, int]:
    """What the study has committed, and what its questions add up to."""
    from tests.rows import rows

    committed = rows("SELECT committed_microcents FROM generation_budget")[0][0]
    return int(committed), int(rows("SELECT coalesce(sum(microcents), 0) FROM generation")[0][0])


def test_the_budget_stops_generation_before_it_is_exceeded_also_in_parallel():

    from labelwright.server.contexts.actions.cost import get_cost

    with LlmEmulator(lambda _body, _before: completion(NEED, (400, 50))) as emulator:
        prices: dict[str, Any] = {"cents_per_million_in": 1000, "cents_per_million_out": 1000}
        version = load(emulator.address, 30, budget_cents=4, **prices)
        estimate = get_cost(version)
        assert estimate.texts == 30
        assert estimate.least_microcents * 3 == estimate.most_microcents
        ends: list[str] = []

        at_once(4, lambda: ends.append(generate(version)))
        assert set(ends) == {"budget"}
        committed, questions = budget()
        assert committed == questions <= 4_000_000
        made = sum(context.state == "made" for context in contexts(version))
        # Each text costs 450 tokens at 1000 cents a million: 0.45 cents. Some fit, not all.
        assert 4 <= made <= 8
        assert made == len(emulator.bodies)
        assert all(n == 1 for n in emulator.asked.values())


def test_several_workers_ask_for_each_text_once():
    with LlmEmulator(lambda _body, _before: completion(NEED)) as emulator:
        version = load(emulator.address, 40)
        at_once(4, lambda: generate(version))
        assert len(emulator.bodies) == 40
        assert {context.state for context in contexts(version)} == {"made"}


def test_the_bucket_slows_all_workers_together():
    from datetime import timedelta

    from labelwright.server.contexts.queries import take_token

    # Two at once, then one every half second.
    taken = [take_token("e", 120, 2, NOW + timedelta(seconds=n * 0.1)) == 0 for n in range(30)]
    assert taken[:2] == [True, True]
    assert sum(taken) == 2 + 5


def test_a_rejected_question_stops_the_job_and_keeps_its_place():
    from labelwright.outside.llm import LlmFault

    with LlmEmulator(lambda _body, _before: EndpointReply(b'{"error": {}}', 401)) as emulator:
        version = load(emulator.address, 2)
        with pytest.raises(LlmFault, match="401"):
            generate(version)
        assert len(emulator.bodies) == 1
        assert {context.state for context in contexts(version)} == {"waiting"}
        assert budget() == (0, 0)


def test_what_needs_no_model_is_made_at_loading_and_shown(database: str):
    from labelwright.server.store.models import MinedPhrase
    from labelwright.server.studies.actions.loading import load_study

    text = study_text(
        items={"turns_before": 2},
        conditions={"HEU": {"context": {"need": "heuristic", "summary": "extractive"}}},
        redundancy=1,
    )
    version = load_study(parse(text), text, dialogues(3), NOW, opened=True).study.versions.latest("n")
    made = contexts(version.pk)
    kinds = ["need:heuristic"] * 3 + ["summary:extractive"] * 3
    assert [(c.kind, c.state) for c in made] == [(kind, "made") for kind in kinds]
    assert made[0].content == dialogues(1)[0].turns[0].text
    assert made[0].facts["phrase"] in set(MinedPhrase.objects.values_list("text", flat=True))
    assert open_places("HEU") == 3
    assert not any("MARKER" in context.content for context in made)


def test_reviewers_say_right_wrong_or_repair():
    from labelwright.server.access.actions.review_links import Reviewer
    from labelwright.server.contexts.actions.review import BadVerdict, decide_context, get_next_text
    from labelwright.server.store.models import Context, ContextVerdict

    with LlmEmulator(lambda _body, _before: completion(NEED)) as emulator:
        version = load(emulator.address, 40)
        generate(version)
    queued = Context.objects.filter(version_id=version, review="queued")
    # 30% of 40 are 12; four standard deviations of a binomial are 11.6.
    assert 1 <= queued.count() <= 23
    Context.objects.filter(version_id=version).update(review="queued")
    reviewer = Reviewer(queued.first().study_id, "ana")
    first = get_next_text(reviewer)
    assert first is not None
    assert first.left == 40
    assert "MARKER" not in str(first.turns)
    decide_context(first.context, "right", "", "ana", NOW)
    second = get_next_text(reviewer)
    decide_context(second.context, "repaired", " Something by the \x00sea. ", "ana", NOW)
    assert Context.objects.get(pk=second.context).content == "Something by the sea."
    third = get_next_text(reviewer)
    decide_context(third.context, "wrong", "", "ana", NOW)
    wrong = Context.objects.get(pk=third.context)
    assert (wrong.state, wrong.review, wrong.content) == ("person", "queued", "")
    with pytest.raises(BadVerdict, match="no text yet"):
        decide_context(third.context, "right", "", "ana", NOW)
    assert list(ContextVerdict.objects.order_by("id").values_list("verdict", "before", "after")) == [
        ("right", NEED, NEED),
        ("repaired", NEED, "Something by the sea."),
        ("wrong", NEED, ""),
    ]


def test_a_question_whose_worker_died_is_never_sent_again():
    """Killed between the question and its answer: the next attempt is another question, and the first counts."""
    from datetime import timedelta

    from labelwright.server.contexts.actions.generation import Call, Wait, plan_ask, record_reply
    from labelwright.server.store.models import Generation

    version = load("http://127.0.0.1:9/v1", 1, cents_per_million_in=100, budget_cents=10)
    first = plan_ask(version, NOW)
    assert isinstance(first, Call)
    # Nobody else takes it while the worker may still be alive.
    assert isinstance(plan_ask(version, NOW + timedelta(seconds=5)), Wait)
    later = NOW + timedelta(seconds=60)
    second = plan_ask(version, later)
    assert isinstance(second, Call)
    assert second.ask.cache_key != first.ask.cache_key
    assert second.ask.parameters["seed"] == first.ask.parameters["seed"] + 1
    assert Generation.objects.get(pk=first.generation).state == "lost"
    record_reply(second, NEED, "{}", (10, 5), later)
    record_reply(second, "another text", "{}", (10, 5), later)
    # An answer that arrives after all, long after the worker was given up, changes nothing.
    record_reply(first, "a late text", "{}", (10, 5), later)
    (context,) = contexts(version)
    assert (context.state, context.content) == ("made", NEED)
    reserved = Generation.objects.get(pk=first.generation).microcents
    assert budget() == (reserved + 10 * 100, reserved + 10 * 100)


def test_the_commands_tell_how_far_it_is_and_where_to_review():
    from typer.testing import CliRunner

    from labelwright.cli import register_commands
    from labelwright.server.access.actions.review_links import BadReviewLink, get_reviewer

    with LlmEmulator(lambda _body, _before: completion(NEED)) as emulator:
        load(emulator.address, 2, agreed=False)
        run, app = CliRunner(), register_commands()
        assert "Nobody has agreed to the cost" in run.invoke(app, ["context", "status", "tiny"]).output
        made = run.invoke(app, ["context", "make", "tiny", "--yes"])
        assert "2 texts to generate" in made.output, made.output
        assert "2 ready, 0 pending" in made.output
    told = run.invoke(app, ["context", "status", "tiny"])
    assert "(command line) agreed to the cost on" in told.output
    assert "2 ready, 0 pending, 0 to be written by a person" in told.output
    link = run.invoke(app, ["context", "review-link", "tiny", "--reviewer", "ana"]).output.strip()
    assert get_reviewer(link.rsplit("/", 1)[1]).name == "ana"
    with pytest.raises(BadReviewLink):
        get_reviewer("eyJzIjoxfQ:1:x")
