"""Splits: nothing that belongs together is in two of them, and the seed decides."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from labelwright.release.splits import SPLITS, split_items, text_link

LINKS = st.lists(st.lists(st.sampled_from([f"l{n}" for n in range(12)]), min_size=1, max_size=3), max_size=40)


@given(LINKS, st.integers(0, 5))
def test_a_link_is_never_in_two_splits(links: list[list[str]], seed: int) -> None:
    split = split_items(enumerate(links), seed)
    seen: dict[str, set[str]] = defaultdict(set)
    for item, shared in enumerate(links):
        for link in shared:
            seen[link].add(split[item])
    assert all(len(each) == 1 for each in seen.values())
    assert split == split_items(reversed(list(enumerate(links))), seed)


def test_shares_are_met_and_the_seed_decides() -> None:
    links = [(n, [f"d{n // 2}"]) for n in range(1000)]
    counts = [list(split_items(links, 1).values()).count(name) for name in SPLITS]
    # Groups of two fit the shares of 80, 10 and 10 percent exactly.
    assert counts == [800, 100, 100]
    assert split_items(links, 1) != split_items(links, 2)


def test_texts_that_differ_only_in_form_are_the_same() -> None:
    assert text_link(["Hi -- there!", "You?"]) == text_link(["hi there", "YOU"])
    assert text_link(["Hi there"]) != text_link(["Hi where"])
