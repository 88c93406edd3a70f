"""Bias probes over HTTP: proposed, agreed to, each request sent once, and a planted bias found."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from labelwright.corpus import Dialogue, Turn
from labelwright.judging.forms import CLOSINGS
from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion
from tests.integration.test_model_raters import load
from tests.rows import rows

pytest.importorskip("openai", reason="the extra `llm` is not installed")
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.once,
    pytest.mark.usefixtures("database"),
]

Answer = Callable[[dict[str, Any], int], EndpointReply]
PREFERENCE = {"name": "better", "type": "preference", "text": "Which reply is better?", "tie": False}


def chance(*parts: Any) -> float:
    """A number between 0 and 1 that depends on nothing else."""
    text = json.dumps(parts, sort_keys=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) / 2**64


def material(body: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body["messages"][1]["content"])["item_1"]
    return found


def judge_of_order(bias: float) -> Answer:
    """Prefers either reply by chance, and in `bias` of its answers the one that it reads first."""

    def answer(body: dict[str, Any], _before: int) -> EndpointReply:
        lines = material(body)["questions"]["better"].splitlines()
        first, second = (line.split(": ", 1)[1] for line in lines if "at pier" in line)
        # How much the first reply of the item deserves to win does not depend on the order.
        deserved = chance("deserved", *sorted([first, second]))
        wins = chance("coin", first, second) < (deserved if first < second else 1 - deserved)
        takes_first = chance("biased", first, second) < bias or wins
        # The answers are listed in the order of the page: the first is for the reply that is shown first.
        codes = [int(line.removeprefix("- ").split(":")[0]) for line in lines if line.endswith(" is better")]
        return completion(json.dumps({"item_1": {"better": codes[0 if takes_first else 1]}}))

    return answer


def judge_of_length(bias: float) -> Answer:
    """Scores a reply by chance, and a longer form of it one point higher in `bias` of its answers."""

    def answer(body: dict[str, Any], _before: int) -> EndpointReply:
        shown = material(body)["material"]["judge_this"]
        number, longer = shown[0]["text"], any(closing in shown[-1]["text"] for closing in CLOSINGS)
        noise = (chance("noise", number, longer) < 0.125) - (chance("noise", number, longer) > 0.875)
        score = 1 + int(3 * chance("score", number)) + noise + (longer and chance("more", number) < bias)
        return completion(json.dumps({"item_1": {"useful": min(5, max(0, score)), "comment": None}}))

    return answer


def pairs(size: int) -> list[Dialogue]:
    return [
        Dialogue(
            f"d{n:04}",
            (Turn("user", f"Which boat, number {n}?"),),
            {
                "candidates": [
                    {"id": "a", "text": f"The white one at pier {n}.", "system": "fern"},
                    {"id": "b", "text": f"The blue one at pier {n}.", "system": "gorse"},
                ]
            },
        )
        for n in range(size)
    ]


def replies(size: int) -> list[Dialogue]:
    return [
        Dialogue(
            f"d{n:04}",
            (
                Turn("user", f"Which boat, number {n}?"),
                Turn("system", "The white one. " * (1 + n % 4), "fern"),
            ),
        )
        for n in range(size)
    ]


def load_pairs(address: str, size: int, **changes: Any) -> Any:
    design = {
        "title": "Compare",
        "lead": "Compare.",
        "instructions": "Read.",
        "questions": [PREFERENCE | {"aspect": "usefulness"}],
    }
    return load(
        address,
        corpus=pairs(size),
        designs={"reply": design},
        items={"kind": "candidates"},
        conditions={"one": {}},
        **changes,
    )


def load_replies(address: str, size: int, **changes: Any) -> Any:
    points = [{"code": code, "name": f"Point {code}"} for code in range(6)]
    return load(
        address,
        corpus=replies(size),
        scales={"useful": {"points": points}},
        conditions={"one": {}},
        items={"per_dialogue": 1},
        **changes,
    )


def probe(study: Any, kind: Any, smallest: float = 0.1) -> Any:
    """Starts a probe, sends its requests and returns the run."""
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.probes import get_planned_probe, start_probe
    from labelwright.server.judges.jobs import try_out

    now = datetime.now(UTC)
    pool = find_model(study, None)
    run = start_probe(pool, get_planned_probe(pool, kind, smallest, now), "ana", now)
    assert try_out(pool.pk) == "none_left"
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("kind", ["order", "length"])
def test_a_planted_bias_is_found_at_the_proposed_number_of_calls(kind: str):
    """The statistic's rates over 1,000 judges are in `make judges`; this is one judge of each kind, over HTTP."""
    make = {"order": judge_of_order, "length": judge_of_length}[kind]
    put = {"order": load_pairs, "length": load_replies}[kind]
    with LlmEmulator(make(0.2)) as endpoint:
        run = probe(put(endpoint.address, 214, model={"slots": 30}), kind, smallest=0.2)
        # Every item is asked for, in two forms, each request once.
        assert len(endpoint.bodies) == 428
        assert set(endpoint.asked.values()) == {1}
    [found] = run.figures["questions"]
    assert found["presence"] == "present"
    assert found["judge"]["n"] == 214
    # A difference varies by 0.77 at most, so three standard errors are 0.16.
    assert found["judge"]["value"] == pytest.approx(0.2, abs=0.16)


