"""Every place that shows a number of a study shows the same one: overview, item pages, export, command line, pandas.

Three studies are worked through by the simulated crowd, with a model among the raters: one with gold items, attention
checks and questions about the task, one with a qualification, one with candidates. In each, data are excluded, and a
second version changes the instructions and adds dialogues.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from labelwright.corpus import Dialogue, Turn
from labelwright.scales import Scale
from labelwright.simulate import Timeline, crowd
from tests.integration.test_rehearsal import CORPUS, MIX, leaving
from tests.studies import NOW, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

RATERS = 16
GOLD = {f"d{n}#1": {"useful": 1 + n % 3} for n in range(4)}
SYSTEMS = ("alpha", "beta", "gamma")


def design(*questions: dict[str, Any], version: int, **more: Any) -> dict[str, Any]:
    """A task design whose instructions change in the second version."""
    return {
        "title": "Judge",
        "lead": "Judge the reply.",
        "instructions": f"Read the conversation. This is edition {version}.",
        "questions": list(questions),
        **more,
    }


USEFUL = {
    "name": "useful",
    "type": "scale",
    "scale": "useful",
    "aspect": "usefulness",
    "text": "How useful is the reply?",
}
LOOK = {"name": "look", "type": "attention", "asks": "turns_shown", "text": "How many turns are shown?"}
FAMILIAR = {"name": "familiar", "type": "yes_no", "text": "Do you know this film?"}
PAY = {"name": "fair", "type": "yes_no", "text": "Was the pay fair?"}
FIT = {
    "name": "fit",
    "title": "Fit",
    "aspect": "usefulness",
    "options": [
        {"code": 1, "name": "Fits", "score": 1},
        {"code": 0, "name": "Does not fit", "score": 0},
        {"code": 9, "name": "I don't know", "no_answer": True},
    ],
}
GRID = {"name": "quality", "type": "grid", "text": "Judge each reply.", "criteria": [FIT]}
BETTER = {
    "name": "better",
    "type": "preference",
    "text": "Which is better?",
    "aspect": "usefulness",
    "both_bad": True,
}


def with_gold(version: int) -> str:
    """Gold items, attention checks, a question without an aspect, and a question about the task."""
    return study_text(
        name="gold",
        items={"per_dialogue": 1},
        designs={"only": design(USEFUL, LOOK, FAMILIAR, version=version, feedback=[PAY])},
        tasks={"gold_one_in": 4},
        gold=GOLD,
        redundancy=2,
        pools=pool(pay={"cents": 40}, raters=RATERS),
    )


def with_qualification(version: int) -> str:
    """Raters apply first, and the best do the work."""
    applicants = {
        "platform": "link",
        "raters": RATERS,
        "qualification": {"design": "only", "items": list(GOLD), "rule": {"best": 12}},
    }
    return study_text(
        name="qualified",
        items={"per_dialogue": 1},
        designs={"only": design(USEFUL, version=version)},
        gold=GOLD,
        redundancy=2,
        pools={"applicants": applicants, "experts": {"platform": "link", "requires": ["applicants"]}},
    )


def with_candidates(version: int) -> str:
    """A grid and a preference about three candidates."""
    return study_text(
        name="candidates",
        items={"kind": "candidates"},
        designs={"only": design(GRID, BETTER, version=version)},
        conditions={"one": {}},
        redundancy=3,
        pools=pool(raters=RATERS),
    )


REPLIES = [
    Dialogue(
        f"d{n}",
        (Turn("user", f"Hi {n}"),),
        {"candidates": [{"text": f"I am {system}, {n}.", "system": system} for system in systems]},
    )
    for n, systems in enumerate([*permutations(SYSTEMS)] * 2)
]


@dataclass(frozen=True)
class Case:
    """A study and its corpus; the second version has all of it, the first a part."""

    text: Callable[[int], str]
    corpus: list[Dialogue]
    first: int
    left_out: set[str]
    """The reasons that must occur."""


CASES = {
    "gold": Case(with_gold, CORPUS, 10, {"left_out", "gold", "attention", "task", "no_aspect", "model"}),
    "qualified": Case(with_qualification, CORPUS, 10, {"left_out", "qualification", "model"}),
    "candidates": Case(with_candidates, REPLIES, 8, {"left_out", "model"}),
}


def work_through(case: Case) -> Any:
    """Both versions, worked through by the crowd; some data are excluded after each."""
    from labelwright.server.rehearsal.actions import open_rehearsal
    from labelwright.server.store.models import Rater
    from labelwright.server.studies.actions.loading import load_study

    people = crowd(RATERS, MIX, 3, leaving(0.0))
    opened = open_rehearsal(case.text(1), case.corpus[: case.first], RATERS, NOW)
    Rater.objects.filter(pseudonym=opened.pseudonyms[0]).update(kind="model")
    later = live(opened, people, NOW)
    text = case.text(2)
    load_study(parse(text), text, case.corpus, later + timedelta(hours=1))
    live(admitted(opened, later), people, later + timedelta(hours=2))
    return opened.row


def live(opened: Any, people: Any, now: datetime) -> datetime:
    """The crowd at work, until nothing is left; then every sixth submission is excluded."""
    from labelwright.crowd import DataUse
    from labelwright.server.rehearsal.actions import live_fast, run_periodic
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import Assignment

    life = Timeline(people, now)
    live_fast(life, opened)
    later = life.worked[-1].ended
    run_periodic(later)
    submitted = Assignment.objects.filter(study=opened.row, data_use=DataUse.USED, submitted_at__gte=now)
    for pk in submitted.order_by("id").values_list("pk", flat=True)[::6]:
        decide(pk, pay=True, data_use=DataUse.LEFT_OUT, reason="Random.", author="test", now=later)
    return later


def admitted(opened: Any, now: datetime) -> Any:
    """The same raters with the links of the pool that works, which has nothing to apply for any more."""
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool

    made = make_links(opened.row, Pool.objects.get(pk=opened.pool), 0, 365, now)
    addresses = {link.pseudonym: link.address for link in made}
    links = [addresses.get(name, "/w/none") for name in opened.pseudonyms]
    return replace(opened, applies_to=None, links=links)


@pytest.mark.parametrize("name", CASES)
def test_every_place_shows_the_same_numbers(name: str, tmp_path: Path):
    row = work_through(CASES[name])
    labelwright, path = CommandLine(), tmp_path / f"{name}.csv"
    told = labelwright("study", "export", name, str(path))
    recounted = Recount(path)
    assert f"Figures count {len(recounted.counted)} of them. Left out:" in told
    assert set(recounted.all.version) == {1, 2}
    assert recounted.left_out.keys() == CASES[name].left_out
    overview, shown = overview_of(row)
    assert overview.counted == shown == len(recounted.counted)
    assert overview.left_out == recounted.left_out
    measured = labelwright.measured(path)
    assert measured[0]["answers_left_out"] == recounted.left_out
    for question in overview.questions:
        assert nonzero(question.labels) == recounted.labels(question.name)
        for condition, found in question.agreement.items():
            units = recounted.units(question.name, condition)
            check_agreement(found, question.main, units, question.scale)
            printed = {
                record["name"]: plain(record)
                for record in measured
                if (record["question"], record["condition"]) == (question.name.replace(".*", ""), condition)
            }
            assert {
                measure: plain(each.record()) for measure, each in found.items()
            }.items() <= printed.items()
    check_item_lists(row, recounted)
    check_batches(row)
    assert item_pages(row) == recounted.by_item()


def test_every_column_of_the_export_is_described():
    from labelwright.server.results.actions.export import COLUMNS

    page = (Path(__file__).parents[2] / "docs" / "reference" / "export.md").read_text(encoding="utf-8")
    assert [column.name for column in COLUMNS if f"`{column.name}`" not in page] == []


def nonzero(labels: dict[str, dict[int, int]]) -> dict[str, dict[int, int]]:
    return {name: counts for name, counts in labels.items() if counts}


def plain(record: dict[str, Any]) -> dict[str, Any]:
    """All that an estimate says about its number, to the last digit."""
    return {key: record[key] for key in ("value", "interval", "items", "ratings")}


class CommandLine:
    """`labelwright`, in this process."""

    def __init__(self) -> None:
        from labelwright.cli import register_commands

        self.app, self.runner = register_commands(), CliRunner()

    def __call__(self, *arguments: str) -> str:
        done = self.runner.invoke(self.app, list(arguments))
        assert done.exit_code == 0, (done.output, done.exception)
        return done.output

    def measured(self, path: Path) -> list[dict[str, Any]]:
        """The output of `labelwright agreement` on an export."""
        return json.loads(self("agreement", str(path), "--by", "condition", "--json"))


def overview_of(row: Any) -> tuple[Any, int]:
    """The overview, and how many judgments its tables of labels show."""
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.pages.overview import overview
    from labelwright.server.store.models import User

    User.objects.get_or_create(username="owner", is_superuser=True)
    figures = measure_overview(row)
    page = overview(figures)
    assert page["left_out_total"] == sum(figures.left_out.values())
    shown = 0
    for figure, question in zip(figures.questions, page["questions"], strict=True):
        # A comparison is counted once for each of the two systems that it compares.
        sides = 2 if figure.name == "better" else 1
        shown += sum(int(line[-1].replace(",", "")) for line in question["labels"]["rows"]) // sides
    return figures, shown


def check_batches(row: Any) -> None:
    """The page of batches counts offers; its numbers are those of the places."""
    from labelwright.server.store.models import Place, User
    from labelwright.server.studies.actions.calendar import get_calendar

    _, lines = get_calendar(User.objects.get(username="owner"), row.public_id)
    assert sum(line.filled for line in lines) > 0
    for line in lines:
        places = Place.objects.filter(batch=line.id)
        assert line.filled == places.filter(state="filled", gold=False).count()
        assert line.at_work == places.filter(state="leased").count()


def item_pages(row: Any) -> Counter[tuple[str, str, str, int]]:
    """How often each code was given, from the list of items and from the page of each item."""
    from labelwright.server.results.actions.items import get_item, get_items
    from labelwright.server.results.queries.items import ItemFilter
    from labelwright.server.store.models import User

    user = User.objects.get(username="owner")
    found = get_items(row, ItemFilter(), "ORDER BY t.key, t.condition")
    listed: Counter[tuple[str, str, str, int]] = Counter()
    single: Counter[tuple[str, str, str, int]] = Counter()
    for line in found.lines:
        for (item, condition, question), given in found.codes.items():
            if (item, condition) == (line.item, line.condition):
                listed.update({(line.key, condition, question, code): n for code, n in given.items()})
        evidence = get_item(user, row.public_id, line.item, line.condition)
        for answer in evidence.answers:
            if answer.code is not None and not answer.left_out:
                single[line.key, line.condition, answer.question, answer.code] += 1
    assert listed == single
    return listed


def item_lists(row: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The stored lines and labels of items, after the job has counted all that changed."""
    from labelwright.server.store.models import ItemLabel, ItemLine
    from labelwright.server.tallies.actions.items import count_marked_items

    while count_marked_items():
        pass
    lines = ItemLine.objects.filter(study=row).values_list(
        "key", "condition", "gold", "stored", "wanted", "flags", "disagreement", "unclear"
    )
    labels = ItemLabel.objects.filter(study=row).values_list(
        "item__key", "condition", "question", "n", "code", "share", "disagreement"
    )
    return {line[:2]: line[2:] for line in lines}, {label[:3]: label[3:] for label in labels}


