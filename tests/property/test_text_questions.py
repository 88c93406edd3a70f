"""Spans and sentences: the server takes exactly what the model allows, in any text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labelwright.task.presentation import Asking, ItemParts
from labelwright.task.questions import BadAnswer
from labelwright.task.questions.sentences import SentencesQuestion, chosen_sentences
from labelwright.task.questions.spans import SpansQuestion

ODD = st.sampled_from(
    ["👩‍🚀", "🇺🇳", "𝔘", "e\u0301", "مرحبا", "\u202e", "\r\n", " ", "\u00a0", ". ", "؟", "word"]
)
TEXTS = st.lists(ODD | st.characters(exclude_categories=["Cs"]), min_size=1, max_size=25).map("".join)
SPANS = st.lists(st.lists(st.integers(-2, 30), min_size=2, max_size=2), max_size=5)


def ask(text: str) -> Asking:
    return Asking({}, ItemParts(passage=text))


def spans_question(**options: Any) -> SpansQuestion:
    return SpansQuestion.model_validate({"name": "q", "type": "spans", "text": "Mark.", **options})


def sentences_question(**options: Any) -> SentencesQuestion:
    return SentencesQuestion.model_validate({"name": "q", "type": "sentences", "text": "Choose.", **options})


def allowed(text: str, spans: list[list[int]], question: SpansQuestion) -> bool:
    """What the documentation promises, said a second way: by the characters that each span covers."""
    covered = [set(range(start, end)) for start, end in spans]
    return (
        bool(spans or question.none)
        and len(spans) <= question.max_spans
        and all(start >= 0 and end <= len(text) for start, end in spans)
        and all(
            any(not text[n].isspace() for n in span)
            for span in covered
            if all(n in range(len(text)) for n in span)
        )
        and all(covered)
        and all(question.max_characters is None or len(span) <= question.max_characters for span in covered)
        and sum(map(len, covered)) == len(set().union(*covered))
    )


@given(TEXTS, SPANS, st.sampled_from([None, "Nothing"]), st.sampled_from([None, 3]))
def test_exactly_the_spans_that_lie_apart_in_the_text_are_taken(
    text: str, spans: list[list[int]], none: str | None, most: int | None
) -> None:
    question = spans_question(none=none, max_characters=most, max_spans=4)
    if allowed(text, spans, question):
        assert question.check(spans, ask(text)) == sorted(spans)
    else:
        with pytest.raises(BadAnswer):
            question.check(spans, ask(text))


@given(TEXTS, st.integers(1, 4), st.integers(0, 3), st.sampled_from([None, 1, 5]), st.integers(0, 9))
def test_simulated_raters_mark_what_is_taken(
    text: str, least: int, more: int, most: int | None, seed: int
) -> None:
    question = spans_question(min_spans=least, max_spans=least + more, max_characters=most)
    assume(question.applies(ask(text)))
    drawn = question.sample(ask(text), np.random.default_rng(seed))
    question.check_complete(question.check(drawn, ask(text)))


@given(
    TEXTS, st.lists(st.integers(-1, 6), max_size=4), st.sampled_from([None, 2]), st.sampled_from([None, "No"])
)
def test_exactly_sentences_of_the_text_are_taken(
    text: str, chosen: list[int], most: int | None, none: str | None
) -> None:
    question = sentences_question(max_sentences=most, none=none)
    sentences = [[s["start"], s["end"]] for s in question.view(ask(text))["sentences"]]
    value = {"sentences": sentences, "chosen": chosen}
    distinct = len(set(chosen)) == len(chosen) and all(0 <= n < len(sentences) for n in chosen)
    if distinct and bool(chosen or none) and len(chosen) <= (most or len(sentences)):
        stored = question.check(value, ask(text))
        assert chosen_sentences(stored) == [tuple(sentences[n]) for n in sorted(chosen)]
        assert [part.code for part in question.parts(stored).values()] == [
            int(n in chosen) for n in range(len(sentences))
        ]
    else:
        with pytest.raises(BadAnswer):
            question.check(value, ask(text))
