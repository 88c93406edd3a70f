"""The item pages of studies that are not the demo: candidates, passages with spans, and many dialogues in a task."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
import yaml

from labelwright.corpus import Dialogue, Turn
from labelwright.simulate import Timeline, crowd
from tests.integration.test_rehearsal import MIX, leaving
from tests.studies import NOW, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

RATERS = 5
SENSE = {
    "name": "makes_sense",
    "title": "Makes sense",
    "aspect": "usefulness",
    "options": [
        {"code": 1, "name": "Yes, it does", "score": 1},
        {"code": 0, "name": "No, it does not", "score": 0},
    ],
}
REFERS = {**SENSE, "name": "refers_back", "title": "Refers to what was said"}
COMPARED = (
    {"name": "grid_of_two", "type": "grid", "text": "Judge each reply.", "criteria": [SENSE, REFERS]},
    {
        "name": "preferred",
        "type": "preference",
        "text": "Which reply is better?",
        "aspect": "usefulness",
        "both_bad": True,
    },
    {"name": "in_own_words", "type": "text", "text": "Why?", "min_words": 1, "max_words": 30},
)
MARKED = (
    {
        "name": "answer_parts",
        "type": "spans",
        "text": "Which parts answer the question?",
        "aspect": "usefulness",
        "none": "Nothing here answers it",
        "kinds": [{"name": "core", "label": "Core fact"}, {"name": "more", "label": "Extra"}],
    },
)
WHOLE = ({"name": "went_well", "type": "yes_no", "text": "Did the user succeed?", "aspect": "usefulness"},)
PASSAGE = "Ferrosol is taken once a day, one hour before a meal. Milk has the same effect. Store it below 25 degrees."


def study_of_candidates() -> tuple[str, list[Dialogue]]:
    """Two candidates by two criteria, a preference and a comment."""
    corpus = [
        Dialogue(
            f"talk-{n}",
            (Turn("user", f"How did it go, {n}?"),),
            {"candidates": [{"text": f"From {s}: well, {n}.", "system": s} for s in ("old", "new")]},
        )
        for n in range(4)
    ]
    return _text("pairs", "candidates", COMPARED), corpus


def study_of_spans() -> tuple[str, list[Dialogue]]:
    """Passages in which parts are marked."""
    passages = [{"id": "p", "text": PASSAGE, "level": 3}]
    corpus = [
        Dialogue(
            f"topic-{n}",
            (Turn("user", f"With food, {n}?", meta={"turn_id": f"{n}_1", "passages": passages}),),
        )
        for n in range(3)
    ]
    return _text("parts", "query", MARKED), corpus


def study_of_dialogues() -> tuple[str, list[Dialogue]]:
    """Thirty whole dialogues in one task."""
    corpus = [
        Dialogue(f"call-{n}", (Turn("user", f"A bus to {n}, please."), Turn("system", f"Line {n} at noon.")))
        for n in range(30)
    ]
    return _text("calls", "dialogue", WHOLE, tasks={"items_per_task": 30}), corpus


def _text(name: str, kind: str, questions: Any, **parts: Any) -> str:
    design = {"title": "Judge", "lead": "Judge.", "instructions": "Read.", "questions": list(questions)}
    return study_text(
        name=name,
        items={"kind": kind},
        designs={"only": design},
        conditions={"shown_to_all": {}},
        redundancy=RATERS,
        quality=[],
        pools=pool(raters=RATERS),
        **parts,
    )


@pytest.fixture
def desk() -> Any:
    """A client of a user who sees every study."""
    from django.test import Client

    from labelwright.server.store.models import User

    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.create(username="owner", is_superuser=True))
    return client


def worked(study: tuple[str, list[Dialogue]]) -> Any:
    """The study, worked through by simulated raters."""
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic

    text, corpus = study
    opened = open_rehearsal(text, corpus, RATERS, NOW)
    life = Timeline(crowd(RATERS, MIX, 3, leaving(0.0)), NOW)
    live_fast(life, opened)
    run_periodic(life.worked[-1].ended)
    # Flags and tallies have left marks since the job ran.
    run_periodic(life.worked[-1].ended)
    return opened.row


def page_of(client: Any, row: Any, key: str) -> str:
    """The page of an item, without its head."""
    from labelwright.server.store.models import ItemRow

    item = ItemRow.objects.get(study=row, dialogue__key=key)
    response = client.get(f"/studies/{row.public_id}/items/{item.pk}")
    assert response.status_code == 200
    return response.content.decode().partition("<main")[2]


def words_of(page: str) -> str:
    """What a reader sees."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_candidates_are_read_side_by_side_and_answers_in_words(desk: Any):
    from labelwright.server.store.models import Answer

    row = worked(study_of_candidates())
    page = page_of(desk, row, "talk-0")
    words = words_of(page)
    assert words.count("From old: well, 0.") == words.count("From new: well, 0.") == 1
    assert {"A (old): Judge each reply.", "B (new): Judge each reply."} <= set(
        re.findall(r'<tr class="grp"><th[^>]*>([^<]+)<', page)
    )
    assert page.count("Makes sense</th>") == page.count("Refers to what was said</th>") == 2
    assert re.search(r"(A|B) is better|Both are", words)
    texts = Answer.objects.filter(study=row, question="in_own_words", assignment__task__taskitem__position=0)
    assert sum(value in words for value in texts.values_list("value", flat=True)) >= RATERS
    for raw in (
        "grid_of_two",
        "makes_sense",
        "refers_back",
        "preferred",
        "in_own_words",
        "c0",
        "{'",
        "choice",
    ):
        assert raw not in words, raw


