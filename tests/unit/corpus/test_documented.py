"""Every name that a study file may use has a place in the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from labelwright.context import MAKERS
from labelwright.context.prompts import PRESETS as PROMPTS
from labelwright.corpus import READERS
from labelwright.corpus.categories import PRESETS

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
TESTS_OWN = {"remembered", "turn_count"}


@pytest.mark.parametrize("name", sorted(set(READERS) - TESTS_OWN) + sorted(PRESETS))
def test_corpus_names(name: str) -> None:
    assert (
        f"`{name}`" in (REFERENCE / "corpus.md").read_text()
        or f"preset: {name}" in (REFERENCE / "corpus.md").read_text()
    )


@pytest.mark.parametrize("name", sorted(set(MAKERS) - TESTS_OWN) + [f"{kind}:llm" for kind in PROMPTS])
def test_context_names(name: str) -> None:
    assert f"`{name}`" in (REFERENCE / "contexts.md").read_text()
