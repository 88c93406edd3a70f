"""The contract of question types, as a test suite that the author of a type inherits.

class TestMyType(QuestionContract):
    question_type = MyQuestion        # gives EXAMPLES, questions as a study file writes them
    refused = {"unknown option": ({"code": 99},), "too long": ("x" * 100_000,)}

It does not cover the page: `question_pages.faults` checks the HTML of a question, and
`tests/browser/test_question_types.py` answers the first example by keyboard and by touch.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

from labelwright.context import AmountRecipe
from labelwright.corpus import Dialogue, ItemsPart, Turn, make_items, turn_records
from labelwright.scales import Point, Scale
from labelwright.task import Asking, Line, StoredItem, item_parts
from labelwright.task.candidates import shown_candidates
from labelwright.task.questions import BadAnswer, Question

SCALES = {
    "useful": Scale(
        points=(
            Point(code=1, name="Not useful", meaning="Does not help.", score=0),
            Point(code=2, name="Somewhat useful", score=0.5),
            Point(code=3, name="Very useful", score=1),
        )
    ),
    "fit": Scale(
        points=(Point(code=0, name="Bad", score=0), Point(code=1, name="Good", score=1)),
    ),
}
"""The scales that examples may use."""

PASSAGE = (
    "The lighthouse 🗼 of Alexandria stood for centuries. It was called «المنارة» by sailors. "
    "Café owners nearby sold <b>maps</b> & lamps 👩‍🚀 to them. An earthquake ended it."
)
CANDIDATES = ("It was tall. 🗼", "<i>Nobody</i> knows.", "كانت في الإسكندرية.")
TURNS = (
    Turn("system", "Hello! How can I help?"),
    Turn("user", "Hi, I am reading about old towers."),
    Turn("system", "Do you mean <b>lighthouses</b>? 🗼", "alpha"),
    Turn("user", "Yes. Where was the most famous one?"),
    Turn("system", "In Alexandria. كانت في الإسكندرية. It is called “Pharos”.", "alpha"),
    Turn("user", "Thanks, that is what I meant!"),
)
RECIPE = AmountRecipe(turns_before=3, next_turn=True)

SENTINEL = "secret-sentinel"
FORBIDDEN = {"aim", "aspect", "score", "scores", "gold", "right", "mixed", "no_answer", "condition"}
"""Keys that a page is never given."""

STORED_NAMES = re.compile(r"[{}\[\]]|\bc\d\b|null|true|false|explanation|chosen")
"""Signs that an answer is shown in its stored form."""

LONG = "word " * 20_000
TEXTS = (
    "",
    " \t\n",
    "plain",
    "0",
    "👩‍🚀🇺🇳 family",
    "مرحبا بالعالم",
    "e\u0301 o\u0308 \u200f\u202e reversed",
    "null \x00 byte",
    "lone \ud800 surrogate",
    "\udfff",
    "\u2028 \ufeff \uffff",
    "</textarea><script>alert(1)</script>",
    LONG,
)
"""Texts that people, scripts and attackers send."""


def _nested(depth: int) -> Any:
    return [_nested(depth - 1)] if depth else []


JSON_VALUES: tuple[Any, ...] = (
    *TEXTS,
    True,
    False,
    0,
    1,
    -1,
    2**31,
    -(2**63),
    10**400,
    0.5,
    -0.0,
    1e308,
    math.nan,
    math.inf,
    -math.inf,
    [],
    [1],
    [None],
    ["x", "x"],
    list(range(5000)),
    _nested(60),
    {},
    {"": None},
    {"a": 1},
    {"value": None},
    {"\x00": "\ud800"},
    {str(n): n for n in range(3000)},
)
"""Values of each JSON type, and others that a JSON parser accepts; many of them are hostile."""


def example_dialogue(kind: str = "exchange", key: str = "d0") -> Dialogue:
    """A dialogue for one item of a kind, with emoji, right-to-left text and markup."""
    if kind == "query":
        question = Turn(
            "user",
            TURNS[3].text,
            meta={"turn_id": f"{key}_1", "passages": [{"id": "p1", "text": PASSAGE, "level": 3}]},
        )
        return Dialogue(key, (*TURNS[:3], question))
    if kind == "candidates":
        candidates = [{"id": str(n), "text": text, "system": f"s{n}"} for n, text in enumerate(CANDIDATES)]
        return Dialogue(key, TURNS[:4], {"candidates": candidates})
    return Dialogue(key, TURNS)


def example_items(kind: str = "exchange") -> ItemsPart:
    """The items part of a study that makes exactly one item of an example dialogue."""
    return ItemsPart.model_validate({"kind": kind} | ({"turns_before": 3} if kind == "exchange" else {}))


def example_asking(kind: str = "exchange") -> Asking:
    """What a question about the example dialogue is given."""
    dialogue = example_dialogue(kind)
    (item,) = make_items([dialogue], example_items(kind), seed=1)
    stored = StoredItem(item.kind, turn_records(dialogue.turns), item.target, item.payload)
    return Asking(SCALES, item_parts(stored, RECIPE))


class QuestionContract:
    """Inherited by the test of each question type; pytest runs its methods there."""

    question_type: ClassVar[type[Question]]
    refused: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    """Values that the first example must reject, by mistake: at least "unknown option" and "too long"."""
    cannot: ClassVar[Mapping[str, str]] = {}
    """Mistakes that an answer of this type cannot have, each with the reason: `{"too long": "..."}`."""

    @property
    def asking(self) -> Asking:
        """The example item of the type."""
        return example_asking(type(self).question_type.EXAMPLE_ITEM)

    def questions(self) -> list[Question]:
        """The examples, each with an aim and an aspect that must not leak."""
        kind = type(self).question_type
        assert kind.EXAMPLES, "a question type gives at least one example"
        return [kind.model_validate({"aim": SENTINEL, "aspect": SENTINEL, **one}) for one in kind.EXAMPLES]

    def samples(self, question: Question, count: int = 30) -> list[Any]:
        """Random answers of the type itself."""
        random = np.random.default_rng(5)
        return [question.sample(self.asking, random) for _ in range(count)]

    def test_is_found_by_the_word_of_its_examples(self) -> None:
        """The examples are of this type."""
        name = type(self).question_type.type_name()
        assert {question.type for question in self.questions()} == {name}

    def test_applies_to_its_example_item(self) -> None:
        """Otherwise the other tests would say nothing."""
        assert all(question.applies(self.asking) for question in self.questions())

    def test_nothing_is_empty_and_a_sample_is_not(self) -> None:
        """Null means "not answered"; an answer of a page does not."""
        for question in self.questions():
            assert question.is_empty(None)
            assert not any(question.is_empty(sample) for sample in self.samples(question))

    def test_takes_what_it_draws_itself(self) -> None:
        """Simulated raters must be able to submit their work."""
        for question in self.questions():
            for sample in self.samples(question):
                question.check_complete(question.check(sample, self.asking))

    def test_refuses_every_other_json_type(self) -> None:
        """Text is not a number, a number is not a list, and true is not 1."""
        for question in self.questions():
            taken = {_json_type(sample) for sample in self.samples(question)}
            for value in JSON_VALUES:
                if _json_type(value) not in taken and not question.is_empty(value):
                    with pytest.raises(BadAnswer):
                        question.check(value, self.asking)

    def test_refuses_what_its_author_says(self) -> None:
        """Unknown options and answers that are too long are rejected, or the suite says why they cannot occur."""
        (question, *_) = self.questions()
        for wrong in {"unknown option", "too long"} | set(self.refused):
            assert self.refused.get(wrong) or self.cannot.get(wrong), wrong
            for value in self.refused.get(wrong, ()):
                assert not question.is_empty(value), (wrong, value)
                with pytest.raises(BadAnswer):
                    question.check_complete(question.check(value, self.asking))

    def test_hostile_values_are_refused_or_stored_safely(self) -> None:
        """Whatever is sent, in whole or inside a good answer: BadAnswer, or something the store can hold."""
        for question in self.questions():
            samples = self.samples(question, 2)
            # What is stored may come back, for instance out of a page that was restored.
            stored = [question.check(sample, self.asking) for sample in samples]
            for sample in [None, *samples, *stored]:
                for value in spoilt(sample):
                    self._check_safely(question, value)

    def test_checking_again_changes_nothing(self) -> None:
        """A stored answer that is sent again is stored as the same, also after JSON."""
        for question in self.questions():
            for sample in self.samples(question):
                self._check_safely(question, sample)

    def test_checks_do_not_change_what_they_are_given(self) -> None:
        """The draft keeps what was sent."""
        for question in self.questions():
            for sample in self.samples(question, 5):
                before = json.dumps(sample)
                question.check(sample, self.asking)
                assert json.dumps(sample) == before

    def test_the_page_knows_no_more_than_it_may(self) -> None:
        """A page has no aim, aspect, score or known answer."""
        for question in self.questions():
            view = question.view(self.asking)
            text = json.dumps(view, allow_nan=False)
            assert SENTINEL not in text
            assert not FORBIDDEN & set(_keys(view))
            assert {"name", "type", "text", "required", "missing"} <= set(view)

    def test_an_answer_is_told_in_plain_words(self) -> None:
        """Different answers read differently, and never in their stored form."""
        for question in self.questions():
            told = {}
            for sample in self.samples(question):
                stored = question.check(sample, self.asking)
                lines = question.words(stored, self.asking)
                assert all(line.said and all(map(str, (*line.said, *line.why))) for line in lines)
                assert len({line.part for line in lines}) == len(lines) > 0
                told[json.dumps(stored)] = text = "; ".join(spoken(lines))
                assert not STORED_NAMES.search(text), text
                assert SENTINEL not in text
            assert len(set(told.values())) == len(told)

    def test_candidates_are_told_by_the_letters_that_the_rater_saw(self) -> None:
        """In another order they have other letters, and the lines still mean the same candidates."""
        asking = self.asking
        turned = replace(asking, order=tuple(range(len(asking.item.candidates)))[::-1])
        for question in self.questions():
            if question.view(asking) != question.view(turned):
                for sample in self.samples(question, 5):
                    stored = question.check(sample, asking)
                    one, other = (
                        _with_texts(question.words(stored, each), each) for each in (asking, turned)
                    )
                    assert one == other

    def test_a_requester_reads_every_part_of_an_answer(self) -> None:
        """With at least the lines that the rater reads."""
        for question in self.questions():
            for sample in self.samples(question, 10):
                stored = question.check(sample, self.asking)
                lines = question.requester_words(stored, self.asking)
                assert {line.part for line in lines} >= {
                    line.part for line in question.words(stored, self.asking)
                }
                assert all(spoken(lines))

    def test_every_accepted_answer_satisfies_the_schema(self) -> None:
        """A schema that is too narrow would lose answers."""
        for question in self.questions():
            valid = _validator(question.answer_schema(self.asking)).is_valid
            for sample in self.samples(question):
                assert valid(sample), sample

    def test_the_schema_excludes_other_json_types_and_unknown_options(self) -> None:
        """So that a language model that follows it gives an answer of the right form."""
        for index, question in enumerate(self.questions()):
            schema = question.answer_schema(self.asking)
            assert schema, "a schema says at least which JSON type an answer has"
            valid = _validator(schema).is_valid
            taken = {_json_type(sample) for sample in self.samples(question)}
            assert not any(valid(value) for value in JSON_VALUES if _json_type(value) not in taken)
            # JSON Schema takes 2.0 for the integer 2, and a check does not.
            unknown = [] if index else type(self).refused.get("unknown option", ())
            assert not [value for value in unknown if not _holds_float(value) and valid(value)]

    def test_the_schema_and_the_prompt_hold_no_secret(self) -> None:
        """A language model is as blind as a rater."""
        for question in self.questions():
            assert SENTINEL not in json.dumps(question.answer_schema(self.asking), allow_nan=False)
            assert SENTINEL not in question.prompt(self.asking)

    def test_the_prompt_asks_the_question_and_says_how_to_answer(self) -> None:
        """All that the page shows in words is in it."""
        for question in self.questions():
            prompt = question.prompt(self.asking)
            assert prompt.startswith(question.text)
            assert "Answer with" in prompt.splitlines()[-1]
            missing = [text for text in _texts(question.view(self.asking)) if text not in prompt]
            assert missing == []

    def test_the_known_answer_is_right(self) -> None:
        """Where the item itself gives an answer, the question accepts it and counts it as right."""
        for question in self.questions():
            known = question.known_answer(self.asking)
            if question.checks_attention:
                assert known is not None
            if known is not None:
                stored = question.check(known, self.asking)
                question.check_complete(stored)
                assert not question.checks_attention or question.code(stored) == 1

    def test_every_stored_name_has_its_column_and_its_aspect(self) -> None:
        """An export can describe each of its columns."""
        for question in self.questions():
            columns = {column.name: column for column in question.export_columns(SCALES)}
            assert question.name in columns
            assert {column.aspect for column in columns.values() if column.aspect} <= question.aspects()
            for sample in self.samples(question, 10):
                for name, part in question.parts(question.check(sample, self.asking)).items():
                    column = columns[_pattern(f"{question.name}.{name}", columns)]
                    assert column.aspect == part.aspect
                    assert column.scale is None or part.code in column.scale.codes

    def test_the_names_it_uses_are_defined(self) -> None:
        """The examples use scales of this suite, and nothing is wrong with them."""
        for question in self.questions():
            assert {name for _, name in question.used_names("scales")} <= SCALES.keys()
            assert question.aspects() <= {name for _, name in question.used_names("aspects")}
            assert list(question.inconsistencies(SCALES)) == []

    def test_what_is_missing_is_said_in_one_sentence(self) -> None:
        """The sentence is constant, so that it can be translated."""
        for question in self.questions():
            said = question.missing()
            assert said == question.missing()
            assert said[0].isupper()
            assert said.endswith(".")
            assert "{" not in said

    def test_refusals_are_constant_sentences(self) -> None:
        """Values are filled in after translation."""
        for question in self.questions():
            for value in [v for v in JSON_VALUES if not question.is_empty(v)]:
                if bad := self._refusal(question, value):
                    assert bad.sentence.endswith(".")
                    assert bad.sentence.format(**bad.values) == str(bad)
                    json.dumps(dict(bad.values))

    def test_what_is_counted_fits_the_store(self) -> None:
        """A code is an integer of 32 bits; parts have names and codes too."""
        for question in self.questions():
            for sample in self.samples(question):
                stored = question.check(sample, self.asking)
                codes = [question.code(stored), *(part.code for part in question.parts(stored).values())]
                assert all(_is_code(code) for code in codes)
                assert all(name and "\x00" not in name for name in question.parts(stored))
                json.dumps([part.value for part in question.parts(stored).values()], allow_nan=False)

    def _refusal(self, question: Question, value: Any) -> BadAnswer | None:
        try:
            question.check_complete(question.check(value, self.asking))
        except BadAnswer as bad:
            return bad
        return None

    def _check_safely(self, question: Question, value: Any) -> None:
        if question.is_empty(value):
            return
        try:
            stored = question.check(value, self.asking)
        except BadAnswer:
            return
        # PostgreSQL stores neither NaN nor NUL nor half a character in JSON; drafts keep what was sent.
        for kept in (value, stored):
            text = json.dumps(kept, allow_nan=False, ensure_ascii=False)
            text.encode()
            assert "\\u0000" not in text
        assert question.check(stored, self.asking) == stored
        assert question.check(json.loads(json.dumps(stored)), self.asking) == stored
        assert _is_code(question.code(stored))


def spoken(lines: Iterable[Line]) -> list[str]:
    """Lines as English text.

    >>> spoken([Line(("Good",), letter="B", about="Fit", why=("It follows.",))])
    ['B: Fit: Good (It follows.)']
    """
    return [
        ": ".join(filter(None, (line.letter, line.about, ", ".join(map(str, line.said)))))
        + (f" ({', '.join(map(str, line.why))})" if line.why else "")
        for line in lines
    ]


def _with_texts(lines: Iterable[Line], asking: Asking) -> list[str]:
    """The lines in any order, with the text of each candidate instead of its letter."""
    texts = {shown.letter: shown.text for shown in shown_candidates(asking)}
    return sorted(re.sub(r"\b[A-Z]\b", lambda letter: texts[letter[0]], told) for told in spoken(lines))


def _validator(schema: dict[str, Any]) -> Any:
    """Altair needs jsonschema, so that it is there wherever Labelwright is."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415  only this suite needs it

    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _holds_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_float, value.values()))
    return isinstance(value, float) or (isinstance(value, list) and any(map(_holds_float, value)))