def check_item_lists(row: Any, recounted: Recount) -> None:
    """Lines and labels that were kept up to date equal those of a full recount, and those of the export."""
    from labelwright.server.tallies.queries.marks import ITEM_MARKS

    kept = item_lists(row)
    ITEM_MARKS.mark_all(row.pk)
    assert item_lists(row) == kept
    lines, labels = kept
    expected = recounted.labels_of_items()
    single = {key: found for key, found in labels.items() if "*" not in key[2]}
    assert single.keys() == expected.keys()
    for key, (n, code, share, disagreement) in expected.items():
        assert single[key][:2] == (n, code), key
        assert single[key][2:] == pytest.approx((share, disagreement), nan_ok=True) or n == 1
    stored = recounted.ratings_of_items()
    assert {key: line[1] for key, line in lines.items() if line[1]} == stored
    for (item, condition), (_, found, wanted, _, most, unclear) in lines.items():
        own = [each for (i, c, _), each in expected.items() if (i, c) == (item, condition)]
        assert wanted >= found
        assert most == (
            pytest.approx(max(e[3] for e in own if e[0] > 1)) if any(e[0] > 1 for e in own) else None
        )
        assert unclear == sum(n > 1 and share < 0.6 for n, _, share, _ in own)


class Recount:
    """The export, counted again with nothing but pandas."""

    def __init__(self, path: Path) -> None:
        self.all = pd.read_csv(path)
        coded = self.all[self.all.label.notna()]
        reason = coded.data_use.where(coded.data_use != "used")
        reason = reason.fillna(coded.role.where(coded.role != "item"))
        reason = reason.fillna(pd.Series("no_aspect", coded.index).where(coded.aspect.isna()))
        reason = reason.fillna(coded.rater_kind.where(coded.rater_kind != "person"))
        assert (reason.fillna("") == coded.left_out.fillna("")).all()
        self.left_out = reason.value_counts().to_dict()
        counted = coded[reason.isna()].copy()
        counted["place"] = counted.question.str.extract(r"\.c(\d+)\.")[0]
        counted["asked"] = counted.question.str.replace(r"\.c\d+\.", ".*.", regex=True)
        counted["unit"] = counted.item + counted.place.fillna("")
        self.counted = counted.astype({"label": int})

    def labels(self, name: str) -> dict[str, dict[int, int]]:
        """How often each code was given, by condition; by system for candidates."""
        rows = self.counted[self.counted.asked == name]
        if name == "better":
            pairs = [
                (system, label if place or label == 9 else -label)
                for systems, label in zip(rows.candidates, rows.label, strict=True)
                for place, system in enumerate(json.loads(systems)[:2])
            ]
            given = pd.DataFrame(pairs, columns=["by", "label"])
        else:
            given = rows.assign(by=rows.system if "*" in name else rows.condition)
        sizes = given.groupby(["by", "label"]).size()
        return {by: {int(code): int(n) for code, n in sizes[by].items()} for by in sorted(set(given.by))}

    def units(self, name: str, condition: str) -> list[list[int]]:
        """The codes given to each item, or to each candidate of each item."""
        rows = self.counted[(self.counted.asked == name) & (self.counted.condition == condition)]
        return [list(codes) for _, codes in rows.groupby("unit").label]

    def labels_of_items(self) -> dict[tuple[str, str, str], tuple[int, int | None, float, float]]:
        """By item, condition and question: ratings, the most frequent code, its share, and disagreeing pairs."""
        silent = self.counted.question.str.startswith("quality") & (self.counted.label == 9)
        found: dict[Any, tuple[int, int | None, float, float]] = {}
        for key, codes in self.counted[~silent].groupby(["item", "condition", "question"]).label:
            sizes, n = codes.value_counts(), len(codes)
            top = sizes[sizes == sizes.max()]
            pairs = 1 - (sizes * (sizes - 1)).sum() / (n * (n - 1)) if n > 1 else float("nan")
            found[key] = (n, int(top.index[0]) if len(top) == 1 else None, sizes.max() / n, pairs)
        return found

    def ratings_of_items(self) -> dict[tuple[str, str], int]:
        """Ratings whose data are used, by item and condition; those of models too."""
        rows = self.all[(self.all.data_use == "used") & (self.all.role == "item")]
        found: dict[Any, int] = rows.groupby(["item", "condition"]).rater.nunique().to_dict()
        return found

    def by_item(self) -> Counter[tuple[str, str, str, int]]:
        """How often each code was given to each item in each condition."""
        sizes: Any = self.counted.groupby(["item", "condition", "question", "label"]).size()
        return Counter({(i, c, q, int(code)): int(n) for (i, c, q, code), n in sizes.items()})


