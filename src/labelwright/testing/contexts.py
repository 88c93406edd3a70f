"""The contract of context makers, as a test suite that the author of a maker inherits.

class TestMyContext(MakerContract):
    name = "my_context"
"""

from __future__ import annotations

import json
from abc import ABC
from typing import ClassVar

from labelwright.context import MAKERS, ContextPart, ContextText, Surroundings, make_text
from labelwright.corpus import Turn

SAID = (
    Turn("user", "Hello, I am looking for a quiet film. It may be old."),
    Turn("system", "Have you seen Harbour Lights? It is about the sea."),
    Turn("user", "<b>Yes</b>, =1+1. هل هناك فيلم آخر؟ 🙂"),
)


class MakerContract(ABC):
    """Inherited by the test of each maker; pytest runs its methods there."""

    name: ClassVar[str]
    around: ClassVar[Surroundings] = Surroundings(("looking for",), ContextPart())

    def test_is_registered(self) -> None:
        """A study file can name it."""
        assert self.name in MAKERS

    def test_makes_the_same_text_twice(self) -> None:
        """It depends on no clock, no random numbers and no other dialogue."""
        first = make_text(self.name, SAID, self.around)
        make_text(self.name, SAID[:1], self.around)
        assert make_text(self.name, SAID, self.around) == first

    def test_makes_a_text_that_can_be_shown_and_stored(self) -> None:
        """The text is not empty, and the facts are JSON."""
        made = make_text(self.name, SAID, self.around)
        assert isinstance(made, ContextText)
        assert made.text.strip()
        json.dumps(made.facts)

    def test_copes_with_turns_without_words(self) -> None:
        """An item can be at the very start, or after turns without words."""
        for before in ((), (Turn("user", ""), Turn("system", "   "))):
            made = make_text(self.name, before, self.around)
            assert made is None or isinstance(made.text, str)
