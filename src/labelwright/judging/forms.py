"""Forms of an item: changed in one respect that should not matter, and what the answers to it are worth as numbers.

A probe asks about each item twice, in its plain form and in its changed form. Codes do not depend on the form, so the
answers to both can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from labelwright.scales import Scale
from labelwright.seeds import rank
from labelwright.task import Asking, ItemParts, TaskDesign, scale_under
from labelwright.task.questions import Question, Sides

FormChange: TypeAlias = Literal["order", "length", "scale_position", "repetition"]
"""The probes that send requests; the others compare labels that are already there."""
FORM_CHANGES: tuple[FormChange, ...] = get_args(FormChange)

OPENINGS = (
    "Thank you for your question, which I am happy to answer.",
    "Let me say something about this, as well as I can.",
    "It is a pleasure to help you with this today.",
)
CLOSINGS = (
    "I hope that this is helpful to you and that it is what you were looking for.",
    "Please let me know if there is anything else that I can do for you.",
    "As always, I am glad to help with this and with any other question.",
    "Do not hesitate to ask again at any time, also if something is unclear.",
    "I have tried to put this as clearly as I can, and I hope that I have.",
)
CLOSINGS_ADDED = 3


def lengthened(text: str, key: str, seed: int = 0) -> str:
    """A reply with polite sentences around it that say nothing; which ones depends on the item and the seed.

    >>> lengthened("At nine.", "d1").count("At nine."), len(lengthened("At nine.", "d1").split()) > 40
    (1, True)
    """

    def drawn(sentences: Sequence[str], many: int) -> list[str]:
        return sorted(sentences, key=lambda sentence: rank(seed, "lengthened", key, sentence))[:many]

    return " ".join([*drawn(OPENINGS, 1), text, *drawn(CLOSINGS, CLOSINGS_ADDED)])


def form_of(asking: Asking, change: FormChange, *, changed: bool) -> Asking:
    """An item in its plain or in its changed form.

    For `order`, the changed form has the candidates in reverse order; for `length`, the reply is longer, or the first
    candidate of the item; for `scale_position`, scales are shown from the other end. `repetition` changes nothing.
    """
    if not changed or change == "repetition":
        return asking
    if change == "order":
        return replace(asking, order=tuple(reversed(asking.order or range(len(asking.item.candidates)))))
    if change == "scale_position":
        turned = {name: _turned(scale) for name, scale in asking.scales.items()}
        return replace(asking, scales=turned)
    return replace(asking, item=_longer(asking))


def _turned(scale: Scale) -> Scale:
    return scale.model_copy(update={"points": scale.points[::-1]})


def _longer(asking: Asking) -> ItemParts:
    parts = asking.item
    if parts.candidates:
        first, *others = parts.candidates
        return replace(parts, candidates=(lengthened(first, asking.key, asking.seed), *others))
    if parts.passage:
        return replace(parts, passage=lengthened(parts.passage, asking.key, asking.seed))
    *earlier, last = parts.focus
    longer = {**last, "text": lengthened(str(last["text"]), asking.key, asking.seed)}
    return replace(parts, focus=(*earlier, longer))


def added_words(asking: Asking) -> int:
    """How many words the changed form of `length` has more."""
    return len(lengthened("", asking.key, asking.seed).split())


def probed_questions(design: TaskDesign, asking: Asking, change: FormChange) -> list[Question]:
    """The questions about an item whose answers a probe can compare; empty if it says nothing about the item.

    `order` needs a comparison of two candidates, and with candidates `length` does too, because only one of them is
    lengthened. A whole dialogue has no reply to lengthen.
    """
    asked = [
        question
        for question in design.questions
        if question.applies(asking) and not (question.checks_attention or question.ranks or question.when)
    ]
    if change == "order":
        return [question for question in asked if question.sides()]
    if change == "length" and asking.item.candidates:
        return [question for question in asked if 0 in _codes_by_candidate(question.sides())]
    if change == "length" and not asking.item.text:
        return []
    if change == "scale_position":
        return [question for question in asked if question.used_names("scales")]
    return asked


def _codes_by_candidate(sides: Sides | None) -> Mapping[int, Mapping[int, int]]:
    return sides.codes if sides else {}


def answer_numbers(
    design: TaskDesign, plain: Asking, change: FormChange, codes: Mapping[str, int | None], *, changed: bool
) -> dict[str, float]:
    """The answers to one form of an item as numbers that can be subtracted, by the name they are stored under.

    For `order`: 1 if the candidate shown first is preferred, 0 if the other one is, 0.5 for a tie. Otherwise the place
    of the point on its scale, and for a comparison the code as seen from the first candidate of the item. Answers
    without a place in an order are left out.
    """
    scales = design.answer_scales(plain.scales)
    probed = {question.name: question for question in probed_questions(design, plain, change)}
    order = form_of(plain, change, changed=changed).order or tuple(range(len(plain.item.candidates)))
    found: dict[str, float] = {}
    for name, code in codes.items():
        question = probed.get(name.split(".", maxsplit=1)[0])
        if question is None or code is None:
            continue
        sides = question.sides()
        number = (
            _side_number(sides, order, change, code) if sides else place_on(scale_under(name, scales), code)
        )
        if number is not None:
            found[name] = number
    return found


def _side_number(sides: Sides, order: Sequence[int], change: FormChange, code: int) -> float | None:
    if change != "order":
        seen = sides.codes.get(0, {}).get(code)
        return None if seen is None or seen in sides.scale.outside else float(seen)
    return first_preferred(sides, order, code)


def first_preferred(sides: Sides, order: Sequence[int], code: int) -> float | None:
    """1 if the candidate that was shown first is preferred, 0 if the other one is, 0.5 for a tie; None for neither."""
    first = next((place for place in order if place in sides.codes), None)
    seen = None if first is None else sides.codes[first].get(code)
    if seen is None or seen in sides.scale.outside:
        return None
    return 0.5 + 0.5 * ((seen > 0) - (seen < 0))


def place_on(scale: Scale | None, code: int) -> float | None:
    """The place of a code between the worst point (0) and the best; None without an order or a place in it."""
    if scale is None or not scale.ordered:
        return None
    placed = [point.code for point in scale.points if point.placed]
    return float(placed.index(code)) if code in placed else None