def _texts(view: Mapping[str, Any]) -> list[str]:
    """The words of the study and of the corpus that a page shows as options: `name`, `text`, `title` in lists."""
    lists = [each for each in view.values() if isinstance(each, list)]
    entries = [entry for each in lists for entry in each if isinstance(entry, dict)]
    shown = [entry[key] for entry in entries for key in ("name", "text", "title", "label") if entry.get(key)]
    return shown + [text for entry in entries for text in _texts(entry)]


def _pattern(name: str, patterns: Iterable[str]) -> str:
    """The pattern that matches a stored name; `*` matches one step."""
    fitting = [one for one in patterns if re.fullmatch(re.escape(one).replace(r"\*", "[^.]+"), name)]
    assert len(fitting) == 1, f"{name} fits {fitting}"
    return fitting[0]


def _is_code(code: object) -> bool:
    return code is None or (isinstance(code, int) and not isinstance(code, bool) and -(2**31) <= code < 2**31)


def _json_type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return {str: "string", list: "array", dict: "object", type(None): "null"}[type(value)]


def spoilt(sample: Any) -> Iterator[Any]:
    """Hostile values in place of an answer, and in place of each value inside it."""
    yield from JSON_VALUES
    if isinstance(sample, dict):
        yield sample | {"surplus": 1}
        yield sample | {"surplus": "null \x00 byte"}
        for key in sample:
            yield {k: v for k, v in sample.items() if k != key}
            yield from ({**sample, key: inner} for inner in spoilt(sample[key]))
    if isinstance(sample, list):
        yield sample + sample
        for index, value in enumerate(sample):
            yield from ([*sample[:index], inner, *sample[index + 1 :]] for inner in spoilt(value))


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(child)
