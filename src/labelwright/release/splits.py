"""Splits of a release into train, validation and test, so that nothing is in two of them."""

from __future__ import annotations

import enum
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

SPLITS = ("train", "validation", "test")
WHOLE = "all"
"""The only split of a table that is not split."""
SHARES = (0.8, 0.1, 0.1)


class SplitBy(enum.StrEnum):
    """What stays together in one split, besides texts that are equal."""

    DIALOGUE = "dialogue"
    TOPIC = "topic"
    NONE = "none"


def split_items(
    links: Iterable[tuple[int, Sequence[str]]], seed: int, shares: Sequence[float] = SHARES
) -> dict[int, str]:
    """The split of each item. Items that share a link, directly or through others, are in the same split.

    A link is anything that items have in common: a dialogue, a topic or a text. The seed decides the draw; the shares
    are those of the items, as close as whole groups allow.

    >>> split_items([(1, ["d1"]), (2, ["d1", "same text"]), (3, ["same text"])], seed=7)
    {1: 'train', 2: 'train', 3: 'train'}
    """
    groups = _groups(links)
    drawn = sorted(groups.items(), key=lambda group: _draw(seed, group[0]))
    # Large groups first, while every split still has room for them.
    drawn.sort(key=lambda group: -len(group[1]))
    total = sum(len(members) for members in groups.values())
    room = {name: share * total for name, share in zip(SPLITS, shares, strict=True)}
    found: dict[int, str] = {}
    for _, members in drawn:
        split = max(room, key=room.__getitem__)
        room[split] -= len(members)
        found |= dict.fromkeys(members, split)
    return dict(sorted(found.items()))


def _groups(links: Iterable[tuple[int, Sequence[str]]]) -> Mapping[str, list[int]]:
    """Items by group; a group is named by the smallest of its links."""
    above: dict[str, str] = {}
    first: dict[int, str] = {}

    def top(link: str) -> str:
        while (over := above[link]) != link:
            above[link] = link = above[over]
        return link

    for item, shared in links:
        for link in shared:
            above.setdefault(link, link)
            one, other = sorted((top(shared[0]), top(link)))
            above[other] = one
        first[item] = shared[0]
    found: dict[str, list[int]] = defaultdict(list)
    for item, link in first.items():
        found[top(link)].append(item)
    return found


def _draw(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\x1f{name}".encode()).digest()


def text_link(texts: Iterable[str]) -> str:
    """A link that items with the same text share, whatever their case, spaces and punctuation.

    >>> text_link(["Hello,  you!"]) == text_link(["hello you"])
    True
    """
    words = " ".join("".join(c if c.isalnum() else " " for c in text.casefold()) for text in texts)
    return "text:" + hashlib.sha256(" ".join(words.split()).encode()).hexdigest()[:24]
