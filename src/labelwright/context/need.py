"""Heuristic information need: the first user turn with a phrase that opens a request."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.context.makers import ContextText, Surroundings, context_maker
from labelwright.corpus import Turn, normalise


@context_maker("need:heuristic")
def heuristic_need(before: Sequence[Turn], around: Surroundings) -> ContextText | None:
    """The first user turn with one of the mined phrases; otherwise the fallback of the study.

    (Siro, Aliannejadi and de Rijke, 2024, section 2.2.)
    """
    said = [turn for turn in before if turn.speaker == "user"]
    for turn in said:
        found = next((phrase for phrase in around.phrases if _holds(turn.text, phrase)), None)
        if found is not None:
            return ContextText(turn.text, {"phrase": found})
    settings = around.settings
    if settings is not None and settings.no_phrase == "first_turn" and said:
        return ContextText(said[0].text, {"phrase": None})
    if settings is not None and settings.no_phrase == "say":
        return ContextText(settings.no_phrase_text, {"phrase": None})
    return None


def _holds(text: str, phrase: str) -> bool:
    """Whether a text contains the phrase as whole words.

    >>> _holds("I'm LOOKING for it", "looking for"), _holds("overlooking fort", "looking for")
    (True, False)
    """
    words = "".join(c if c.isalnum() or c == "'" else " " for c in normalise(text)).split()
    return f" {phrase} " in f" {' '.join(words)} "
