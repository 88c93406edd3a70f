"""Audit finds what was planted, and nothing in a sound file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from labelwright.analysis import Labels, NotLabels
from labelwright.analysis.audit import ExpectedDesign, LabelSet, audit, audit_sets
from labelwright.analysis.ranking.claims import check_claims
from labelwright.scales import Point, Scale


def _sound(name: str = "C_0", items: int = 400, seed: int = 1) -> LabelSet:
    """400 items by three of nine raters who are right four times out of five, on three codes."""
    draw = np.random.default_rng(seed)
    truth = np.random.default_rng(0).integers(3, size=items)
    rows = [
        (f"i{i:03d}", f"p{r}", int(truth[i]) if draw.random() < 0.8 else int(draw.integers(3)))
        for i in range(items)
        for r in draw.choice(9, 3, replace=False)
    ]
    item, rater, label = zip(*rows, strict=True)
    return LabelSet(name, "usefulness", name, item, label, rater=rater)


def _with(sound: LabelSet, **changes: object) -> LabelSet:
    facts = {
        key: getattr(sound, key)
        for key in ("name", "aspect", "condition", "item", "label", "rater", "seconds")
    }
    return LabelSet(**(facts | changes))


def test_a_sound_set_has_no_findings() -> None:
    found = audit_sets([_sound()])
    assert [finding.kind for finding in found] == ["no_majority"]  # a note: three different labels do happen


def test_shifted_codes_are_found_with_the_figures_they_would_give() -> None:
    sound = _sound()
    shifted = _with(_sound("C_3"), label=tuple(code + 1 for code in _sound().label))
    [finding] = audit_sets([sound, _sound("C_7"), shifted]).of("mixed_codes")
    assert finding.severity == "wrong"
    assert "recode C_3 by {1: 0, 2: 1, 3: 2}" in finding.do
    # The same ratings, so recoded labels are equal wherever there is a majority.
    assert "C_3" in finding.evidence["same label, original codes"]
    raw, recoded = (
        float(finding.evidence[key].split(": ")[1].split(" ")[0])
        for key in ("same label, original codes", "same label, recoded")
    )
    assert raw < 20
    assert recoded > 80


def test_another_number_of_items_is_found() -> None:
    found = audit_sets([_sound(), _sound("C_3", items=390)])
    assert found.of("item_count")[0].evidence == {"C_0": 400, "C_3": 390}
    assert "only 390 items are in all 2 sets" in found.of("items_differ")[0].what


def test_missing_ratings_and_labels_are_found() -> None:
    sound = _sound()
    cut = _with(sound, item=sound.item[1:], label=(None, *sound.label[2:]), rater=sound.rater[1:])  # type: ignore[index]
    [finding] = audit_sets([cut]).of("ratings_per_item")
    assert finding.what == "1 item does not have 3 ratings like the others, and 1 rating has no label."


def test_a_set_without_any_label_is_found_and_the_others_are_looked_at() -> None:
    sound = _sound("C_3")
    found = audit_sets([_with(sound, label=(None,) * len(sound.label)), _sound(items=20)])
    assert [finding.what for finding in found.of("no_labels")] == [
        f"none of the {len(sound.label)} ratings has a label."
    ]
    assert not found.of("item_count")


def test_one_id_for_two_people_is_found() -> None:
    sound = _sound()
    same = _with(sound, rater=("expert",) * len(sound.item))
    assert audit_sets([same]).of("rated_twice")[0].evidence["rater ids"] == 1


def test_positions_in_the_place_of_raters_are_found() -> None:
    sound = _sound()
    numbered = _with(sound, rater=("1", "2", "3") * 400)
    assert "look like positions" in audit_sets([numbered]).of("positions")[0].what
    unknown = _with(sound, rater=None)
    assert "no rater ids" in audit_sets([unknown]).of("positions")[0].what


def test_a_label_nobody_uses_is_found() -> None:
    sound = _sound()
    gap = _with(sound, label=tuple(3 if code == 2 else code for code in sound.label))
    assert "never used: [2]" in audit_sets([gap]).of("unused_code")[0].what


def test_guessed_labels_cannot_be_told_from_chance() -> None:
    sound = _sound(items=30)
    draw = np.random.default_rng(12)
    guessed = _with(sound, label=tuple(int(code) for code in draw.integers(3, size=len(sound.label))))
    found = audit_sets([guessed])
    assert found.of("chance")
    assert found.of("too_few_items")


def test_differences_that_contain_zero_are_found_and_clear_ones_are_not() -> None:
    sound = _sound()
    draw = np.random.default_rng(13)
    poor = _with(
        sound, name="poor", condition="poor", label=tuple(int(c) for c in draw.integers(3, size=1200))
    )
    found = audit_sets([sound, _sound("again", seed=5), poor]).of("difference_contains_zero")
    assert list(found[0].evidence) == ["C_0 and again"]


def test_fast_ratings_are_found() -> None:
    sound = _sound()
    timed = _with(sound, seconds=(2.0,) * 100 + (30.0,) * 1100)
    assert "100 of 1200 ratings took less than 5 seconds" in audit_sets([timed]).of("fast_ratings")[0].what


def _write(path: Path, question: str, order: int = 1) -> None:
    """An item-list file of four items with three ratings each."""
    texts = ["One movie?", "Two movies!", "Three.", "Four"][::order]
    items = {
        f"{path.stem}{i}": {
            "": [str(3 * i + k) for k in range(3)],
            "system5": [text] * 3,
            "relevance": ["0", "1", "1"],
            "task-duration": ["20.5", "30", "40"],
            question: ["yes", "no", "Select"],
        }
        for i, text in enumerate(texts)
    }
    path.write_text(json.dumps(items))


def test_files_of_item_lists_are_read_by_their_shape(tmp_path: Path) -> None:
    names = {"C_0": "user-preference", "C_3": "userr-preference"}
    for name, question in names.items():
        _write(tmp_path / f"{name}.json", question, order=-1 if name == "C_3" else 1)
    found = audit([tmp_path / "C_0.json", tmp_path / "C_3.json"])
    kinds = {finding.kind for finding in found}
    assert kinds >= {
        "ids_differ",
        "item_order",
        "positions",
        "running_number",
        "placeholder",
        "misspelled_field",
    }
    assert json.loads(found.json())["files"] == 2
    assert "userr-preference" in repr(found)
    assert "<table>" in found._repr_html_()


def test_tables_are_split_by_aspect_and_condition(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    rows = ["item,rater,condition,label"]
    rows += [
        f"i{i},p{r},{c},{(i + (r == 2)) % 2}" for c in ("C_0", "C_7") for i in range(30) for r in range(3)
    ]
    path.write_text("\n".join(rows))
    found = audit([path])
    assert (found.files, found.ratings) == (2, 180)


def test_a_file_without_a_label_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"a": {"text": ["hi", "hi"], "note": ["one", "two"]}}))
    with pytest.raises(NotLabels, match="--label"):
        audit([path])


def test_blank_and_placeholder_labels_are_reported_and_not_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    blanks = ["", "N/A", "-", "nan", "NULL", "Select"]
    # The first blank comes after more rows than a reader would look at to guess that the column holds numbers.
    rows = [f"i{i},p{r},{1 + i % 3}" for i in range(8_000) for r in range(3)]
    rows += [f"x{n},p0,{blank}" for n, blank in enumerate(blanks)]
    path.write_text("\n".join(["item,rater,label", *rows]))
    [finding] = audit([path]).of("blank_labels")
    assert finding.severity == "doubtful"
    assert "6 of 24006 labels are blank or placeholders" in finding.what
    lines = [json.dumps({"item": f"i{i}", "rater": "p", "label": i % 2}) for i in range(4)]
    lines.append(json.dumps({"item": "i9", "rater": "p", "label": "N/A"}))
    mixed = tmp_path / "labels.jsonl"
    mixed.write_text("\n".join(lines))
    assert '"N/A" (1)' in audit([mixed]).of("blank_labels")[0].what


def test_a_file_without_rows_has_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("item,rater,label\n")
    [finding] = audit([path], design=ExpectedDesign(ratings_per_item=3))
    assert (finding.kind, finding.severity) == ("no_labels", "wrong")


def test_words_that_are_answers_are_no_placeholders() -> None:
    sound = _sound()
    names = {0: "none", 1: "some", 2: "all"}
    words = _with(sound, label=[names[code] for code in sound.label])
    assert not audit_sets([words]).of("blank_labels")


@pytest.mark.parametrize("twice", ["text", "key"])
def test_items_that_occur_twice_in_json_are_reported_and_not_refused(tmp_path: Path, twice: str) -> None:
    texts = [f"Reply number {n}" for n in range(12)]
    texts[3] = texts[4]
    keys = [f"k{n}" for n in range(12)]
    keys[4] = keys[3] if twice == "key" else keys[4]
    items = [
        f"{json.dumps(key)}: {json.dumps({'reply': [text] * 3, 'use': [str(n % 2)] * 2 + ['1']})}"
        for n, (key, text) in enumerate(zip(keys, texts, strict=True))
    ]
    path = tmp_path / "c.json"
    path.write_text("{" + ", ".join(items) + "}")
    [finding] = audit([path]).of("duplicated_items")
    assert finding.what == "1 items have the same text as another."


def test_aspects_may_be_rated_on_different_items_and_conditions_may_not() -> None:
    one, two = _sound("C_0"), _with(_sound("C_0", items=300), aspect="relevance", name="relevance")
    assert not {"item_count", "items_differ"} & {finding.kind for finding in audit_sets([one, two])}
    assert audit_sets([one, _sound("C_3", items=300)]).of("items_differ")[0].severity == "wrong"
    apart = _with(_sound("C_3"), item=[f"other {item}" for item in _sound().item])
    assert audit_sets([one, apart]).of("items_differ")[0].severity == "note"


def test_a_code_that_is_missing_by_chance_is_no_mixed_code() -> None:
    sound = _sound()
    # One of 1,200 ratings has a fourth code: the other condition lacks it by chance.
    rare = _with(_sound("C_3"), label=[3, *sound.label[1:]])
    assert not audit_sets([sound, rare]).of("mixed_codes")
    # A third of the items have it: its absence may be an effect of the condition.
    often = _with(_sound("C_3"), label=[code + (code == 2) * (n % 2) for n, code in enumerate(sound.label)])
    assert [finding.severity for finding in audit_sets([sound, often]).of("mixed_codes")] == ["doubtful"]


def test_differences_that_contain_zero_are_a_note() -> None:
    [finding] = audit_sets([_sound(), _sound("again", seed=5)]).of("difference_contains_zero")
    assert finding.severity == "note"


def test_the_evidence_about_a_copied_pair_is_said_in_words() -> None:
    sound = _sound()
    labels = dict(zip(zip(sound.item, sound.rater or (), strict=True), sound.label, strict=True))
    rows = [key for key in labels if key[1] != "p7"] + [
        (item, "p7") for item, rater in labels if rater == "p3"
    ]
    copied = _with(
        sound,
        item=[item for item, _ in rows],
        rater=[rater for _, rater in rows],
        label=[labels[item, "p3" if rater == "p7" else rater] for item, rater in rows],
    )
    [finding] = audit_sets([copied]).of("copied_rater")
    shared = sum(rater == "p3" for _, rater in labels)
    assert finding.where == "raters p3 and p7"
    assert finding.severity == "wrong"
    assert f"agree on {shared} of {shared} shared items, where " in finding.what
    assert "corrected for 36 pairs" in finding.what


def test_the_expected_design_is_checked() -> None:
    sets = [_sound(), _sound("C_3", items=390)]
    design = ExpectedDesign(("C_0", "C_3"), ratings_per_item=3, raters=9)
    assert not [each for each in audit_sets(sets, design) if each.kind.startswith("expected")]
    other = audit_sets(sets, ExpectedDesign(("C_0", "C_7"), ratings_per_item=4, items=400, raters=10))
    found = {finding.kind: finding.what for finding in other if finding.kind.startswith("expected")}
    assert found["expected_conditions"] == "missing conditions: C_7; conditions that were not expected: C_3."
    assert found["expected_items"] == "1 of 2 sets do not have 400 items: C_3 has 390."
    assert found["expected_ratings"] == "390 items have fewer than 4 ratings, and 0 have more."
    assert found["expected_raters"] == "there are 9 rater ids, where 10 raters were expected."


def test_labels_that_were_read_before_are_audited_on_their_scale() -> None:
    sound = _sound()
    points = [Point(code=code, name=str(code), no_answer=code == 9) for code in (0, 1, 2, 3, 9)]
    rows = {"item": sound.item, "rater": sound.rater, "label": [9, *sound.label[1:]]}
    found = audit([Labels.read(rows, scale=Scale(points=tuple(points)))])
    assert found.ratings == len(sound.item) - 1
    # Nobody used 3, which is worth a note but no doubt, because the scale is known.
    assert [(each.severity, each.what) for each in found.of("unused_code")] == [
        ("note", "codes never used: [3]; codes rarely used: none.")
    ]


def test_the_page_shows_a_plot_for_each_finding_and_runs_nothing_from_the_file() -> None:
    sound = _sound()
    hostile = '<script>alert("x")</script>'
    rater = [hostile if name == "p1" else name for name in sound.rater or ()]
    label = [f"</text></svg>{hostile} was what somebody typed here", *[2 - c for c in sound.label[1:]]]
    changed = _with(sound, name=hostile, label=label, rater=rater, seconds=[0.1] * 9 + [30.0] * 1191)
    found = audit_sets([changed, _sound("C_3")], ExpectedDesign(raters=4))
    assert len(found.findings) > 5
    assert all(finding.plot for finding in found)
    page = found.html("An <audit>")
    assert page.count("<svg") == page.count("<figure>") == len(found.findings)
    assert "<script" not in page
    assert "An &lt;audit&gt;" in page
    # Nothing is loaded: the only addresses are the names of the SVG vocabularies.
    assert set(re.findall(r"https?://[^\"\s]+", page)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_claims_are_rounded_truncated_exchanged_or_different() -> None:
    printed = {"a": 0.47, "b": 0.49, "c": 0.54, "d": 0.60, "e": 0.90}
    given = {"a": 0.4703, "b": 0.4955, "c": 0.6045, "d": 0.5451, "e": 0.5}
    found = {claim.where: claim for claim in check_claims("tau", printed, given).claims}
    assert [found[name].verdict for name in "abcde"] == [
        "matches",
        "matches truncated",
        "matches if exchanged",
        "matches if exchanged",
        "differs",
    ]
    assert found["e"].explanation == "off by -0.400"