def test_the_parts_of_all_raters_lie_over_the_passage(desk: Any):
    from labelwright.server.store.models import Answer

    row = worked(study_of_spans())
    page = page_of(desk, row, "topic-0")
    passage = re.search(r'<p class="passage"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert passage
    assert re.sub(r"<[^>]+>", "", passage[1]) == PASSAGE
    stored = Answer.objects.filter(study=row, question="answer_parts")
    values = stored.filter(assignment__task__taskitem__item__dialogue__key="topic-0").values_list(
        "value", flat=True
    )
    covered = [sum(any(a <= n < b for a, b, *_ in value) for value in values) for n in range(len(PASSAGE))]
    pieces = re.findall(r'(?:<span class="ln[^"]*" title="(\d+) of [^"]*">)?([^<]+)(?:</span>)?', passage[1])
    assert [int(n or 0) for n, text in pieces for _ in text] == covered
    assert "answer_parts" not in words_of(page)
    assert "Core fact" in words_of(page)
    _check_overlaps(desk, row, page, list(values))


def _check_overlaps(desk: Any, row: Any, page: str, values: list[Any]) -> None:
    """Disagreement is what the marked parts of pairs lack of full overlap, on the item's page, the list and the overview."""
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.pages.overview import overview
    from labelwright.server.store.models import ItemLine

    marked = [{n for a, b, _ in value for n in range(a, b)} for value in values]
    pairs = [len(a & b) / len(a | b) if a | b else 1.0 for a, b in combinations(marked, 2)]
    mean = sum(pairs) / len(pairs)
    assert mean < 0.9
    assert f"Mean overlap of all pairs: {mean:.2f}" in words_of(page)
    # Every rater marked something else, so the label is nobody's answer alone.
    assert "5 of 5" not in words_of(page).partition("Overlap between raters")[0]
    line = ItemLine.objects.get(study=row, item__dialogue__key="topic-0")
    assert line.disagreement == pytest.approx(1 - mean)
    (shown,) = overview(measure_overview(row))["compared"]
    lines = [line.disagreement or 0.0 for line in ItemLine.objects.filter(study=row)]
    assert shown["title"] == "Overlap of marked parts"
    assert shown["rows"][0]["text"].startswith(f"{1 - sum(lines) / len(lines):.2f} [")


def test_a_question_is_shown_only_with_the_conditions_that_ask_it_and_a_tie_beside_the_win_rates():
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.pages.overview import overview

    text, corpus = study_of_candidates()
    data = yaml.safe_load(text)
    only = data["designs"]["only"]
    data["designs"] = {
        "judged": only | {"questions": only["questions"][:1]},
        "compared": only | {"questions": only["questions"][1:]},
    }
    data["conditions"] = {"one": {"design": "judged"}, "two": {"design": "compared"}}
    row = worked((yaml.safe_dump(data, sort_keys=False), corpus))
    measured = measure_overview(row)
    assert [list(each.agreement) for each in measured.questions] == [["one"], ["one"], ["two"]]
    shown = overview(measured)["questions"][-1]
    # Wins and losses are in the win rates; here only the comparisons that neither side won.
    assert (shown["labels"], shown["few"], shown["legend"]) == (None, "", [])
    assert re.fullmatch(
        r"\d+ comparisons(, \d+% tie)?(, \d+% both bad)?; win rates below", shown["comparison"]
    )


@pytest.mark.parametrize(
    ("made", "texts", "heads"),
    [
        (
            study_of_candidates,
            [
                "Judge each reply. Makes sense",
                "Judge each reply. Refers to what was said",
                "Which reply is better?",
            ],
            ["A is better", "B is better"],
        ),
        (study_of_spans, ["Which parts answer the question? (anything marked)"], ["Something marked"]),
    ],
)
def test_the_page_of_versions_names_questions_and_answers_as_raters_read_them(
    made: Any, texts: list[str], heads: list[str]
):
    from labelwright.server.results.actions.versions import measure_history
    from labelwright.server.results.pages.versions import versions

    shown = versions(measure_history(worked(made())))["questions"]
    assert [question["text"] for question in shown] == texts
    assert set(heads) <= set(shown[-1]["head"])
    assert not re.search(r"\bc\d|[*_]", str(shown))


def test_the_agreement_of_a_rehearsal_names_criterion_and_candidate():
    from labelwright.server.editor.pages import rehearsal
    from labelwright.server.store.models import StudyRehearsal

    row = worked(study_of_candidates())
    names = ["grid_of_two.c0.makes_sense", "grid_of_two.c1.refers_back", "preferred"]
    found = {"name": "alpha", "condition": "shown_to_all", "value": 0.5, "interval": None, "items": 4}
    record = {
        "stored": 20, "wanted": 20, "hours": {}, "owed": [], "pay_per_task": {"cents": 0, "currency": "USD"},
        "median_hourly_cents": None, "raters": 5, "warnings": [], "kinds": [], "opened": NOW.isoformat(),
        "over_time": [], "agreement": [{**found, "question": name} for name in names],
    }  # fmt: skip
    text, _ = study_of_candidates()
    ready = StudyRehearsal(
        study=row, text=text, state=StudyRehearsal.State.READY, figures=record, asked_at=NOW
    )
    assert [each["question"] for each in rehearsal(row, ready, text)["agreement"]] == [
        "Judge each reply. Makes sense (candidate A)",
        "Judge each reply. Refers to what was said (candidate B)",
        "Which reply is better?",
    ]


def test_a_dialogue_of_thirty_in_a_task_is_shown_alone(desk: Any):
    row = worked(study_of_dialogues())
    words = words_of(page_of(desk, row, "call-7"))
    assert "A bus to 7, please." in words
    assert "Line 7 at noon." in words
    assert "A bus to 8" not in words
    assert "Time for the task of 30 items" in words
    assert "went_well" not in words


def test_the_list_says_what_was_judged_and_leads_through_its_items(desk: Any):
    row = worked(study_of_candidates())
    address = f"/studies/{row.public_id}/items"
    page = desk.get(address).content.decode().partition("<main")[2]
    words = words_of(page)
    assert words.count("From old: well") == words.count("From new: well") == 4
    for raw in ("grid_of_two", "makes_sense", "preferred", "c0", "{"):
        assert raw not in words, raw
    found = desk.get(address, {"q": "well 2", "question": "preferred"}).content.decode()
    assert re.findall(r"items/\d+\?[^\"]*at=\d+", found) != []
    assert words_of(found.partition("<main")[2]).count("From old: well, 2.") == 1
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="(items/[^"]+)"', page)]
    assert len(links) == 4
    # From the first item, J leads to the second and so on, until there is no next one.
    seen, here = [], f"/studies/{row.public_id}/{links[0]}"
    while here:
        shown = desk.get(here).content.decode()
        seen += re.findall(r"<h1[^>]*>([^<]+)</h1>", shown)
        assert f"{len(seen)} of 4" in shown
        onward = re.search(r'href="\.\./(items/[^"]+)" data-key="j"', shown)
        here = f"/studies/{row.public_id}/{onward[1].replace('&amp;', '&')}" if onward else ""
    assert sorted(seen) == ["talk-0", "talk-1", "talk-2", "talk-3"]