def paired_codes(units: list[list[int]], codes: tuple[int, ...]) -> list[list[int]]:
    """The codes of each item that count, for items with two of them or more."""
    given = [[code for code in unit if code in codes] for unit in units]
    return [unit for unit in given if len(unit) > 1]


def check_agreement(found: Any, main: str, units: list[list[int]], scale: Scale) -> None:
    """Krippendorff's alpha, Fleiss' kappa and the share of agreeing pairs, each from its definition."""
    ordered = main == "alpha_ordinal"
    # "Both are bad" has no place in the order.
    placed = tuple(code for code in scale.labels if not ordered or code not in scale.outside)
    in_order = paired_codes(units, placed)
    assert found[main].items == len(in_order)
    assert found[main].ratings == sum(map(len, in_order))
    assert found[main].value == pytest.approx(alpha(in_order, placed, ordered=ordered), abs=1e-12)
    codes, paired = scale.labels, paired_codes(units, scale.labels)
    agreeing = [np.mean([a == b for a, b in permutations(unit, 2)]) for unit in paired]
    assert found["percentage"].value == pytest.approx(np.mean(agreeing), abs=1e-12)
    prevalence = [np.mean([unit.count(code) / len(unit) for unit in paired]) for code in codes]
    chance = sum(share**2 for share in prevalence)
    assert found["fleiss_kappa"].value == pytest.approx(
        (np.mean(agreeing) - chance) / (1 - chance), abs=1e-12
    )


def alpha(units: list[list[int]], codes: tuple[int, ...], *, ordered: bool) -> float:
    """Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": observed over expected disagreement."""
    totals = [sum(unit.count(code) for unit in units) for code in codes]

    def distance(a: int, b: int) -> float:
        low, high = sorted((codes.index(a), codes.index(b)))
        between = sum(totals[low : high + 1]) - (totals[low] + totals[high]) / 2
        return float(a != b) if not ordered else between**2

    every = [code for unit in units for code in unit]
    observed = sum(sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = sum(
        n * m * distance(a, b)
        for a, n in zip(codes, totals, strict=True)
        for b, m in zip(codes, totals, strict=True)
    )
    return 1 - observed * (len(every) - 1) / expected
