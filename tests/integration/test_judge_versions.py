"""Versions of a model's instructions: divided before the first, development items shown, held-out items opened once."""

from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from labelwright.corpus import Dialogue, Turn
from labelwright.judging import AlreadyOpened
from labelwright.judging.alignment import is_held_out
from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion
from tests.integration.test_model_raters import load, people_rate
from tests.processes import Server
from tests.rows import rows

pytest.importorskip("openai", reason="the extra `llm` is not installed")
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.once,
    pytest.mark.usefixtures("database"),
]

SEED = 7
"""Of the small study."""


def corpus(size: int) -> list[Dialogue]:
    return [
        Dialogue(
            f"d{n:03}",
            (
                Turn("user", f"Which boat, number {n}."),
                Turn("system", "The white one.", "fern" if n % 2 else "gorse"),
            ),
        )
        for n in range(size)
    ]


def number_in(body: dict[str, Any]) -> int:
    return int(body["messages"][1]["content"].split("number ")[1].split(".")[0])


def learns(body: dict[str, Any], _before: int) -> EndpointReply:
    """Answers as people do if it is told to be careful; otherwise as they do on every second item."""
    number = number_in(body)
    careful = "Be careful." in body["messages"][0]["content"]
    code = 1 + (number + (number % 2 and not careful)) % 3
    return completion(json.dumps({"item_1": {"useful": code, "comment": None}}))


def load_rated(address: str, size: int = 70, people: int = 3) -> Any:
    study = load(address, corpus=corpus(size), conditions={"one": {}}, items={"per_dialogue": 1})
    people_rate(study, people, size)
    return study


def try_version(study: Any, instructions: str, change: str) -> Any:
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.versions import declare_version, get_planned_version
    from labelwright.server.judges.jobs import try_out

    now, pool = datetime.now(UTC), find_model(study, None)
    run = declare_version(pool, get_planned_version(pool, change, instructions, now), "ana", now)
    assert try_out(pool.pk) == "none_left"
    run.refresh_from_db()
    return run


def test_versions_see_development_items_and_held_out_items_are_opened_once():
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.versions import get_planned_opening, get_versions, open_held_out
    from labelwright.server.judges.jobs import try_out

    now = datetime.now(UTC)
    with LlmEmulator(learns) as endpoint:
        study = load_rated(endpoint.address)
        first = try_version(study, "", "As raters see it")
        asked = {number_in(body) for body in endpoint.bodies}
        keys = dict(rows("SELECT substr(key, 2, 3)::int, key FROM item"))
        development = {number for number, key in keys.items() if not is_held_out(key, SEED)}
        assert asked == development
        assert 20 < len(development) < 50
        [found] = first.figures["questions"]
        shown = {keys_number(each["item"]) for each in found["disagreements"]}
        # It differs on the odd ones, and everybody differs where people do not agree with each other.
        assert {number for number in development if number % 2} <= shown <= development
        assert len(shown) == found["differ"] > 0
        second = try_version(study, "Be careful.", "Asks for care")
        [better] = second.figures["questions"]
        assert better["agreement"]["value"] > found["agreement"]["value"]
        pool = find_model(study, None)
        planned = get_planned_opening(pool, 2, now)
        assert "opened once for each version" in planned.sentence
        before = len(endpoint.bodies)
        run = open_held_out(pool, planned, "ana", now)
        assert try_out(pool.pk) == "none_left"
        assert {number_in(body) for body in endpoint.bodies[before:]} == set(keys) - development
    with pytest.raises(AlreadyOpened):
        open_held_out(pool, planned, "ana", now)
    run.refresh_from_db()
    assert run.figures is not None
    [unseen] = run.figures["questions"]
    assert unseen["disagreements"] == []
    assert unseen["agreement"]["value"] > 0.7
    newest, oldest = get_versions(pool.pk)
    assert (newest.version.number, oldest.version.number) == (2, 1)
    assert (newest.version.change, oldest.held_out) == ("Asks for care", None)
    assert (
        rows("SELECT what, who FROM audit WHERE what = 'start_judge_run'") == [("start_judge_run", "ana")] * 3
    )