def people_prefer_the_first(study: Any, people: int) -> None:
    """People take the reply that they see first in all tasks but every fourth."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.rating.actions.task_page import get_task

    now = datetime.now(UTC)
    for link in make_links(study, get_pool(study, "own"), people, 60, now):
        visitor = get_visitor(link.token, now)
        while isinstance(work := offer(visitor, now), Offer):
            [shown] = get_task(work.assignment).items
            first_wins = chance("person", shown.item.key, visitor.number) < 0.75
            code = -1 if (shown.order[0] == 0) == first_wins else 1
            submit(work.token, {"0": {"better": code}}, now + timedelta(seconds=30))


def test_an_honest_judge_is_not_accused_and_people_are_shown_beside_it():
    with LlmEmulator(judge_of_order(0.0)) as endpoint:
        study = load_pairs(endpoint.address, 40, redundancy=2)
        people_prefer_the_first(study, 2)
        run = probe(study, "order", smallest=0.5)
    [found] = run.figures["questions"]
    # 35 items find a bias of a half; see `propose_calls`.
    assert found["judge"]["n"] == run.items == 35
    assert found["presence"] != "present"
    # Three of four people's answers are for the first reply: 2 * 0.75 - 1 is a half.
    assert found["people"]["low"] < 0.5 < found["people"]["high"]
    assert found["people"]["n"] == 70


def test_killed_and_started_again_no_request_is_sent_twice():
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.probes import get_planned_probe, start_probe
    from labelwright.server.judges.actions.trials import plan_trials
    from labelwright.server.judges.jobs import try_out

    now = datetime.now(UTC)
    with LlmEmulator(judge_of_order(0.0)) as endpoint:
        study = load_pairs(endpoint.address, 30, model={"timeout_seconds": 1, "slots": 3})
        pool = find_model(study, None)
        start_probe(pool, get_planned_probe(pool, "order", 0.6, now), "ana", now)
        # A worker plans as many requests as it has slots, sends the first, and is killed.
        planned = plan_trials(pool.pk, now - timedelta(seconds=60))
        assert isinstance(planned, list)
        assert len(planned) == 3
        assert try_out(pool.pk) == "none_left"
        assert set(endpoint.asked.values()) == {1}
        # 30 items in two forms, and another attempt for each of the three lost ones.
        assert len(endpoint.bodies) == 60
    states = dict(rows("SELECT state, count(*)::int FROM judge_trial GROUP BY 1"))
    assert states == {"answered": 60, "lost": 3}
    lost = {json.dumps(prompt) for (prompt,) in rows("SELECT prompt FROM judge_trial WHERE state = 'lost'")}
    assert len(lost) == 3


def test_the_cost_is_told_beforehand_and_the_budget_is_kept():
    from labelwright.judging.forms import FORM_CHANGES
    from labelwright.server.judges.actions.cost import JudgeCostChanged, find_model
    from labelwright.server.judges.actions.probes import get_planned_probe, start_probe
    from labelwright.server.judges.jobs import try_out
    from labelwright.server.store.models import ModelBudget

    def dear(body: dict[str, Any], before: int) -> EndpointReply:
        said = json.loads(judge_of_length(0)(body, before).body)
        return completion(said["choices"][0]["message"]["content"], (1500, 20))

    now = datetime.now(UTC)
    with LlmEmulator(dear) as endpoint:
        prices = {"cents_per_million_in": 100, "cents_per_million_out": 100, "budget_cents": 2, "attempts": 1}
        study = load_replies(endpoint.address, 40, model=prices)
        pool = find_model(study, None)
        planned = {kind: get_planned_probe(pool, kind, 0.5, now) for kind in FORM_CHANGES}
        assert planned["order"].items == ()
        length = planned["length"]
        assert "35 items, each judged twice, find a bias of 0.5 in 95% of cases." in length.sentence
        assert "70 requests to m at" in length.sentence
        assert "The budget is" in length.sentence
        assert endpoint.bodies == []
        with pytest.raises(JudgeCostChanged):
            start_probe(pool, _cheaper(length), "ana", now)
        start_probe(pool, length, "ana", now)
        assert try_out(pool.pk) == "budget"
        assert 0 < len(endpoint.bodies) < 70
    budget = ModelBudget.objects.get()
    assert 0 < budget.committed_microcents <= budget.limit_microcents == 2_000_000


def _cheaper(planned: Any) -> Any:
    from dataclasses import replace

    return replace(planned, cost=replace(planned.cost, most_microcents=planned.cost.most_microcents - 1))


def test_scales_are_shown_from_both_ends_and_repeated_questions_differ_in_their_seed():
    def lowest_listed(body: dict[str, Any], _before: int) -> EndpointReply:
        """Takes the point that is listed first."""
        lines = material(body)["questions"]["useful"].splitlines()
        first = next(int(line.removeprefix("- ").split(":")[0]) for line in lines if ": Point" in line)
        return completion(json.dumps({"item_1": {"useful": first}}))

    with LlmEmulator(lowest_listed) as endpoint:
        study = load_replies(endpoint.address, 30)
        turned, again = probe(study, "scale_position", 1), probe(study, "repetition", 1)
        # The plain form of the second probe is that of the first one.
        assert set(endpoint.asked.values()) == {1, 2}
        assert Counter(body["seed"] for body in endpoint.bodies[60:]) == {1: 30, 4: 30}
    # From 0 to 5 on the same items.
    assert turned.figures["questions"][0]["judge"]["value"] == pytest.approx(5)
    assert again.figures["questions"][0]["presence"] == "absent"
