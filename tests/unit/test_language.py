"""The language check finds what it lists, with its line, and nothing else."""

from __future__ import annotations

import pytest

from scripts.language import PHRASES, check, is_checked

CATALOGUE = "src/labelwright/server/locale/it/LC_MESSAGES/django.po"
TEMPLATE = "src/labelwright/server/rating/templates/rater/task.html"


@pytest.mark.parametrize("phrase", PHRASES)
def test_every_listed_phrase_is_found_in_any_case(phrase: str) -> None:
    assert len(check("docs/page.md", f"# Title\n\nSome words, {phrase.upper()}, and more.")) == 1


def test_a_finding_names_the_file_the_line_and_a_better_wording() -> None:
    text = "# Title\n\nThis page is for\nwho runs a study."
    assert check("docs/page.md", text) == [
        'docs/page.md:3: "for who runs a study": write "for study owners" instead'
    ]


def test_rater_templates_are_searched_for_words_that_raters_do_not_know() -> None:
    text = '<p>Next</p>\n<p title="Your batch">{% translate "This item is gone." %}</p>'
    assert check(TEMPLATE, text) == [
        f'{TEMPLATE}:2: "batch": write "tasks" instead',
        f'{TEMPLATE}:2: "item": write "reply" instead',
    ]


@pytest.mark.parametrize(
    "text",
    [
        '<p class="item flag">{{ item.text }}</p>',
        "{% for item in items %}<li>Reply</li>{% endfor %}",
        '{# The item is shown first. #}<a href="/batch">Golden itemised pooling</a>',
        '<script type="module" src="{{ pool }}"></script>',
    ],
)
def test_names_in_the_code_of_a_template_are_not_words(text: str) -> None:
    assert check(TEMPLATE, text) == []


def test_requesters_may_read_every_word() -> None:
    assert check("src/labelwright/server/results/templates/results/items.html", "<p>12 items</p>") == []


def test_sentences_for_raters_are_searched_but_not_the_names_of_their_values() -> None:
    text = (
        '#: a.py\nmsgid "{item} of {number}"\nmsgstr ""\n\n#: b.py\nmsgid "Your lease is over."\nmsgstr ""\n'
    )
    assert check(CATALOGUE, text) == [f'{CATALOGUE}:6: "lease": write "time" instead']


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("README.md", True),
        ("docs/how-to/page.md", True),
        ("studies/demo/study.yaml", True),
        ("src/labelwright/task/answers.py", True),
        (CATALOGUE, True),
        (CATALOGUE.replace("/it/", "/ar/"), False),
        ("scripts/language.py", False),
        ("tests/unit/test_language.py", False),
        ("docs/pictures/rater-1280.png", False),
    ],
)
def test_tests_data_and_the_check_itself_are_not_searched(path: str, expected: bool) -> None:
    assert is_checked(path) is expected
