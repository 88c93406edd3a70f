"""Raters' texts are complete in every language, and keep what is put into them."""

from __future__ import annotations

import gettext
import re
from io import BytesIO
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo

from tests.catalogues import messages

PLACES = re.compile(r"%\(\w+\)s|\{\w+\}|</?\w+[^>]*>|&#?\w+;|Ctrl ↵")
"""What must stand in a translation as in its source: values, marks, characters and keys."""
NUMBERS = range(300)

script = messages()


@pytest.fixture(params=script.LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_no_sentence_is_open_and_none_is_left_over(language: str) -> None:
    assert script.open_sentences(language) == []
    known = {message.id for message in script.catalogue(language) if message.id}
    assert known == set(script.found())


def test_what_enters_a_sentence_enters_its_translation(language: str) -> None:
    wrong = [
        (source, said)
        for message in script.catalogue(language)
        if isinstance(message.id, str) and message.id
        for source, said in [(message.id, message.string)]
        if _places(source) != _places(said)
    ]
    assert wrong == []


def test_every_plural_form_is_there_and_names_its_number(language: str) -> None:
    catalogue = script.catalogue(language)
    rule = gettext.c2py(catalogue.plural_expr)
    counts = [[n for n in NUMBERS if rule(n) == form] for form in range(catalogue.num_plurals)]
    assert all(counts)
    for message in _plurals(catalogue):
        assert isinstance(message.string, tuple)
        assert len(message.string) == catalogue.num_plurals
        for said, met in zip(message.string, counts, strict=True):
            assert said
            places = set(_places(message.id[1]))
            assert set(_places(said)) <= places
            # A form for one number alone may say it in a word.
            assert places - set(_places(said)) <= ({"{n}", "%(n)s"} if len(met) == 1 else set())


def test_arabic_counts_in_six_forms() -> None:
    told = _spoken("ar")
    said = [told.ngettext("%(n)s task received.", "%(n)s tasks received.", n) for n in (0, 1, 2, 3, 11, 100)]
    assert said[:3] == ["لم نستلم أي مهمة.", "استلمنا مهمة واحدة.", "استلمنا مهمتين."]
    assert [text % {"n": 9} for text in said[3:]] == ["استلمنا 9 مهام.", "استلمنا 9 مهمة.", "استلمنا 9 مهمة."]


def test_what_requesters_read_is_not_gathered() -> None:
    texts = [text for found in script.found() for text in ([found] if isinstance(found, str) else found)]
    assert [text for text in texts if "`" in text or "labelwright " in text] == []


def _plurals(catalogue: Any) -> list[Message]:
    return [message for message in catalogue if isinstance(message.id, tuple)]


def _places(text: str) -> list[str]:
    return sorted(PLACES.findall(text))


def _spoken(language: str) -> gettext.GNUTranslations:
    """The catalogue as it is read from the compiled form, without a file."""
    file = BytesIO()
    write_mo(file, script.catalogue(language))
    return gettext.GNUTranslations(BytesIO(file.getvalue()))
