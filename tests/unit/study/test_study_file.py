"""Every mistake of a study file is reported with its line, what was expected and the nearest name."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.study import BadStudy, check_study, json_schema, read_study
from labelwright.study.file import MOST_MISTAKES
from labelwright.study.templates import template, write_template
from labelwright.wording import PATTERNS
from tests.studies import study_text

DEMO = Path(__file__).parents[3] / "studies" / "demo" / "study.yaml"


def mistakes(text: str) -> list[tuple[int, str]]:
    study, found = check_study(text)
    assert (study is None) == bool(found)
    return [(mistake.line, mistake.what) for mistake in found]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_the_demo_study_has_no_mistakes():
    study, text = read_study(DEMO)
    assert study.name == "demo"
    assert mistakes(text) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("scale: useful", "scale: usefull", 'uses scale "usefull", which is not defined. Defined scales: useful. Did you mean "useful"?'),
        ("redundancy: 3", "redundnacy: 3", '"redundnacy" is not a valid field here.'),
        ("type: text", "type: txt", '"type" is "txt", which does not exist. Expected one of: attention, choice, choices'),
        ("turns_before: 0", "turns_before: -1", '"turns_before" should be at least 0. Found: -1.'),
        ("seed: 7", "seed: seven", '"seed" should be a whole number. Found: "seven".'),
        ("reader: chat_messages", "reader: chat_mesages", 'Did you mean "chat_messages"?'),
        ("aspect: usefulness", "aspect: usefulnes", 'uses aspect "usefulnes", which is not defined.'),
        ("seconds: 15", "secnds: 15", '"secnds" is not a valid field here. Valid fields: rule, then, then_by_platform, then_by_condition, seconds, per_condition. Did you mean "seconds"?'),
        ("code: 2", "code: 1", '"useful": two points have the same code.'),
        ("platform: link", "platform: mtrk", '"platform" is "mtrk", which does not exist. Expected one of: link, panel, prolific, mturk, model.'),
        ("name: tiny", "name: Tiny Study", '"name" should have only small letters, digits and hyphens'),
        ("title: Tiny study", "title: Tiny study\ntitle: Again", '"title" appears twice.'),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_at_its_line(old: str, new: str, expected: str):
    text = study_text().replace(old, new, 1)
    found = mistakes(text)
    at_line = [what for line, what in found if expected in what]
    assert at_line, found
    marker = "Again" if "Again" in new else new
    lines = [line for line, what in found if expected in what]
    if "same code" not in expected:
        assert lines == [line_of(text, marker) + (1 if "\n" in marker else 0)]


def test_every_mistake_is_reported_at_once():
    text = (
        study_text()
        .replace("seed: 7", "seed: x")
        .replace("scale: useful", "scale: nope")
        .replace("type: text", "type: nope")
    )
    assert len(mistakes(text)) == 3


def test_a_missing_part_is_named():
    text = study_text().replace("redundancy: 3\n", "")
    assert mistakes(text) == [(1, '"redundancy" is missing.')]


def test_yes_and_no_stay_words():
    text = study_text().replace("name: Not useful", "name: No").replace("name: Very useful", "name: Yes")
    study, found = check_study(text)
    assert not found
    assert study is not None
    assert [point.name for point in study.scales["useful"].points] == ["No", "Somewhat useful", "Yes"]


def test_odd_names_and_numbers_are_told_not_thrown():
    for old, new in (
        ("  SECRET0:", "  2001-01-01:"),
        ("  SECRET0:", "  1:"),
        ("redundancy: 3", "redundancy: 1:30"),
        ("seed: 7", "seed: " + "9" * 5000),
        ("seed: 7", "seed: 0o17"),
    ):
        text = study_text().replace(old, new, 1)
        assert mistakes(text), new


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty."),
        ("- a\n- b", "this is not a study file"),
        ("a: [1", "a list that begins with [ is not closed"),
        ("a:\n\tb: 1", "this is not valid YAML: the line is indented with a tab. Use spaces."),
        ("a: b: c", "there is a colon where none is expected"),
        ('a: "b', "a quotation mark is not closed"),
        ("a: &x [1]\nb: *x", "aliases (*name) are not supported"),
        ("a: !!python/object/apply:os.system ['true']", "this is not valid YAML"),
    ],
)
def test_what_is_no_study_file_is_refused(text: str, expected: str):
    ((_, what),) = mistakes(text)
    assert expected in what


@given(st.text(max_size=300))
def test_no_text_makes_the_check_fail(text: str):
    study, found = check_study(text)
    assert study is None
    assert found


def test_a_file_that_is_not_there_or_not_text_is_told(tmp_path: Path):
    with pytest.raises(BadStudy, match="cannot be read"):
        read_study(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_bytes(b"labelwright: 1\nname: \xff\xfe")
    with pytest.raises(BadStudy, match=r"bad\.yaml:2: the file is not UTF-8"):
        read_study(tmp_path / "bad.yaml")


@pytest.mark.parametrize(
    ("name", "option"), [("passages.jsonl", "passages"), ("levels.txt", "qrels"), ("topics.json", "path")]
)
@pytest.mark.parametrize("verb", ["check", "plan", "load"])
def test_a_missing_file_of_the_corpus_is_a_mistake_at_its_line(
    tmp_path: Path, verb: str, name: str, option: str
):
    file = write_template(template("spans"), tmp_path)
    (tmp_path / name).unlink()
    done = CliRunner().invoke(register_commands(), ["study", verb, str(file)])
    line = line_of(file.read_text(), f"{option}: {name}")
    assert f'study.yaml:{line}: the corpus file "{name}" is missing.' in str(done.exception)


def test_a_passage_without_text_is_a_mistake(tmp_path: Path):
    file = write_template(template("spans"), tmp_path)
    (tmp_path / "passages.jsonl").write_text('{"id": "other", "text": "Other."}\n')
    checked, planned = (
        CliRunner().invoke(register_commands(), ["study", verb, str(file)]) for verb in ("check", "plan")
    )
    assert f"study.yaml:{line_of(file.read_text(), 'passages: ')}: the passage " in str(checked.exception)
    assert "has no text" in str(planned.exception)


def test_messages_name_no_pattern_and_no_library():
    patterns = set(re.findall(r'"pattern": ("(?:[^"\\\\]|\\\\.)*")', json.dumps(json_schema())))
    # The one that is a default of our own is not checked against a value.
    asked = {pattern for text in patterns if (pattern := json.loads(text)).startswith("^")}
    assert asked <= PATTERNS.keys()
    text = study_text().replace("reader: chat_messages", "reader: candidate")
    ((_, what),) = mistakes(text)
    assert what.endswith('Did you mean "candidates"?')


def test_the_schema_knows_every_part():
    schema = json_schema()
    assert set(schema["required"]) <= set(schema["properties"])
    assert {"ScaleQuestion", "TextQuestion", "TooFast", "LinkPool"} <= set(schema["$defs"])


def test_the_time_of_a_check_grows_with_the_file():
    """Four times as many mistakes take about four times as long; each used to be compared with every name."""

    def seconds(count: int) -> float:
        scales = {f"s{n}": {"points": [{"code": 1, "name": "A"}]} for n in range(count)}
        asked = [{"name": f"q{n}", "type": "scale", "text": "A?", "scale": f"s{n}x"} for n in range(count)]
        text = study_text(scales=scales, designs={"d": {"questions": asked}})
        started = time.process_time()
        study, found = check_study(text)
        spent = time.process_time() - started
        assert study is None
        assert found[-1].what == "there are more mistakes from here on."
        assert len(found) <= MOST_MISTAKES + 1
        return spent

    seconds(10 * MOST_MISTAKES)
    rounds = [(seconds(1000), seconds(4000)) for _ in range(3)]
    # Quadratic growth would be 16 in every round. The rest is for a busy machine.
    assert min(large / small for small, large in rounds) < 9


@pytest.mark.parametrize(
    "text",
    ["a: " + "[" * 100_000, "- " * 100_000, "{a: " * 100_000, "? " * 100_000],
    ids=["lists", "dashes", "mappings", "keys"],
)
def test_deep_nesting_neither_ends_the_process_nor_takes_long(text: str):
    ((_, what),) = mistakes(text)
    assert "nested too deeply" in what


def test_nested_aliases_are_refused_before_they_are_expanded():
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    ((line, what),) = mistakes(f"a0: &a0 [x]\n{levels}")
    assert (line, what) == (2, "aliases (*name) are not supported in study files.")
