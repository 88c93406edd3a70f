"""Gold items against the corpus and against what raters can do: what `check` and `plan` say of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from labelwright.cli import register_commands
from labelwright.study import gold_warnings
from tests.studies import dialogues, parse, pool, study_data, study_text


def command(folder: Path, verb: str, **changes: Any) -> Result:
    """A command on a study of four dialogues, whose items are d0#2, d0#4 and so on."""
    with (folder / "dialogues.jsonl").open("w") as file:
        for dialogue in dialogues(4):
            messages = [
                {"role": "user" if turn.speaker == "user" else "assistant", "content": turn.text}
                for turn in dialogue.turns
            ]
            file.write(json.dumps({"id": dialogue.key, "messages": messages}) + "\n")
    (folder / "study.yaml").write_text(study_text(**changes))
    return CliRunner().invoke(register_commands(), ["study", verb, str(folder / "study.yaml")])


def test_a_gold_item_that_is_not_in_the_corpus_is_named_with_its_line(tmp_path: Path):
    gold = {"d0#4": {"useful": 3}, "d1#44": {"useful": 3}}
    done = command(tmp_path, "check", gold=gold, tasks={"gold_one_in": 2})
    lines = (tmp_path / "study.yaml").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, start=1) if "d1#44" in text)
    expected = (
        f'study.yaml:{line}: gold names the item "d1#44", which is not in the corpus. Did you mean "d1#4"?'
    )
    assert done.exit_code != 0
    assert expected in str(done.exception)
    planned = command(tmp_path, "plan", gold=gold, tasks={"gold_one_in": 2})
    assert 'gold names the item "d1#44"' in str(planned.exception)
    # Reference answers that are only for a qualification, or for later, are checked too.
    assert 'gold names the item "d1#44"' in str(command(tmp_path, "check", gold=gold).exception)
    assert command(tmp_path, "check", gold={"d0#4": {"useful": 3}}).exit_code == 0


def test_too_few_gold_items_are_a_warning(tmp_path: Path):
    gold = {"d0#4": {"useful": 3}}
    caps = pool(raters=20, caps={"tasks": 6})
    # Six tasks, one in three of them gold: two gold items.
    said = (
        "Warning: a rater can do up to 6 tasks and would then meet 2 gold items, but there are only 1. "
        "Add gold items, or lower the cap on tasks: a rater who has met all of them meets no more."
    )
    for verb in ("check", "plan"):
        done = command(tmp_path, verb, gold=gold, tasks={"gold_one_in": 3}, pools=caps)
        assert done.exit_code == 0, done.output
        assert said in done.output
        enough = command(tmp_path, verb, gold=gold, tasks={"gold_one_in": 4}, pools=caps)
        assert "Warning: a rater" not in enough.output


def test_gold_within_tasks_is_counted_by_items():
    gold = {f"d{n}#4": {"useful": 3} for n in range(3)}
    study = parse(study_text(gold=gold, tasks={"items_per_task": 9, "gold_one_in": 10}))
    # A task of nine items and one gold item is a block: four of them need four gold items.
    assert gold_warnings(study, 3) == []
    assert "4 gold items, but there are only 3" in gold_warnings(study, 4)[0]
    assert gold_warnings(study, None) == []


def test_a_condition_without_gold_is_a_warning_and_has_none():
    reply = study_data()["designs"]["reply"]
    other = reply | {"questions": [reply["questions"][0] | {"name": "fits"}]}
    study = parse(
        study_text(
            designs={"reply": reply, "other": other},
            conditions={"A": {"design": "reply"}, "B": {"design": "other"}},
            gold={"d0#4": {"useful": 3}, "d1#4": {"fits": 3, "useful": 1}},
            tasks={"gold_one_in": 10},
        )
    )
    assert (study.gold_in("A"), study.gold_in("B")) == ({"d0#4", "d1#4"}, {"d1#4"})
    assert gold_warnings(study, 5) == []
    without = study.model_copy(update={"gold": {"d0#4": study.gold["d0#4"]}})
    assert gold_warnings(without, 5) == [
        'no gold item has a reference answer to a question of condition "B", so raters meet no gold there.'
    ]


def test_check_warns_of_a_model_that_is_not_allowed_and_of_a_check_that_names_itself(tmp_path: Path):
    design = study_data()["designs"]["reply"]
    asks = {"type": "attention", "asks": "turns_shown", "text": "How many turns are shown?"}
    questions = [*design["questions"], asks | {"name": "attention_1"}, asks | {"name": "turns"}]
    model = {"name": "m", "address": "https://api.example.com/v1"}
    done = command(
        tmp_path, "check", designs={"reply": design | {"questions": questions}}, context={"model": model}
    )
    assert 'the attention check "attention_1" can be recognised by its name' in done.output
    assert '"turns" can be recognised' not in done.output
    assert 'add "https://api.example.com/v1" to LABELWRIGHT_MODELS' in done.output
