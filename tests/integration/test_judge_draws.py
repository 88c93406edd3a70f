"""Further items for people: drawn by recorded chances, opened once, kept by later versions, and used by estimates."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.corpus import Dialogue, Turn
from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion
from tests.integration.test_judge_versions import number_in
from tests.integration.test_model_raters import judge, people_rate, rate, start
from tests.processes import Server
from tests.rows import rows
from tests.studies import parse, pool, study_text

pytest.importorskip("openai", reason="the extra `llm` is not installed")
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.once,
    pytest.mark.usefixtures("database"),
]

SIZE = 160
OF_PEOPLE = """SELECT x.item_id FROM task_item x JOIN place p ON p.task_id = x.task_id JOIN pool o ON o.id = p.pool_id
               WHERE o.name = 'own'"""
OF_DRAWN = """SELECT x.task_id FROM task_item x JOIN item i ON i.id = x.item_id JOIN place p ON p.task_id = x.task_id
              JOIN pool o ON o.id = p.pool_id WHERE i.drawn AND o.name = 'own'"""


def unsure(body: dict[str, Any], _before: int) -> EndpointReply:
    """Answers as people do, but calls every second item the middle one, so that this label says little."""
    number = number_in(body)
    code = 2 if number % 2 else 1 + number % 3
    return completion(f'{{"item_1": {{"useful": {code}, "comment": null}}}}')


def unsure_of_three(body: dict[str, Any], _before: int) -> EndpointReply:
    """The same for a task of three items."""
    numbers = [int(each) for each in re.findall(r"number (\d+)", body["messages"][1]["content"])]
    codes = [2 if number % 2 else 1 + number % 3 for number in numbers]
    return completion(
        json.dumps({f"item_{n}": {"useful": code, "comment": None} for n, code in enumerate(codes, start=1)})
    )


def corpus(size: int) -> list[Dialogue]:
    return [
        Dialogue(f"d{n:03}", (Turn("user", f"Which boat, number {n}."), Turn("system", "This.", "fern")))
        for n in range(size)
    ]


def load(address: str, share: float = 0.3, dialogues: Any = None, **changes: Any) -> Any:
    from labelwright.server.studies.actions.loading import load_study

    given = {"items": {"per_dialogue": 1}, "conditions": {"one": {}}, "redundancy": 1} | changes
    text = study_text(people_share=share, pools={**pool(), **judge(address)}, **given)
    return load_study(parse(text), text, dialogues or corpus(SIZE), datetime.now(UTC), opened=True).study


def load_rated(address: str, **changes: Any) -> tuple[Any, int]:
    """A study whose model has rated everything, and one person the share; the study and the pool of the model."""
    study = load(address, **changes)
    model = start(study)
    rate(model)
    people_rate(study, 1, SIZE)
    return study, model


def measure(model: int) -> dict[str, Any]:
    from labelwright.server.judges.actions.figures import get_judge_figures, measure_judge

    measure_judge(model, datetime.now(UTC))
    [found] = get_judge_figures(model).contents["questions"]
    return found


def planned(model: int, wanted: float) -> Any:
    from labelwright.server.judges.actions.draws import get_planned_draw
    from labelwright.server.store.models import Pool

    return get_planned_draw(Pool.objects.get(pk=model), "useful", wanted)


def have_drawn(model: int, wanted: float) -> int:
    """Agrees to a draw, which a worker makes; returns how many items were expected."""
    from labelwright.server.judges.actions.draws import request_draw
    from labelwright.server.store.models import Pool
    from labelwright.server.store.worker import run_waiting

    found = planned(model, wanted)
    request_draw(Pool.objects.get(pk=model), found, "ana", datetime.now(UTC))
    run_waiting("default")
    return int(found.items)


def drawn() -> int:
    return int(rows("SELECT count(*) FROM item WHERE drawn")[0][0])


@pytest.mark.parametrize("conditions", [{"one": {}}, {"one": {}, "two": {}}], ids=["one", "two"])
def test_items_are_drawn_by_recorded_chances_and_their_labels_are_weighed(conditions: dict[str, Any]):
    from labelwright.server.judges.actions.draws import NotDrawable
    from labelwright.server.results.actions.export import get_share

    with LlmEmulator(unsure) as endpoint:
        study = load(endpoint.address, conditions=conditions)
        model = start(study)
        rate(model)
        measure_judge_without_scores(model)
        with pytest.raises(NotDrawable, match="have not rated all"):
            planned(model, 0.1)
        people_rate(study, 2 * len(conditions), SIZE)
        found = measure(model)
        assert get_share(study) == 0.3
        half = (found["overall"]["combined"]["high"] - found["overall"]["combined"]["low"]) / 2
        expected = have_drawn(model, half * 0.8)
        assert drawn() == pytest.approx(expected, abs=3 * expected**0.5)
        chances = [chance for (chance,) in rows("SELECT DISTINCT people_chance FROM item ORDER BY 1")]
        # Every item has a chance, which is higher where the model's label says little.
        assert all(0.3 < chance <= 1 for chance in chances)
        assert len(chances) > 1
        by_label = dict(
            rows(
                """SELECT a.code, avg(i.people_chance) FROM answer a JOIN assignment s ON s.id = a.assignment_id
                   JOIN task_item x ON x.task_id = s.task_id JOIN item i ON i.id = x.item_id
                   JOIN rater r ON r.id = s.rater_id WHERE r.kind = 'model' AND a.question = 'useful' GROUP BY 1"""
            )
        )
        assert by_label[2] > max(by_label[1], by_label[3])
        # Until people have rated them all, nobody knows which part of them is rated.
        assert get_share(study) is None
        with pytest.raises(NotDrawable, match="have not rated all"):
            planned(model, half * 0.5)
        people_rate(study, 2 * len(conditions), SIZE)
        assert get_share(study) == 0.3
        after = measure(model)
    assert "Items count by the inverse of the probability by which they were drawn." in after["notes"]
    rated = after["overall"]["labelled"]
    assert rated == found["overall"]["labelled"] + drawn() * len(conditions)
    assert after["overall"]["combined"]["high"] - after["overall"]["combined"]["low"] < 2 * half
    assert [what for (what,) in rows("SELECT what FROM audit WHERE what = 'draw_items'")] == ["draw_items"]


def test_a_command_and_a_program_draw_until_it_is_certain_enough(server: Server):
    from labelwright.client import CallFailed, Client
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.worker import run_waiting
    from labelwright.server.team.actions.tokens import create_token

    me, _ = add_user("me@example.org")
    token = create_token(me, "draws", list(Permission), 1, datetime.now(UTC))
    app, runner = register_commands(), CliRunner()
    with LlmEmulator(unsure) as endpoint, closing(Client(server.root, token)) as client:
        study = load(endpoint.address)
        study.owner = me
        study.save()
        rate(start(study))
        people_rate(study, 1, SIZE)
        run_waiting("default")
        told = runner.invoke(app, ["judge", "draw", "tiny", "--wanted", "1"])
        assert told.exit_code == 0, told.output
        assert "All scores are certain enough." in told.output
        # Without an answer, nothing is drawn.
        told = runner.invoke(app, ["judge", "draw", "tiny", "--wanted", "0.09"])
        assert told.exit_code == 1
        assert "more items are drawn for people" in told.output
        assert drawn() == 0
        told = runner.invoke(app, ["judge", "draw", "tiny", "--wanted", "0.09", "--question", "no", "--yes"])
        assert "there are no scores of this question" in str(told.exception)
        told = runner.invoke(app, ["judge", "draw", "tiny", "--wanted", "0.09", "--yes", "--here"])
        assert "fern: " in told.output
        first = drawn()
        assert f"Items drawn: {first}." in told.output
        # While people rate them, another draw leaves the figures as they are.
        told = runner.invoke(app, ["judge", "draw", "tiny", "--wanted", "0.05", "--yes"])
        assert "have not rated all" in str(told.exception)
        assert client.model_findings(study.public_id, "judge").questions[0].scores
        with pytest.raises(CallFailed, match="have not rated all"):
            client.draw_items(study.public_id, "judge", "useful", 0.05)
        people_rate(study, 1, SIZE)
        client.measure_model(study.public_id, "judge")
        run_waiting("default")
        proposed = client.draw_items(study.public_id, "judge", "useful", 0.05)
        assert (proposed.started, proposed.tasks) == (False, proposed.items)
        with pytest.raises(CallFailed, match="more items are needed"):
            fewer = proposed.model_copy(update={"items": 1})
            client.draw_items(study.public_id, "judge", "useful", 0.05, seen=fewer)
        assert client.draw_items(study.public_id, "judge", "useful", 0.05, seen=proposed).started
        with pytest.raises(CallFailed, match="already waiting"):
            client.draw_items(study.public_id, "judge", "useful", 0.05, seen=proposed)
        run_waiting("default")
        assert drawn() > first


def measure_judge_without_scores(model: int) -> None:
    from labelwright.server.judges.actions.figures import measure_judge

    measure_judge(model, datetime.now(UTC))


def test_a_later_version_keeps_what_was_drawn_and_a_larger_share_ends_the_estimate():
    from labelwright.server.judges.actions.draws import NotDrawable, draw_items
    from labelwright.server.results.actions.export import get_share
    from labelwright.server.store.models import Pool

    places = """SELECT p.state, count(*)::int FROM place p JOIN pool o ON o.id = p.pool_id
                WHERE o.name = 'own' AND p.state <> 'closed' GROUP BY 1 ORDER BY 1"""
    with LlmEmulator(unsure) as endpoint:
        study, model = load_rated(endpoint.address)
        measure(model)
        have_drawn(model, 0.09)
        many = drawn()
        assert many > 5
        # A job that runs twice draws once.
        with pytest.raises(NotDrawable):
            draw_items(Pool.objects.get(pk=model), "useful", 0.09, 10, datetime.now(UTC))
        people_rate(study, 1, 3)
        before = rows(places)
        assert [state for state, _ in before] == ["filled", "open"]
        load(endpoint.address, title="Another title")
        assert rows(places) == before
        # Figures that are computed meanwhile say why there are no scores.
        assert "it is not known how the items" in measure(model)["no_scores"]
        people_rate(study, 1, SIZE)
        assert get_share(study) == 0.3
        # A second draw goes on from the chances of the first.
        measure(model)
        have_drawn(model, 0.06)
        assert drawn() > many
        assert rows("SELECT min(people_chance) > 0.3, max(people_chance) <= 1 FROM item") == [(True, True)]
        people_rate(study, 1, SIZE)
        assert get_share(study) == 0.3
        # Chances of the draw are for the smaller share.
        load(endpoint.address, share=0.5)
        people_rate(study, 1, SIZE)
        assert get_share(study) is None
        assert "it is not known how the items" in measure(model)["no_scores"]


def test_items_that_people_got_are_not_drawn_and_an_empty_draw_is_another_one_next_time():
    """Half of the answers have no label, so that the share is known only from the study file."""
    from labelwright.server.results.actions.export import get_share

    with LlmEmulator(unsure) as endpoint:
        study, model = load_rated(endpoint.address)
        rows("""UPDATE assignment SET data_use = 'left_out' WHERE id % 2 = 0 AND rater_id IN
                (SELECT id FROM rater WHERE kind = 'person') RETURNING id""")  # fmt: skip
        measure(model)
        given = {
            item
            for (item,) in rows(
                """SELECT x.item_id FROM place p JOIN pool o ON o.id = p.pool_id JOIN task_item x ON x.task_id = p.task_id
                   WHERE o.name = 'own'"""
            )
        }
        have_drawn(model, 0.09)
    chosen = {item for (item,) in rows("SELECT id FROM item WHERE drawn")}
    assert chosen
    assert not chosen & given
    # The chance is that of the share, not of the share of labels, and of one draw.
    assert rows("SELECT min(people_chance) > 0.3 FROM item") == [(True,)]
    assert rows("SELECT count(*) FROM batch WHERE purpose = 'collect' AND state = 'open'") == [(2,)]
    assert get_share(study) is None


IN_TASKS = """SELECT array_agg(i.people_chance ORDER BY x.position), bool_or(i.drawn), bool_and(i.drawn)
              FROM task_item x JOIN item i ON i.id = x.item_id
              WHERE x.task_id IN (SELECT p.task_id FROM place p JOIN pool o ON o.id = p.pool_id WHERE o.name = 'judge')
              GROUP BY x.task_id"""


def test_tasks_of_several_items_are_drawn_whole():
    """The items of a task have one chance, and people get all of them or none."""
    from labelwright.server.results.actions.export import get_share

    three = {"items_per_task": 3}
    with LlmEmulator(unsure_of_three) as endpoint:
        study, model = load_rated(endpoint.address, tasks=three, dialogues=corpus(240))
        before = measure(model)
        wanted = 0.4 * (before["overall"]["combined"]["high"] - before["overall"]["combined"]["low"])
        found = planned(model, wanted)
        assert found.items == 3 * found.tasks
        assert f"in {found.tasks} tasks" in found.sentence
        have_drawn(model, wanted)
        tasks = rows(IN_TASKS)
        assert len(tasks) == 80
        assert all(len(set(chances)) == 1 and some == every for chances, some, every in tasks)
        assert drawn() % 3 == 0
        assert drawn() / 3 == pytest.approx(found.tasks, abs=3 * found.tasks**0.5)
        people_rate(study, 1, SIZE)
        assert get_share(study) == 0.3
        after = measure(model)
        assert after["overall"]["labelled"] == before["overall"]["labelled"] + drawn()
        # A title changes nothing. Without its first item, a task is another one, which has another chance.
        load(endpoint.address, tasks=three, dialogues=corpus(240), title="Another title")
        assert get_share(study) == 0.3
        first = rows(
            "SELECT i.key FROM task_item x JOIN item i ON i.id = x.item_id WHERE x.position = 0 LIMIT 1"
        )[0][0]
        left = [each for each in corpus(240) if each.key != first.split("#")[0]]
        load(endpoint.address, tasks=three, dialogues=left)
        people_rate(study, 2, SIZE)
        assert not open_for_people()
        assert get_share(study) is None


def open_for_people() -> int:
    found = """SELECT count(*) FROM place p JOIN pool o ON o.id = p.pool_id JOIN batch b ON b.id = p.batch_id
               WHERE o.name = 'own' AND p.state = 'open'"""
    return int(rows(found)[0][0])


def test_a_version_with_other_items_has_no_chances_until_people_have_rated_them():
    from labelwright.server.results.actions.export import get_exact_share, get_share

    address, fewer = "http://127.0.0.1:9/v1", corpus(SIZE)[:100]
    study = load(address, dialogues=fewer)
    people_rate(study, 1, 5)
    assert get_share(study) == 0.3
    # The items that were added come last, so those that are rated so far are not a random part.
    load(address)
    assert get_share(study) is None
    people_rate(study, 1, SIZE)
    assert get_share(study) == 0.3
    # People had finished with the items that are corrected; of others that are removed later they had not.
    given = {key for (key,) in rows(f"SELECT key FROM item WHERE id IN ({OF_PEOPLE})")}
    some = sorted(key.split("#")[0] for key in given)
    load(address, dialogues=corrected({*some[:3]}))
    assert get_exact_share(study) == 0.3
    load(address, dialogues=[each for each in corpus(SIZE) if each.key != some[0]])
    assert get_exact_share(study) is None


def test_a_correction_that_is_taken_back_keeps_the_chance():
    from labelwright.server.store.models import ItemRow

    study = load("http://127.0.0.1:9/v1")
    load("http://127.0.0.1:9/v1", dialogues=corrected({"d003"}))
    newest = ItemRow.objects.filter(study=study, key="d003#1").latest("pk")
    ItemRow.objects.filter(pk=newest.pk).update(people_chance=0.6, chance_at=datetime.now(UTC))
    load("http://127.0.0.1:9/v1", title="Taken back")
    assert rows("SELECT people_chance FROM item WHERE key = 'd003#1'") == [(0.6,), (0.6,)]


@pytest.mark.parametrize(
    ("then", "people"),
    [
        ({"seed": 99}, True),
        ({"share": 0.1}, True),
        ({"tasks": {"items_per_task": 2}}, True),
        ({"share": 0.4}, True),
        ({"share": 0.1, "seed": 99}, False),
    ],
)
def test_chances_before_the_first_draw_are_known_or_nothing_is_drawn(then: dict[str, Any], people: bool):
    """A version that people have not worked under decides nothing, and a larger share contains a smaller one."""
    from labelwright.server.results.actions.export import get_exact_share

    study = load("http://127.0.0.1:9/v1")
    if people:
        people_rate(study, 1, 5)
    load("http://127.0.0.1:9/v1", **then)
    assert get_exact_share(study) == (then["share"] if not people or then.get("share") == 0.4 else None)


def corrected(names: set[str]) -> list[Dialogue]:
    """The corpus after somebody has corrected these dialogues."""
    return [
        replace(each, turns=(*each.turns[:-1], Turn("system", "That one.", "fern")))
        if each.key in names
        else each
        for each in corpus(SIZE)
    ]


def test_a_corrected_dialogue_keeps_its_chance_and_another_seed_ends_the_estimate():
    from labelwright.server.results.actions.export import get_answers, get_share

    with LlmEmulator(unsure) as endpoint:
        study, model = load_rated(endpoint.address)
        measure(model)
        have_drawn(model, 0.09)
        people_rate(study, 1, SIZE)
        chances = dict(rows("SELECT key, people_chance FROM item"))
        # One that was drawn, one of the share, and one that only the model rates.
        [one_drawn, one_given, one_left] = [
            rows(f"SELECT min(key) FROM item WHERE {which}")[0][0]
            for which in ("drawn", f"NOT drawn AND id IN ({OF_PEOPLE})", f"id NOT IN ({OF_PEOPLE})")
        ]
        changed = {key.split("#")[0] for key in (one_drawn, one_given, one_left)}
        load(endpoint.address, dialogues=corrected(changed))
        rate(model)
        people_rate(study, 2, SIZE)
        # People get what they had got before it was corrected, and nothing else.
        again = rows(
            f"SELECT key FROM item WHERE id IN ({OF_PEOPLE}) GROUP BY key HAVING count(*) = 2 ORDER BY 1"
        )
        assert {key for (key,) in again} == {one_drawn, one_given}
        assert get_share(study) == 0.3
        given = {
            row["item"]: row["probability"] for row in get_answers(study) if row["rater_kind"] == "person"
        }
        assert given[f"{one_drawn}@2"] == chances[one_drawn]
        assert given[f"{one_given}@2"] == chances[one_given]
        # The model rates the corrected texts too.
        of_model = {row["item"] for row in get_answers(study) if row["rater_kind"] == "model"}
        assert {f"{key}@2" for key in (one_drawn, one_given, one_left)} <= of_model
        assert measure(model)["overall"]["combined"]["low"] is not None
        # Another seed puts other items into the share, to which the chances do not apply.
        load(endpoint.address, dialogues=corrected(changed), seed=99)
        people_rate(study, 2, SIZE)
        assert get_share(study) is None
        assert "it is not known how the items" in measure(model)["no_scores"]


def longer(dialogue: Dialogue, number: int) -> Dialogue:
    """With a second exchange, so that there is something to describe before it."""
    more = (Turn("user", f"Any other, number {number}."), Turn("system", "That.", "fern"))
    return replace(dialogue, turns=dialogue.turns + more)


def test_drawn_items_wait_for_their_texts():
    """A text that is not made at the time of the draw keeps its item from people, and opens it when it is made."""
    from labelwright.server.contexts.jobs import generate
    from labelwright.server.store.models import Context
    from tests.agreed_costs import agree

    def answer(body: dict[str, Any], before: int) -> EndpointReply:
        if "response_format" in body:
            return unsure(body, before)
        return completion("The user wants a boat.")

    texts = {
        "name": "m",
        "parameters": {"max_tokens": 50},
        "per_minute": 60_000,
        "burst": 1000,
        "attempts": 3,
    }
    with LlmEmulator(answer) as endpoint:
        study = load(
            endpoint.address,
            dialogues=[longer(each, n) for n, each in enumerate(corpus(100))],
            items={"per_dialogue": 1, "turns_before": 2},
            conditions={"one": {"context": {"need": "llm"}}},
            context={"model": {**texts, "address": endpoint.address}},
        )
        version = study.versions.latest("n").pk
        agree(version)
        generate(version)
        model = start(study)
        rate(model)
        people_rate(study, 1, SIZE)
        measure(model)
        left = Context.objects.exclude(item_id__in=[each for (each,) in rows(OF_PEOPLE)])
        left.update(state=Context.State.WAITING, content="")
        have_drawn(model, 0.09)
        many = drawn()
        assert many
        places = f"SELECT state, count(*)::int FROM place WHERE task_id IN ({OF_DRAWN}) GROUP BY 1"
        assert rows(places) == [("waiting", many)]
        generate(version)
        assert rows(places) == [("open", many)]


def test_a_score_without_an_interval_asks_for_no_more_items():
    from labelwright.server.judges.actions.draws import get_reaches

    known = {"value": 2.0, "low": 1.75, "high": 2.25}
    unknown = {"value": 2.0, "low": None, "high": None}
    rows_of = [
        {"name": name, "combined": combined, "labelled": 10, "items": 100}
        for name, combined in (("fern", known), ("moss", unknown))
    ]
    found = get_reaches({"overall": rows_of[0], "scores": rows_of, "differences": [rows_of[1]]}, 0.125)
    assert [each.name for each in found] == ["fern", "fern"]
    # Half the width needs four times as many; 10 are there.
    assert found[0].needed == 30


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"share": 1.0}, "people rate every item"),
        ({"gold": {"d000#1": {"useful": 1}}, "tasks": {"gold_one_in": 9}}, "gold items"),
        ({"batches": {"calendar": [{"opens": "2026-01-01T09:00:00+00:00"}]}}, "calendar"),
    ],
)
def test_where_items_cannot_be_drawn_the_reason_is_told(changes: dict[str, Any], why: str):
    from labelwright.server.judges.actions.draws import NotDrawable

    study = load("http://127.0.0.1:9/v1", dialogues=corpus(40), **changes)
    with pytest.raises(NotDrawable, match=why):
        planned(start(study), 0.1)
