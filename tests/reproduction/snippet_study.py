"""The snippet study (Lajewska and Balog 2023), from its released files to spans per text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from labelwright.agreement import cut_spans
from labelwright.outside.platforms import mturk, prolific
from tests.reproduction.published import DATA

CAST = DATA / "cast-snippets"
Result = mturk.MturkResult | prolific.ProlificResult
Spans = list[tuple[int, int]]


@dataclass(frozen=True)
class Text:
    """One text with what each of its raters highlighted, in the order of the files."""

    passage: str
    text: str
    raters: tuple[Spans, ...]
    results: tuple[Result, ...]


def _by_text(results: Sequence[Result], key: Callable[[Result], str], text: str) -> dict[str, Text]:
    grouped: dict[str, list[Result]] = {}
    for result in results:
        grouped.setdefault(key(result), []).append(result)
    return {
        name: Text(own[0].inputs["passage"], own[0].inputs[text], tuple(r.spans for r in own), tuple(own))
        for name, own in grouped.items()
    }


def _pair(result: Result) -> str:
    return f"{result.inputs['turn_id']}--{result.inputs['passage_id']}"


@cache
def paragraphs(who: str) -> dict[str, Text]:
    """`regular`, `master`, `expert` on MTurk, or `prolific`."""
    folder = CAST / "snippet_annotation"
    if who == "prolific":
        return _by_text(prolific.read_results(sorted((folder / "prolific").glob("*.csv"))), _pair, "passage")
    files = sorted((folder / "mturk" / "paragraph").glob(f"*paragraph-{who}*.csv"))
    return _by_text(mturk.read_results(files), _pair, "passage")


@cache
def sentences(who: str) -> dict[str, Text]:
    """`regular` or `masters`."""
    files = sorted((CAST / "snippet_annotation" / "mturk" / "sentence").glob(f"*sentences-{who}.csv"))
    return _by_text(mturk.read_results(files), lambda result: result.inputs["sentence_id"], "sentence")


@cache
def large_scale(part: str = "all") -> dict[str, Text]:
    """`all`, or `topics_1-2`: the two topics of the preliminary study, annotated again."""
    files = sorted((CAST / "large_scale" / part).rglob("group-*.csv"))
    return _by_text(mturk.read_results(files), _pair, "passage")


def expert_spans_in(sentence_id: str, text: Text) -> list[Spans]:
    """The experts' spans of the paragraph, cut to one of its sentences; nothing where it is not found."""
    turn, passage, _ = sentence_id.rsplit("--", 2)
    experts = paragraphs("expert")[f"{turn}--{passage}"]
    return [cut_spans(spans, experts.text, text.text) or [] for spans in experts.raters]


SETS = {
    "MTurk_regular_paragraph": lambda: paragraphs("regular"),
    "MTurk_master_paragraph": lambda: paragraphs("master"),
    "Prolific_paragraph": lambda: paragraphs("prolific"),
    "Expert_paragraph": lambda: paragraphs("expert"),
    "MTurk_regular_sentence": lambda: sentences("regular"),
    "MTurk_master_sentence": lambda: sentences("masters"),
}