def test_a_search_for_a_word_of_every_item_says_that_it_shows_only_some(desk: Any):
    from labelwright.server.results.queries.items import MOST_FOUND
    from labelwright.server.store.rows import run

    row = worked(study_of_candidates())
    address = f"/studies/{row.public_id}/items"
    assert "1 to 4 of 4" in words_of(desk.get(address, {"q": "well"}).content.decode())
    # Copies of one item, as many as a search shows.
    run(
        """WITH made AS (
             INSERT INTO item (study_id, key, kind, dialogue_id, target, system, payload)
             SELECT study_id, key || n, kind, dialogue_id, target, system, payload
             FROM (SELECT * FROM item WHERE study_id = %(study)s ORDER BY id LIMIT 1) one, generate_series(1, %(most)s) n
             RETURNING id, study_id, key),
           words AS (
             INSERT INTO item_words (study_id, item_id, words)
             SELECT study_id, id, to_tsvector('simple', 'well') FROM made)
           INSERT INTO item_line (study_id, item_id, condition, key, systems, gold, stored, wanted, flags, unclear)
           SELECT study_id, id, 'only', key, '{}', false, 0, 1, 0, 0 FROM made""",
        {"study": row.pk, "most": MOST_FOUND},
    )
    words = words_of(desk.get(address, {"q": "well"}).content.decode())
    assert f"1 to 50 of more than {MOST_FOUND:,}" in words


def test_the_pay_of_a_late_submission_is_decided_on_the_page_of_its_rater(desk: Any):
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.store.models import Assignment

    row = worked(study_of_candidates())
    late = Assignment.objects.filter(study=row).earliest("id")
    Assignment.objects.filter(pk=late.pk).update(state="expired_answered", data_use="none", paid_state="none")
    compute_figures(row)
    root, name = f"/studies/{row.public_id}", late.rater.pseudonym
    assert f"1 late submission of {name}, without a place: decide on pay" in desk.get(root).content.decode()
    assert "1 late submission without a place" in desk.get("/studies").content.decode()
    page = desk.get(f"{root}/raters/{name}").content.decode()
    assert "Late submissions" in page
    assert f'name="work" value="{late.pk}"' in page
    sent = {"work": str(late.pk), "choice": "leave_out", "reason": "You could not know."}
    assert desk.post(f"{root}/flagged", sent).status_code == 303
    late.refresh_from_db()
    assert (late.paid_state, late.data_use) == ("owed", "none")
    compute_figures(row)
    assert "late submission" not in desk.get(root).content.decode()
    assert "Late submissions" not in desk.get(f"{root}/raters/{name}").content.decode()