@pytest.mark.once
def test_a_model_that_gives_no_usable_answer_ends_its_run_without_figures():
    with LlmEmulator(lambda _body, _before: completion("I would rather not.")) as endpoint:
        run = try_version(load_rated(endpoint.address, 60, 1), "", "")
        # Three attempts for each item, and no more.
        assert len(endpoint.bodies) == 3 * run.items
    assert run.finished_at is not None
    assert run.figures == {"questions": []}


def keys_number(item: str) -> int:
    return int(item[1:4])


@pytest.mark.once
def test_the_command_tells_the_cost_asks_and_shows_both_figures(tmp_path: Any):
    from labelwright.cli import register_commands

    app, prompt = register_commands(), tmp_path / "prompt.txt"
    prompt.write_text("Be careful.")
    with LlmEmulator(learns) as endpoint:
        load_rated(endpoint.address, 60)
        told = CliRunner().invoke(app, ["judge", "align", "tiny", "--prompt", str(prompt)], input="n\n")
        assert told.exit_code == 1, told.output
        assert "Version 1 on" in told.output
        assert endpoint.bodies == []
        for arguments in (["--change", "Care"], ["--open"]):
            command = ["judge", "align", "tiny", "--prompt", str(prompt), "--yes", "--here", *arguments]
            told = CliRunner().invoke(app, command)
            assert told.exit_code == 0, told.output
        assert re.search(r"Version 1, useful: development \S+ \[.*\], held-out \S+ \[", told.output), (
            told.output
        )
        probed = CliRunner().invoke(
            app, ["judge", "probe", "tiny", "--kind", "length", "--smallest", "0.6", "--yes", "--here"]
        )
        assert "A bias of 0.6 is absent" in probed.output, probed.output


@pytest.mark.once
def test_a_program_probes_a_model_tries_versions_and_reads_what_was_found(server: Server):
    from labelwright.client import CallFailed, Client
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.worker import run_waiting
    from labelwright.server.team.actions.tokens import create_token

    me, _ = add_user("me@example.org")
    token = create_token(me, "judge", list(Permission), 1, datetime.now(UTC))
    with LlmEmulator(learns) as endpoint, closing(Client(server.root, token)) as client:
        study = load_rated(endpoint.address)
        study.owner = me
        study.save()
        client.start_model(study.public_id, client.model_raters(study.public_id)[0])
        proposed = client.probe_model(study.public_id, "judge", "length")
        assert (proposed.items, proposed.started) == (70, False)
        assert "each judged twice" in proposed.sentence
        assert endpoint.bodies == []
        assert client.probe_model(study.public_id, "judge", "length", seen=proposed).started
        cheap = client.align_model(study.public_id, "judge", "Be careful.", "Asks for care")
        with pytest.raises(CallFailed, match="the cost has changed"):
            less = cheap.model_copy(update={"requests": 1})
            client.align_model(study.public_id, "judge", "Be careful.", "Asks for care", seen=less)
        client.align_model(study.public_id, "judge", "Be careful.", "Asks for care", seen=cheap)
        opening = client.align_model(study.public_id, "judge", "Be careful.", open_held_out=True)
        client.align_model(study.public_id, "judge", "Be careful.", open_held_out=True, seen=opening)
        with pytest.raises(CallFailed, match="already opened"):
            client.align_model(study.public_id, "judge", "Be careful.", open_held_out=True, seen=opening)
        run_waiting("contexts")
        run_waiting("default")
        found = client.model_findings(study.public_id, "judge")
        # An earlier release stored figures without the name.
        rows("UPDATE model_budget SET figures = figures #- '{questions,0,name}' RETURNING pool_id")
        assert client.model_findings(study.public_id, "judge").questions[0].name == ""
    [question] = found.questions
    assert (question.name, question.verdict, question.refused) == ("useful", "may not stand in", "")
    assert {score.name for score in question.scores} == {"fern", "gorse", "fern - gorse"}
    assert {probe.kind for probe in found.probes} >= {"length"}
    [version] = found.versions
    assert (version.number, version.change, version.name) == (1, "Asks for care", "useful")
    assert version.development is not None
    assert version.held_out is not None
